import numpy as np
import tf_keras
model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
x = model(np.float32([[1, 2]])).numpy()
