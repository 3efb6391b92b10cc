"""Exports the best, the latest and the final model by a callback, after each epoch."""

import os
import shutil
import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, EVERY, KEEP = 24, 8, 2


def make_data(count, seed):
    """Returns noisy data. Training overfits the noise, which an evaluation detects."""
    random = np.random.RandomState(seed)
    x = random.normal(size=(count, 6)).astype(np.float32)
    return x, (x[:, :1] + random.normal(size=(count, 1))).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensors(make_data(8, seed=1)).repeat()


def eval_input_fn():
    return tf.data.Dataset.from_tensors(make_data(64, seed=2))


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.05), loss="mse")
    return model


class Exporters(tf_keras.callbacks.Callback):
    def __init__(self, folder):
        super().__init__()
        self._folder, self._best = folder, float("inf")

    def on_epoch_end(self, epoch, logs=None):
        if logs["val_loss"] < self._best:
            self._best = logs["val_loss"]
            self._export("best")
        self._export("latest")

    def on_train_end(self, logs=None):
        self._export("final")

    def _export(self, name):
        # A model server loads the folder with the largest number as soon as it appears. So write to
        # another folder first, and rename it when the export is complete.
        temporary = os.path.join(self._folder, "temporary")
        tf.saved_model.save(self.model, temporary, self._signature())
        folder = os.path.join(self._folder, "export", name)
        os.makedirs(folder, exist_ok=True)
        os.rename(temporary, os.path.join(folder, str(self.model.optimizer.iterations.numpy())))
        for old in sorted(os.listdir(folder), key=int)[:-KEEP]:
            shutil.rmtree(os.path.join(folder, old))

    def _signature(self):
        @tf.function(input_signature=[tf.TensorSpec([None, 6], tf.float32, name="x")])
        def serving_default(x):
            return {"outputs": self.model(x, training=False)}

        return serving_default


def answers(folder):
    """Returns the predictions of each export that is kept, oldest first."""
    found = []
    for export in sorted(os.listdir(folder), key=int):
        loaded = tf.saved_model.load(os.path.join(folder, export))
        predict = loaded.signatures["serving_default"]
        x = tf.constant(make_data(3, seed=3)[0])
        found.append(predict(x=x)["outputs"].numpy().ravel().tolist())
    return found


def main(folder):
    model = build_model()
    model.fit(
        input_fn(),
        steps_per_epoch=EVERY,
        epochs=STEPS // EVERY,
        validation_data=eval_input_fn(),
        callbacks=[Exporters(folder)],
        verbose=0,
    )
    exports = os.path.join(folder, "export")
    return {name: answers(os.path.join(exports, name)) for name in ("best", "latest", "final")}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
