import tensorflow as tf
x = tf.placeholder(tf.float32, [2]).shape.as_list()
