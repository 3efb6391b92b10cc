"""Trains a documented job with TensorFlow 2.15's own tf.estimator. Runs on that Python.

    PYTHON -m tests.oracle.original_job JOB MODEL_DIR STEPS OUTPUT_JSON

Trains STEPS more steps (0 is allowed) from the latest checkpoint in MODEL_DIR, if any, and
evaluates. Writes {"losses": of each step, "metrics": of the evaluation}.
"""

import importlib
import importlib.metadata
import json
import sys

BATCH_SIZE = 16
# With such small batches the job's own rate diverges, and differences of one bit grow with it.
SLOWER = {"resnet56_cifar10": 0.01}


def params(job):
    """Returns the parameters of a job's model_fn."""
    return {"learning_rate": job.LEARNING_RATE * SLOWER.get(job.__name__.split(".")[-1], 1.0)}


def inputs(job, first_step):
    """Returns a job's batched datasets: training data from a step on, and evaluation data."""
    arrays = job.load_data("synthetic" if "synthetic" in job.DATASETS else job.DATASETS[0])
    train = job.train_input_fn(arrays, BATCH_SIZE, 0, first_step=first_step)
    return train, job.eval_input_fn(arrays, BATCH_SIZE).take(20)


def original_in_its_place():
    """Replaces `legacy.estimator` by the original, and tf_keras by the Keras that it uses."""
    import keras
    import tensorflow as tf

    # The packages check these versions at their import, and would reject TensorFlow 2.15.
    importlib.metadata.version = lambda name: {"tensorflow": "2.16"}.get(name, "2.16")
    sys.modules["tf_keras"] = keras
    for name, api in (
        ("legacy.estimator", tf.estimator),
        ("legacy.compat.v1.estimator", tf.compat.v1.estimator),
    ):
        sys.modules[name] = api
        package, _, attribute = name.rpartition(".")
        setattr(importlib.import_module(package), attribute, api)


def main(name, model_dir, steps, output):
    original_in_its_place()
    import tensorflow.compat.v1 as tf

    job = importlib.import_module("legacy.jobs." + name)

    class Losses(tf.train.SessionRunHook):
        def __init__(self):
            self.seen = []

        def before_run(self, run_context):
            return tf.train.SessionRunArgs(tf.get_collection(tf.GraphKeys.LOSSES)[-1])

        def after_run(self, run_context, run_values):
            self.seen.append(float(run_values.results))

    config = tf.estimator.RunConfig(tf_random_seed=1, save_checkpoints_steps=100)
    estimator = tf.estimator.Estimator(job.model_fn, model_dir, config, params(job))
    latest = estimator.latest_checkpoint()
    first = int(tf.train.load_variable(latest, "global_step")) if latest else 0
    losses = Losses()
    if int(steps):
        estimator.train(lambda: inputs(job, first)[0], hooks=[losses], steps=int(steps))
    metrics = estimator.evaluate(lambda: inputs(job, 0)[1])
    metrics.pop("global_step")
    with open(output, "w") as file:
        json.dump(
            {"losses": losses.seen, "metrics": {k: float(v) for k, v in metrics.items()}}, file
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
