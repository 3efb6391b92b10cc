import numpy as np
import tf_keras as keras
layer = keras.layers.Dense(1, kernel_initializer="ones")
model = keras.Sequential([keras.Input([2]), layer])
model.compile("sgd", "mse", ["mae"])
x = model.evaluate(np.float32([[1, 2], [3, 4]]), np.float32([[2], [3]]), verbose=0)
