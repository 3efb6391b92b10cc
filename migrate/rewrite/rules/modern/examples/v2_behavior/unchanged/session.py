import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
with tf.Session() as session:
    x = session.run(tf.constant(1))
