import tensorflow as tf
x = tf.train.latest_checkpoint('model')
