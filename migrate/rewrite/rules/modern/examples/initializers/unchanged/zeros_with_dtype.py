import tensorflow.compat.v1 as tf
x = tf.zeros_initializer(tf.float64) is not None
