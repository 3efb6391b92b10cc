import tensorflow.compat.v1 as tf
a = tf.ones([3, 400])
x = tf.reduce_max(tf.nn.dropout(a, 0.5)), tf.nn.dropout(
    a, keep_prob=.5 + .5, seed=3)[0, 0]
