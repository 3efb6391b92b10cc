import tensorflow as tf
x = tf.ones([2])
