import tensorflow.compat.v1 as tf
from modern import porting

config = tf.ConfigProto(allow_soft_placement=True)
tf.keras.backend.set_session(tf.Session(config=config))
x = 1
