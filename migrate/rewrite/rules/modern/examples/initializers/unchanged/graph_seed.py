import tensorflow.compat.v1 as tf
tf.set_random_seed(1)
x = tf.truncated_normal_initializer()([3])
