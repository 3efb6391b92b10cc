"""Times Estimator.train alone, on any tf.estimator: the first step, then turns of steps.

    PYTHON benchmarks/baselines/estimator_steps.py ENGINE MODEL

ENGINE is "installed" (tf.estimator of the TensorFlow of that Python), "ours" or "original" (the
last package on today's TensorFlow, by legacy.original). MODEL is "tiny", whose step is mostly the
overhead of the session and its hooks, or "mnist_cnn". Prints a line of JSON after the warm-up.
Then, for each line of its input, trains for one turn and prints its steps per second. Ends at the
end of its input.
"""

import importlib
import json
import sys
import time
from typing import Any

WARMUP_STEPS = {"tiny": 500, "mnist_cnn": 50}
TURN_STEPS = {"tiny": 500, "mnist_cnn": 50}


def estimator_module(engine: str) -> Any:
    """Returns the module that provides tf.estimator."""
    if engine == "installed":
        return importlib.import_module("tensorflow").estimator
    if engine == "ours":
        return importlib.import_module("legacy.estimator")
    return importlib.import_module("legacy.original").load()


def train(engine: str, model: str) -> None:
    """Trains in a temporary folder, with a RunConfig's defaults, in turns."""
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

    class Turns(tf.train.SessionRunHook):
        """Pauses the training and the clock between turns."""

        def __init__(self) -> None:
            self.steps = 0
            self.first_at = 0.0
            self.turn_began = 0.0

        def after_run(self, run_context: Any, run_values: Any) -> None:
            self.steps += 1
            if self.steps == 1:
                self.first_at = time.time()
            steps_done = self.steps - WARMUP_STEPS[model]
            if steps_done < 0 or steps_done % TURN_STEPS[model]:
                return
            if steps_done == 0:
                say(process_to_first_step_s=self.first_at - began)
            else:
                say(steps_per_second=TURN_STEPS[model] / (time.time() - self.turn_began))
            if not sys.stdin.readline():
                run_context.request_stop()
            self.turn_began = time.time()

    estimator = tf_estimator.Estimator(model_fn)
    estimator.train(input_fn, hooks=[Turns()])


def say(**figures: float) -> None:
    """Prints a line of JSON."""
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    train(sys.argv[1], sys.argv[2])
