import tensorflow.compat.v1 as tf
x = tf.flags.FLAGS is not None
