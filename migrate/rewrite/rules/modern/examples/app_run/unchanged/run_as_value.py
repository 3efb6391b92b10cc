import tensorflow.compat.v1 as tf
run = tf.app.run
x = callable(run)
