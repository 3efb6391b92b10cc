"""Saves a checkpoint every four steps by a callback around a CheckpointManager."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, EVERY, KEEP = 10, 4, 2


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.05, 0.9), loss="mse")
    model.build([None, 3])
    return model


class Saver(tf_keras.callbacks.Callback):
    def __init__(self, folder, listener):
        super().__init__()
        self._folder, self._listener = folder, listener

    def on_train_begin(self, logs=None):
        model = self.model
        self.manager = tf.train.CheckpointManager(
            tf.train.Checkpoint(model=model, optimizer=model.optimizer),
            self._folder,
            max_to_keep=KEEP,
            step_counter=model.optimizer.iterations,
            checkpoint_interval=EVERY,
        )
        self._save()  # step 0, as an Estimator does

    def on_train_batch_end(self, batch, logs=None):
        self._save()

    def on_train_end(self, logs=None):
        self._save(check_interval=False)

    def _save(self, check_interval=True):
        step = int(self.model.optimizer.iterations.numpy())
        if self.manager.save(checkpoint_number=step, check_interval=check_interval):
            self._listener.after_save(step)


class Listener:
    def __init__(self):
        self.saved = []

    def after_save(self, global_step_value):
        self.saved.append(int(global_step_value))


def main(folder):
    listener = Listener()
    model, saver = build_model(), Saver(folder, listener)
    model.fit(input_fn(), steps_per_epoch=STEPS, callbacks=[saver], verbose=0)
    kept = saver.manager.checkpoints
    return {
        "saved": listener.saved,
        "kept": [int(path.rpartition("-")[2]) for path in kept],
        "kernel": model.layers[0].kernel.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
