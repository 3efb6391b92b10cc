"""Computes the expressions in a JSON list on standard input, and prints values and types as JSON.

    KERAS_BACKEND=jax python -m tests.migrate.rewrite.keras3.computed < expressions.json

An expression may use TensorFlow (tf), keras.backend of tf_keras (K), Keras 3 (keras), and the
tensors in `VALUES`, which are tensors of the backend.
"""

import json
import sys
import warnings

import numpy as np

NAN, INF = float("nan"), float("inf")
VALUES = {
    "a": np.float32([[-1.5, 0.0, 2.0], [0.5, -0.0, 7.0]]),
    "b": np.float32([[0.5, -2.0, 3.0], [1.0, 4.0, -5.0]]),
    "c": np.float32([[3.0], [-2.0]]),  # Of another shape, for broadcasting.
    "p": np.float32([[0.1, 0.5, 0.9], [0.2, 0.25, 0.99]]),
    "e": np.float32([NAN, INF, -INF, 0.0, -0.0, 3e38, 1.0]),
    "h": np.float16([[0.5, -2.0], [4.0, 0.25]]),
    "i": np.int32([[1, -2, 3], [0, 5, -7]]),
    "j": np.int32([[2, 3, 2], [1, 2, 4]]),
    "t": np.array([[True, False, True], [False, False, True]]),
    "ids": np.int32([2, 0, 1]),
    "labels": np.int32([0, 2]),
    "targets": np.float32([[0.0, 1.0, 0.0], [0.5, 0.25, 0.25]]),
    "n": np.float32([[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]),
    "r": np.float32(np.arange(12).reshape(2, 3, 2)),
}


def main():
    warnings.simplefilter("ignore")
    expressions = json.load(sys.stdin)
    import keras

    names = {"keras": keras}
    names |= {name: keras.ops.convert_to_tensor(value) for name, value in VALUES.items()}
    if keras.config.backend() == "tensorflow":
        import tensorflow as tf
        from tf_keras import backend as K

        names |= {"tf": tf, "K": K}
    print(json.dumps([result(text, names) for text in expressions]))


def result(text, names):
    try:
        return plain(eval(text, names))
    except Exception as error:
        return {"raised": f"{type(error).__name__}: {str(error)[:300]}"}


def plain(value):
    """Returns the values and the type of a tensor, or those of each tensor in a list."""
    if isinstance(value, (list, tuple)) and not all(isinstance(part, int) for part in value):
        return [plain(part) for part in value]
    import keras

    if isinstance(value, tuple):  # A shape, which is a tensor of TensorFlow.
        value = np.int32(value)
    array = np.asarray(keras.ops.convert_to_numpy(value))
    return {"type": array.dtype.name, "values": array.astype("float64").tolist()}


if __name__ == "__main__":
    main()
