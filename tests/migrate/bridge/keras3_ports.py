"""Ports of tests/benchmarks/own_program.py to Keras 3, and functions that are none."""

import keras
import tensorflow as tf
import tf_keras

RATE, UNITS = 0.05, 6  # Those of own_program.


def _layers(kind=keras.Model):
    inputs = {"x": keras.Input((4,), name="x")}
    hidden = keras.layers.Dense(UNITS, "tanh", name="hidden")(inputs["x"])
    return kind(inputs, keras.layers.Dense(1, name="outputs")(hidden))


def _compiled(model, rate=RATE, optimizer=keras.optimizers.SGD):
    metrics = [keras.metrics.MeanAbsoluteError(name="mean_absolute_error")]
    model.compile(optimizer(rate), "mean_squared_error", metrics=metrics)
    return model


def functional():
    return _compiled(_layers())


def wrong_rate():
    return _compiled(_layers(), 1.1 * RATE)


def adam():
    """Returns a model whose steps depend on their number, and whose layers have no names."""
    inputs = {"x": keras.Input((4,))}
    hidden = keras.layers.Dense(UNITS, "tanh")(inputs["x"])
    return _compiled(
        keras.Model(inputs, keras.layers.Dense(1)(hidden)), optimizer=keras.optimizers.Adam
    )


class Subclass(keras.Model):
    """Model without inputs of its own."""

    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(UNITS, "tanh", name="hidden")
        self.outputs_layer = keras.layers.Dense(1, name="outputs")

    def call(self, features, training=False):
        return self.outputs_layer(self.hidden(features["x"]))


def subclass():
    return _compiled(Subclass())


class OwnStep(keras.Model):
    """Model with a train_step."""

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"loss": loss}


def own_step():
    return _compiled(_layers(OwnStep))


def not_compiled():
    return _layers()


def of_tf_keras():
    return tf_keras.Sequential([tf_keras.layers.Dense(1)])
