import tensorflow.compat.v1 as tf
x = tf.disable_v2_behavior is not None
