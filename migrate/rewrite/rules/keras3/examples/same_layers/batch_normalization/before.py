import numpy as np
import tf_keras as keras
layer = keras.layers.BatchNormalization(-1, 0.9, fused=True)
images = np.float32(np.arange(36).reshape(2, 3, 3, 2))
y = layer(images, training=True).numpy()
x = layer.moving_variance.numpy()
