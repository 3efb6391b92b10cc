import tensorflow.compat.v1 as tf
x = tf.layers.flatten(tf.zeros([2, 3]))
