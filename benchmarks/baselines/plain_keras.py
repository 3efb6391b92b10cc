"""Trains mnist_cnn as TensorFlow's multi-worker guides do: no tuning, `fit` with its defaults.

    TF_CONFIG=... python benchmarks/baselines/plain_keras.py STRATEGY MNIST_NPZ OUTPUT_JSON

STRATEGY is multi_worker_mirrored or parameter_server. The task that saves writes the examples of
the steady part of the training, and its times. To be a fair baseline, it does not use this toolkit.
"""

import json
import os
import sys
import time

os.environ["GRPC_FAIL_FAST"] = "use_caller"

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
import tf_keras as keras  # noqa: E402

PER_WORKER_BATCH_SIZE = 64
EPOCHS, STEPS_PER_EPOCH = 5, 150


def dataset(path: str, batch_size: int) -> tf.data.Dataset:
    """Returns shuffled, repeated, batched images and labels."""
    with np.load(path) as arrays:
        images = arrays["x_train"] / np.float32(255)
        labels = arrays["y_train"].astype(np.int64)
    slices = tf.data.Dataset.from_tensor_slices((images, labels))
    return slices.shuffle(60000).repeat().batch(batch_size)


def build_and_compile() -> keras.Model:
    """Returns the model of the guides."""
    model = keras.Sequential(
        [
            keras.layers.InputLayer(input_shape=(28, 28)),
            keras.layers.Reshape(target_shape=(28, 28, 1)),
            keras.layers.Conv2D(32, 3, activation="relu"),
            keras.layers.Flatten(),
            keras.layers.Dense(128, activation="relu"),
            keras.layers.Dense(10),
        ]
    )
    model.compile(
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        optimizer=keras.optimizers.SGD(learning_rate=0.001),
        metrics=["accuracy"],
    )
    return model


class EpochTimes(keras.callbacks.Callback):
    """Records the end of each epoch."""

    def __init__(self) -> None:
        super().__init__()
        self.ends: list[float] = []

    def on_epoch_end(self, epoch: int, logs: dict | None = None) -> None:
        """Records the time. Called by `fit`."""
        self.ends.append(time.time())


def main(strategy_name: str, path: str, output: str) -> None:
    """Trains as this task."""
    config = json.loads(os.environ["TF_CONFIG"])
    task, workers = config["task"], len(config["cluster"]["worker"])
    if strategy_name == "multi_worker_mirrored":
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        batch_per_step = PER_WORKER_BATCH_SIZE * workers
        data = dataset(path, batch_per_step)
        saves = task == {"type": "worker", "index": 0}
    else:
        resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
        if resolver.task_type in ("worker", "ps"):
            tf.distribute.Server(
                resolver.cluster_spec(),
                job_name=resolver.task_type,
                task_index=resolver.task_id,
                protocol="grpc",
            ).join()
        strategy = tf.distribute.ParameterServerStrategy(resolver)
        batch_per_step = PER_WORKER_BATCH_SIZE
        data = keras.utils.experimental.DatasetCreator(
            lambda context: dataset(path, PER_WORKER_BATCH_SIZE)
        )
        saves = True
    with strategy.scope():
        model = build_and_compile()
    times = EpochTimes()
    model.fit(data, epochs=EPOCHS, steps_per_epoch=STEPS_PER_EPOCH, callbacks=[times], verbose=0)
    if saves:
        examples = (EPOCHS - 1) * STEPS_PER_EPOCH * batch_per_step
        with open(output, "w") as file:
            json.dump({"examples": examples, "start": times.ends[0], "end": times.ends[-1]}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
