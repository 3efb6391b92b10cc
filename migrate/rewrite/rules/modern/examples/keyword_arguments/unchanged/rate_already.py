import tensorflow.compat.v1 as tf
x = tf.nn.dropout([1.], rate=0.5)
