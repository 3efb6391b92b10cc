import numpy as np
import tf_keras as keras
layer = keras.layers.Dense(1, kernel_initializer="ones")
model = keras.Sequential([keras.Input([2]), layer])
model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse", jit_compile=False)
def batches():
    while True:
        yield np.float32([[1, 2], [3, 4]]), np.float32([[2], [3]])
model.fit(batches(), steps_per_epoch=2, verbose=0)
x, y = model.get_weights(), float(np.float32(model.optimizer.learning_rate))
