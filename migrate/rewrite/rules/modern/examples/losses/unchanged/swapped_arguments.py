import tensorflow.compat.v1 as tf
labels, out = [1, 3], [2.0, 5.0]
x = tf.losses.mean_squared_error(out, labels)
