import tensorflow.compat.v1 as tf
def f():
    with tf.variable_scope('a', initializer=tf.glorot_normal_initializer()):
        return tf.get_variable('b', [2]), tf.get_variable('c', [2])
x = 1
