import tensorflow.compat.v1 as tf
def f(a):
    with tf.variable_scope('b', initializer=g):
        return tf.layers.dense(a, 3)
x = 1
