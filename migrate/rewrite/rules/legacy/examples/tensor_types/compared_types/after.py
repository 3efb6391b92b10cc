import tensorflow.compat.v1 as tf
given = {}
x = isinstance(given, tf.Tensor), isinstance(given, tf.Tensor), not isinstance(3, tf.Tensor)
y = (isinstance(given, tf.Tensor) or type(given) in (dict,)), (not isinstance(x, tf.Tensor) and type(x) not in (tuple, str))
