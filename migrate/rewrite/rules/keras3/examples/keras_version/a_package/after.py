import numpy as np
import keras
model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
x = model(np.float32([[1, 2]])).numpy()
