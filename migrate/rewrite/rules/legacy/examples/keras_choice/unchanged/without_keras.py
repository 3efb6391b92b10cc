import tensorflow.compat.v1 as tf
x = tf.float32.name
