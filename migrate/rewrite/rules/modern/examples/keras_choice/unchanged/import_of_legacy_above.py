from legacy import contrib
import tensorflow as tf
x = tf.keras.layers.Dense(2).units, contrib is not None
