import tensorflow.compat.v1 as tf
x = tf.data.Dataset.range(3).batch(2) is not None
