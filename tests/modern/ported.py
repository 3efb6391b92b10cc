"""Data, and a model as in a rewritten program, which creates its variables in its first batch."""

import numpy as np
import tensorflow as tf
import tf_keras


def data(labels=1.0):
    """Returns four batches of 16: features {"x": (16, 4)} and labels (16, 1), both float32."""
    x = np.random.RandomState(0).randn(64, 4).astype("f")
    return tf.data.Dataset.from_tensor_slices(({"x": x}, labels * x[:, :1])).batch(16)


class Model(tf_keras.Model):
    def __init__(self, units=3, layer="hidden"):
        super().__init__()
        start = tf_keras.initializers.GlorotUniform
        setattr(self, layer, tf_keras.layers.Dense(units, "tanh", kernel_initializer=start(1)))
        self.hidden_layer = layer
        self.out = tf_keras.layers.Dense(1, kernel_initializer=start(2))

    def call(self, features, training=False):
        return {"out": self.out(getattr(self, self.hidden_layer)(features["x"]))}

    def train_step(self, data):
        features, labels = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(features, training=True)["out"] - labels) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        return {"loss": loss}

    def test_step(self, data):
        features, labels = data
        return {"loss": tf.reduce_mean((self(features)["out"] - labels) ** 2)}


def compiled(rate=0.01, optimizer=tf_keras.optimizers.Adam, **options):
    model = Model(**options)
    model.compile(optimizer(rate, epsilon=1e-8))
    return model


def built(**options):
    model = compiled(**options)
    model.predict_on_batch({"x": tf.zeros([1, 4])})
    return model
