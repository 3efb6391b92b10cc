import tensorflow.compat.v1 as tf
x = tf.to_float([1]) / tf.to_float(tf.to_int32(2.5), name='b')
y = [f(3).dtype for f in [tf.to_double]]
