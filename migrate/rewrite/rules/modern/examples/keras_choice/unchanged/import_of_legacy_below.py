import tensorflow as tf
from legacy import contrib
x = tf.keras.layers.Dense(2).units, contrib is not None
