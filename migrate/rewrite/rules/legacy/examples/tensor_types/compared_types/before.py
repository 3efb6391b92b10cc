import tensorflow.compat.v1 as tf
given = {}
x = type(given) is tf.Tensor, tf.Tensor == type(given), type(3) != tf.Tensor
y = type(given) in {dict, tf.Tensor}, type(x) not in (tf.Tensor, tuple, str)
