"""Estimator.train alone, on any tf.estimator: steps per second, and the time to the first step.

    PYTHON benchmarks/baselines/estimator_steps.py ENGINE MODEL OUTPUT_JSON

ENGINE is "installed" (tf.estimator of the TensorFlow of that Python), "ours" or "original" (the
last package on today's TensorFlow, by legacy.original). MODEL is "tiny", where a step is little
else than the session and its hooks, or "mnist_cnn".
"""

import importlib
import json
import sys
import time
from typing import Any

STEPS = {"tiny": 3000, "mnist_cnn": 700}
WARMUP_STEPS = {"tiny": 500, "mnist_cnn": 100}


def estimator_module(engine: str) -> Any:
    """The module that is tf.estimator."""
    if engine == "installed":
        return importlib.import_module("tensorflow").estimator
    if engine == "ours":
        return importlib.import_module("legacy.estimator")
    return importlib.import_module("legacy.original").load()


def train(engine: str, model: str) -> dict[str, float]:
    """Trains in a temporary folder, with a RunConfig's defaults; returns what was measured."""
    began = time.time()
    tf_estimator = estimator_module(engine)
    import numpy as np
    import tensorflow.compat.v1 as tf

    def tiny(features: Any) -> Any:
        return tf.layers.dense(features, 1)

    def mnist_cnn(features: Any) -> Any:
        x = tf.layers.conv2d(tf.reshape(features, [-1, 28, 28, 1]), 32, 3, activation=tf.nn.relu)
        x = tf.layers.dense(tf.layers.flatten(x), 128, activation=tf.nn.relu)
        return tf.layers.dense(x, 10)

    def model_fn(features: Any, labels: Any, mode: str) -> Any:
        outputs = {"tiny": tiny, "mnist_cnn": mnist_cnn}[model](features)
        loss = tf.reduce_mean(tf.square(outputs - labels))
        step = tf.train.get_or_create_global_step()
        train_op = tf.train.GradientDescentOptimizer(0.001).minimize(loss, global_step=step)
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    def input_fn() -> Any:
        width = {"tiny": 4, "mnist_cnn": 784}[model]
        batch = np.zeros([64, width], np.float32), np.ones([64, 1], np.float32)
        return tf.data.Dataset.from_tensors(batch).repeat().prefetch(4)

    class Times(tf.train.SessionRunHook):
        def __init__(self) -> None:
            self.at: list[float] = []

        def after_run(self, run_context: Any, run_values: Any) -> None:
            self.at.append(time.time())

    times = Times()
    estimator = tf_estimator.Estimator(model_fn)
    called = time.time()
    estimator.train(input_fn, hooks=[times], steps=STEPS[model])
    steady = times.at[WARMUP_STEPS[model] :]
    return {
        "steps_per_second": (len(steady) - 1) / (steady[-1] - steady[0]),
        "first_step_s": times.at[0] - called,
        "process_to_first_step_s": times.at[0] - began,
    }


if __name__ == "__main__":
    with open(sys.argv[3], "w") as file:
        json.dump(train(sys.argv[1], sys.argv[2]), file)
