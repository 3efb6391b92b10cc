import tensorflow.compat.v1 as tf
x = tf.constant_initializer([1., 2.])([4])
