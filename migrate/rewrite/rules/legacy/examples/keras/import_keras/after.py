from tensorflow.compat.v1 import keras
x = keras.layers.Dense(3).units
