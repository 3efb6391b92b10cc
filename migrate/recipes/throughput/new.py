"""Trains with ten steps in each call of the training function, and measures the speed."""

import tempfile
import time

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, EVERY, BATCH_SIZE = 40, 10, 8


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def augment(features, labels):
    return 2.0 * features, 2.0 * labels


def input_fn():
    dataset = tf.data.Dataset.from_tensor_slices(make_data()).cache().repeat()
    # Plain map and batch replace map_and_batch. tf.data fuses them if that is faster.
    dataset = dataset.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.batch(BATCH_SIZE, drop_remainder=True)
    return dataset.prefetch(tf.data.AUTOTUNE)


class Throughput(tf_keras.callbacks.Callback):
    """Measures the speed after each execution, which takes `steps_per_execution` steps."""

    def __init__(self):
        super().__init__()
        self.examples_per_second = []

    def on_train_batch_end(self, batch, logs=None):
        step = int(self.model.optimizer.iterations.numpy())  # waits for the device
        now = time.perf_counter()
        if step > EVERY:  # the first execution included tracing
            steps, seconds = step - self._step, now - self._since
            self.examples_per_second.append((steps, steps * BATCH_SIZE / seconds))
        self._step, self._since = step, now


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.01), loss="mse", steps_per_execution=EVERY)
    return model


def main(folder):
    model = build_model()
    throughput = Throughput()
    model.fit(input_fn(), steps_per_epoch=STEPS, callbacks=[throughput], verbose=0)
    return {
        "steps_measured": [steps for steps, _ in throughput.examples_per_second],
        "positive": all(rate > 0 for _, rate in throughput.examples_per_second),
        "kernel": model.layers[0].kernel.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
