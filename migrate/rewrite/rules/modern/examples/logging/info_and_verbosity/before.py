# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
tf.logging.set_verbosity(tf.logging.ERROR)
tf.logging.info('step %d', 3)
x = tf.logging.get_verbosity() == tf.logging.ERROR, tf.float32.name
tf.logging.set_verbosity(tf.logging.WARN)
