import tensorflow.compat.v1 as tf
def f():
    return tf.distribute.MirroredStrategy()
x = tf.losses.mean_squared_error([1.0], [3.0])
