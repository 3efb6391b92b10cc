"""Keras callback in place of the hook. The training step returns the values that it reads."""

import json
import os
import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, EVERY = 10, 4


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


class GradientNorms(tf_keras.callbacks.Callback):
    def __init__(self, path):
        super().__init__()
        self._path = path
        self.losses, self.norms = [], {}

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(float(logs["loss"]))
        step = int(self.model.optimizer.iterations.numpy())
        if step % EVERY == 0:
            self.norms[step] = float(logs["norm"])

    def on_train_end(self, logs=None):
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        with open(self._path, "w") as file:
            json.dump(self.norms, file)


class Regression(tf_keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf_keras.layers.Dense(1, kernel_initializer="ones")

    def call(self, features):
        return self.dense(features)

    def train_step(self, data):
        features, labels = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(features, labels, self(features, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
        # These are the values of this step. Keras' own loss is the mean of the epoch so far.
        return {"loss": loss, "norm": tf.linalg.global_norm(gradients)}


def main(folder):
    model = Regression()
    model.compile(optimizer=tf_keras.optimizers.SGD(0.1), loss="mse")
    hook = GradientNorms(os.path.join(folder, "norms.json"))
    model.fit(input_fn(), steps_per_epoch=STEPS, callbacks=[hook], verbose=0)
    with open(os.path.join(folder, "norms.json")) as file:
        written = json.load(file)
    return {"losses": hook.losses, "steps": sorted(written), "norms": list(written.values())}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
