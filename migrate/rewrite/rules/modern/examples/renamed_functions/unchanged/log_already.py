import tensorflow.compat.v1 as tf
x = tf.math.log([1.0])
