import tensorflow as tf
x = tf.keras.layers.Dense(2).units
