import tensorflow.compat.v1 as tf
def f(name):
    start = tf.random_normal_initializer()
    return tf.get_variable(name, [2000], initializer=start)
def g(name):
    return tf.get_variable(
        name, [2000], None, tf.truncated_normal_initializer(stddev=2.0))
x = callable(f), callable(g)
