import tensorflow.compat.v1 as tf
x = tf.random_normal_initializer(seed=3).seed
