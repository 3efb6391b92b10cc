# migrate rewrite --unsafe
import numpy as np
import tensorflow.compat.v1 as tf
data, labels = np.arange(6.0).reshape(3, 2), np.arange(3)
f = lambda: tf.data.Dataset.from_tensor_slices(data).shuffle(1000).batch(3)
x = callable(f)
y = tf.float32.name
