import tensorflow.compat.v1 as tf
x = tf.gfile.Exists(filename='nothing')
