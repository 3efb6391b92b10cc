import tensorflow.compat.v1 as tf
x = isinstance(tf.zeros([]), tf.Tensor)
