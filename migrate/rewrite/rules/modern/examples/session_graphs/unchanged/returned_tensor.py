import tensorflow.compat.v1 as tf
from modern import porting


def start(value):
    tensor = tf.constant(value)
    session = tf.Session()
    session.run(tensor)
    return session, tensor
