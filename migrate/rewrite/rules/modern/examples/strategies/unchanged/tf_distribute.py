import tensorflow.compat.v1 as tf
x = callable(tf.distribute.MirroredStrategy)
