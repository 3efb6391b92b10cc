import tensorflow.compat.v1 as tf
x = tf.losses.mean_squared_error([1.0], [3.0])
y = 'mean_squared_error/value:0'
