import tensorflow.compat.v1 as tf
def f(m, **k):
    m.compile(tf.train.AdamOptimizer(**k), 'mse')
x = 1
