import tensorflow.compat.v1 as tf
import tf_keras
def f(name):
    start = tf_keras.initializers.RandomNormal(stddev=1.0)
    return tf.get_variable(name, [2000], initializer=start)
def g(name):
    return tf.get_variable(
        name, [2000], None, tf_keras.initializers.TruncatedNormal(stddev=2.0))
x = callable(f), callable(g)
