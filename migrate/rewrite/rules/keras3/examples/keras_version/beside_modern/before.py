import numpy as np
import tf_keras as keras
from modern.porting import array_datasets
data = array_datasets.array_dataset(np.float32([[1], [2]]), None, batch_size=2)
layer = keras.layers.Dense(1, kernel_initializer="ones")
x = [layer(batch).numpy() for batch in data]
