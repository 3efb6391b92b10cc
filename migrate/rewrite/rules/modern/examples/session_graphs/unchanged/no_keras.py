import tensorflow.compat.v1 as tf


def total(rows):
    tensor = tf.reduce_sum(rows)
    with tf.Session() as session:
        return int(session.run(tensor))
