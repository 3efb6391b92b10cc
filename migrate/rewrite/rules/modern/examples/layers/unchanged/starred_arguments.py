import tensorflow.compat.v1 as tf
x = tf.layers.flatten(tf.ones([2, 3]), *[]) is not None
