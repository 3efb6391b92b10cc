"""Ports of the model_fn in `ids_and_images` to Keras 3, of which one is right."""

import keras
import tensorflow as tf

from modern.layers import normalization
from modern.optimizers import summed_rows


def build_model(
    params,
    norm=normalization.BatchNormalization,
    adam=summed_rows.Adam,
    dropout=0.3,
    relu=keras.layers.ReLU,
):
    layers = keras.layers
    ids = keras.Input((6,), dtype="int64", name="ids")
    images = keras.Input((8, 8, 1), name="images")
    words = keras.ops.mean(layers.Embedding(20, 5, name="words")(ids), 1)
    net = layers.Conv2D(4, 3, use_bias=False, name="conv")(images)
    net = norm(momentum=0.9, epsilon=1e-5)(net)
    net = layers.Concatenate()([words, layers.Flatten()(relu()(net))])
    penalty = keras.regularizers.L2(0.01)
    net = layers.Dense(16, "relu", name="hidden", kernel_regularizer=penalty)(net)
    logits = layers.Dense(3, name="logits")(layers.Dropout(dropout)(net))
    model = keras.Model({"ids": ids, "images": images}, logits)
    rate = keras.optimizers.schedules.ExponentialDecay(params["rate"], 10, 0.5)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    accuracy = keras.metrics.SparseCategoricalAccuracy(name="accuracy")
    model.compile(adam(rate, epsilon=1e-7), loss, metrics=[accuracy])
    return model


def with_layers_of_keras(params):
    """Builds a port with two faults of Keras 3: the moving variance, and ids that come twice."""
    return build_model(params, keras.layers.BatchNormalization, keras.optimizers.Adam)


def with_another_dropout(params):
    return build_model(params, dropout=0.5)


class Other(keras.layers.Layer):
    """A layer that is another one with another backend."""

    def call(self, x):
        return x if keras.config.backend() == "tensorflow" else x * 1.0001


class OfTensorFlow(keras.layers.Layer):
    """A layer that only TensorFlow computes."""

    def call(self, x):
        return tf.nn.relu(x)


def with_another_backend(params):
    return build_model(params, relu=lambda: keras.Sequential([keras.layers.ReLU(), Other()]))


def of_tensorflow(params):
    return build_model(params, relu=OfTensorFlow)
