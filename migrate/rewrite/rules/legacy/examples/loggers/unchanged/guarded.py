import tensorflow.compat.v1 as tf

try:
    tf.logging._logger.propagate = False
except AttributeError:
    pass
