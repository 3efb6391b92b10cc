import numpy as np
from modern.layers import normalization
layer = normalization.BatchNormalization(axis=-1, momentum=0.9)
images = np.float32(np.arange(36).reshape(2, 3, 3, 2))
y = layer(images, training=True).numpy()
x = layer.moving_variance.numpy()
