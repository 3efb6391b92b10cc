import logging

import tensorflow.compat.v1 as tf

tf.logging._logger.setLevel(logging.ERROR)
for handler in tf.logging._logger.handlers:
    handler.setLevel(logging.ERROR)
x = tf.logging._logger.name, [len(tf.logging._logger.handlers)]
