"""Training that is preempted at step seven and resumes with BackupAndRestore."""

import logging
import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, EVERY, PREEMPTED_AT = 12, 5, 7


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.05), loss="mse")
    return model


class Preempted(Exception):
    pass


class Preemption(tf_keras.callbacks.Callback):
    def __init__(self, at):
        super().__init__()
        self.steps_run, self._at = 0, at

    def on_train_batch_end(self, batch, logs=None):
        self.steps_run += 1
        if self.steps_run == self._at:
            raise Preempted


def run(folder, preempted_at):
    """Runs the program once. Returns the number of its steps, and the model."""
    model = build_model()
    backup = tf_keras.callbacks.BackupAndRestore(folder, save_freq=EVERY)
    preemption = Preemption(preempted_at)
    try:
        model.fit(input_fn(), steps_per_epoch=STEPS, callbacks=[backup, preemption], verbose=0)
    except Preempted:
        logging.info("preempted after %d steps", preemption.steps_run)
    return preemption.steps_run, model


def main(folder):
    first, _ = run(folder, PREEMPTED_AT)
    second, model = run(folder, None)
    return {
        "steps_run": [first, second],
        "last_step": int(model.optimizer.iterations.numpy()),
        "kernel": model.layers[0].kernel.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
