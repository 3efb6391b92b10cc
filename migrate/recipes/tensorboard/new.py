"""Training step that returns scalars for TensorBoard, and a callback that writes them."""

import os
import tempfile
import time

import numpy as np
import tensorflow as tf
import tf_keras

from modern.records import summaries

STEPS, EVERY = 10, 4


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


class Regression(tf_keras.Sequential):
    def train_step(self, data):
        features, labels = data
        with tf.GradientTape() as tape:
            outputs = self(features, training=True)
            loss = self.compute_loss(features, labels, outputs)
        self.optimizer.minimize(loss, self.trainable_variables, tape=tape)
        return {"loss": loss, "error/largest": tf.reduce_max(tf.abs(labels - outputs))}


class Scalars(tf_keras.callbacks.Callback):
    def __init__(self, folder):
        super().__init__()
        self._train = summaries.ScalarWriter(folder)
        self._eval = summaries.ScalarWriter(os.path.join(folder, "eval"))

    def on_train_begin(self, logs=None):
        self._counted, self._since = 1, time.time()

    def on_train_batch_end(self, batch, logs=None):
        step = int(self.model.optimizer.iterations.numpy())
        if step % EVERY == 1:
            self._train.write(step, logs)
            if step > self._counted:
                speed = (step - self._counted) / (time.time() - self._since)
                self._train.write(step, {"global_step/sec": speed})
            self._counted, self._since = step, time.time()

    def on_test_end(self, logs=None):
        step = int(self.model.optimizer.iterations.numpy())
        self._eval.write(step, logs)


def read_events(folder):
    """Returns the scalars that TensorBoard shows: tag to pairs of step and value."""
    found = {}
    for file in sorted(os.listdir(folder)):
        if "tfevents" in file:
            for event in tf.compat.v1.train.summary_iterator(os.path.join(folder, file)):
                for value in event.summary.value:
                    if value.HasField("tensor"):
                        scalar = float(tf.make_ndarray(value.tensor))
                        found.setdefault(value.tag, []).append([event.step, scalar])
    return found


def main(folder):
    model = Regression([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.05), loss="mse", metrics=["mae"])
    scalars = Scalars(folder)
    model.fit(input_fn(), steps_per_epoch=STEPS, callbacks=[scalars], verbose=0)
    model.evaluate(input_fn(), steps=4, callbacks=[scalars], verbose=0)
    train = read_events(folder)
    speed = [step for step, _ in train.pop("global_step/sec")]
    return {"train": train, "speed": speed, "eval": read_events(os.path.join(folder, "eval"))}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
