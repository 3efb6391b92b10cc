"""Program that trains the Estimator of a kind, in a process with tf_keras.

    python -m tests.migrate.checkpoint.four_kinds.estimators FOLDER KIND ...

Trains five steps in FOLDER/KIND, which writes the checkpoint FOLDER/KIND/model.ckpt-5, and then ten
more. Writes their batches and one of an evaluation to FOLDER/KIND.pickle. Prints the losses of all
these batches, by kind, in JSON.
"""

import importlib
import json
import os
import pathlib
import pickle
import sys

os.environ["TF_USE_LEGACY_KERAS"] = "1"  # A test of Keras 3 has chosen the other one.

import tensorflow.compat.v1 as tf
import tf_keras

from legacy import estimator
from tests.migrate.checkpoint.four_kinds.settings import AFTER, BEFORE, KINDS


class Losses(tf.train.SessionRunHook):
    """Collects the loss of each step."""

    def __init__(self, loss, losses):
        self.loss, self.losses = loss, losses

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        self.losses.append(float(run_values.results))


def batches(input_fn, count):
    return [*input_fn().take(count).as_numpy_iterator()]


def losses_of(kind, folder):
    # The default initializers of tf.layers take no seed of a RunConfig, as in TensorFlow 2.15.
    tf_keras.utils.set_random_seed(5)
    settings = KINDS[kind]
    old = importlib.import_module(f"tests.migrate.programs.legacy_{settings.program}")
    losses = []

    def model_fn(features, labels, mode, params):
        spec = old.model_fn(features, labels, mode, params)
        return spec._replace(training_hooks=[*spec.training_hooks, Losses(spec.loss, losses)])

    config = estimator.RunConfig(tf_random_seed=5, log_step_count_steps=None)
    params = {**old.params, **settings.params}
    trained = estimator.Estimator(model_fn, folder, params=params, config=config)
    trained.train(old.input_fn, steps=BEFORE)
    trained.train(old.input_fn, steps=AFTER)
    evaluated_batch = batches(old.eval_input_fn, 1)
    content = pickle.dumps([*batches(old.input_fn, AFTER), *evaluated_batch])
    pathlib.Path(f"{folder}.pickle").write_bytes(content)
    evaluated = trained.evaluate(old.eval_input_fn, steps=1)
    return [*losses[BEFORE:], float(evaluated["loss"])]


if __name__ == "__main__":
    root, *kinds = sys.argv[1:]
    print(json.dumps({kind: losses_of(kind, os.path.join(root, kind)) for kind in kinds}))
