import tensorflow as tf
x = tf.float32.name
