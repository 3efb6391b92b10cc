import tensorflow.compat.v1 as tf
step = tf.train.AdamOptimizer(0.1).minimize
x = callable(step)
