"""tf.estimator.inputs of TensorFlow 1: input functions for arrays and data frames.

    from legacy.compat.v1 import estimator

    input_fn = estimator.inputs.numpy_input_fn({"x": x}, y, batch_size=32, shuffle=True)
    classifier.train(input_fn, steps=100)

Files in reading order:
numpy_io   feeds arrays: numpy_input_fn
pandas_io  feeds data frames: pandas_input_fn
queues     fills queues from Python threads
"""

from legacy.estimator.inputs.numpy_io import numpy_input_fn
from legacy.estimator.inputs.pandas_io import pandas_input_fn

__all__ = ["numpy_input_fn", "pandas_input_fn"]
