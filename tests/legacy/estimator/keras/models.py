"""A Keras model and its data, for the tests of model_to_estimator."""

import numpy as np
import tensorflow as tf

X = np.arange(8, dtype=np.float32).reshape(8, 1) / 8


def model(optimizer="sgd"):
    layers = tf.keras.layers
    made = tf.keras.Sequential(
        [
            layers.Dense(
                2, activation="tanh", input_shape=(1,), kernel_initializer="ones", name="h"
            ),
            layers.Dense(1, kernel_initializer="ones", name="y"),
        ]
    )
    made.compile(optimizer, "mse", ["mae"])
    return made


def input_fn():
    return tf.data.Dataset.from_tensor_slices((X, 2 * X)).batch(4).repeat()
