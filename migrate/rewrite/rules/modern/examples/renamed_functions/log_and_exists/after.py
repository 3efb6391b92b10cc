import tensorflow.compat.v1 as tf
x = tf.math.log([[1.0, 4.0]]) + tf.math.squared_difference(1., 3.), tf.io.gfile.exists('nothing')
y = tf.linalg.band_part(tf.ones([2, 2]), 0, -1)
