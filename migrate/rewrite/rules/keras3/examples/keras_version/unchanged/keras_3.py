import keras
model = keras.Sequential([keras.layers.Dense(1)])
