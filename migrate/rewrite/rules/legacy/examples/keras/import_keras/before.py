import keras
x = keras.layers.Dense(3).units
