import tensorflow.compat.v1 as tf
x = tf.reduce_sum([1.], axis=0, keepdims=True)
