from legacy.compat.v1 import estimator as tf_estimator
import numpy as np
import tensorflow.compat.v1 as tf
data, labels = np.arange(6.0).reshape(3, 2), np.arange(3)
f = []
for part in (data, data + 1):
    f.append(tf_estimator.inputs.numpy_input_fn(part, shuffle=False))
x = 1
