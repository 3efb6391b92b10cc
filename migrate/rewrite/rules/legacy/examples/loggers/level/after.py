import logging

import tensorflow.compat.v1 as tf

tf.get_logger().setLevel(logging.ERROR)
for handler in tf.get_logger().handlers:
    handler.setLevel(logging.ERROR)
x = tf.get_logger().name, [len(tf.get_logger().handlers)]
