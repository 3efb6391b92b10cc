import tensorflow.compat.v1 as tf
x = tf.cast([1], tf.float32)
