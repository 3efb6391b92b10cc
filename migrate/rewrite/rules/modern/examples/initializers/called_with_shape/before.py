import tensorflow.compat.v1 as tf
x = tf.constant_initializer(0.5)([2]), tf.ones_initializer()([2])
w = tf.truncated_normal_initializer(stddev=0.1)([100])
y = tf.reduce_max(tf.abs(w)) <= 0.2
