import tensorflow.compat.v1 as tf
x = tf.log([[1.0, 4.0]]) + tf.squared_difference(1., 3.), tf.gfile.Exists('nothing')
y = tf.matrix_band_part(tf.ones([2, 2]), 0, -1)
