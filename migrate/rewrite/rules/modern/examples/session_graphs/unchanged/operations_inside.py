import tensorflow.compat.v1 as tf
from modern import porting


def total(rows):
    with tf.Session() as session:
        return int(session.run(tf.reduce_sum(rows)))


x = total([1, 2, 3])
