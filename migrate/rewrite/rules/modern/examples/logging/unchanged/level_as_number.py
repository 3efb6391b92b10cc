import tensorflow.compat.v1 as tf
level = 20
tf.logging.set_verbosity(level)
tf.logging.info('x')
x = tf.logging.get_verbosity() == level
