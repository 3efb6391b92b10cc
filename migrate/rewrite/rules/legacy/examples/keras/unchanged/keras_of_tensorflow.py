import tensorflow.compat.v1 as tf
x = tf.keras.layers.Dense(3).units
