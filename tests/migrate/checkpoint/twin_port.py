"""The port of the model_fn in `twin` to Keras, and the data of both."""

import numpy as np

from modern.layers import normalization
from modern.process import chosen_keras
from modern.process.chosen_keras import keras

RATE = 0.01
_RNG = np.random.default_rng(3)
FEATURES = {
    "image": _RNG.normal(size=(8, 6, 6, 1)).astype(np.float32),
    "word": _RNG.integers(0, 9, size=(8, 2)),
}
LABELS = _RNG.normal(size=(8, 1)).astype(np.float32)


def build_model(optimizer=None):
    layers = keras.layers
    image, word = layers.Input((6, 6, 1), name="image"), layers.Input((2,), name="word")
    words = layers.Flatten()(layers.Embedding(9, 4, name="words")(word))
    net = layers.Conv2D(4, 3, use_bias=False, name="convolution")(image)
    net = normalization.BatchNormalization(momentum=0.9, epsilon=1e-5, name="norm")(net)
    net = layers.Concatenate()([layers.Flatten()(layers.ReLU()(net)), words])
    net = layers.Dense(8, activation="relu", name="first")(net)
    net = layers.Dense(8, activation="relu", name="second")(net)
    model = keras.Model([image, word], layers.Dense(1, name="head")(net))
    model.compile(optimizer or _adam(), "mse")
    return model


def _adam():
    if chosen_keras.version() == 2:
        return keras.optimizers.Adam(RATE, epsilon=1e-7)
    from modern.optimizers import summed_rows

    return summed_rows.Adam(RATE, epsilon=1e-7)


def build_legacy():
    """Builds it with a legacy optimizer, which Keras 3 does not have."""
    return build_model(keras.optimizers.legacy.Adam(RATE, epsilon=1e-7))
