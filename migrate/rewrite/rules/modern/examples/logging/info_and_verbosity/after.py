# migrate rewrite --unsafe
import tensorflow.compat.v1 as tf
from absl import logging
logging.set_verbosity(logging.ERROR)
logging.info('step %d', 3)
x = logging.get_verbosity() == logging.ERROR, tf.float32.name
logging.set_verbosity(logging.WARN)
