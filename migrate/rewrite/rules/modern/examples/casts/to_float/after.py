import tensorflow.compat.v1 as tf
x = tf.cast([1], tf.float32) / tf.cast(tf.cast(2.5, tf.int32), tf.float32, name='b')
y = [f(3).dtype for f in [(lambda x, name=None: tf.cast(x, tf.float64, name))]]
