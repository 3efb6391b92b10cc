import tensorflow.compat.v1 as tf
def f(a):
    return tf.layers.dropout(a, 0.5, None, None, True)
x = 1
