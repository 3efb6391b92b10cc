"""Checkpoints that one engine writes, so that another engine can resume from them.

    python -m tests.oracle.checkpoints --api=v1 --engine=installed --output=FOLDER

Each canned estimator and each optimizer trains two steps, the second from fixed weights, so that
every correct engine writes the same numbers. The estimators' own savers write the files.
"""

import argparse
import os
import shutil
import sys
import tempfile

import tensorflow as tf

from tests.oracle import canned_inputs as inputs
from tests.oracle import facts, observe
from tests.oracle.programs import canned_optimizers_v1, canned_optimizers_v2

_STEP = 2


def models(estimator, api, folder):
    """Returns (estimator, input function) by name. Each has a folder of its name."""
    numbers, classes = inputs.input_fn(inputs.two_numbers()), inputs.input_fn(inputs.binary())
    wide, deep = inputs.small(), inputs.small_dense()

    def made(name, cls, input_fn, **arguments):
        config = inputs.config(estimator, os.path.join(folder, name))
        found[name] = (cls(config=config, **arguments), input_fn)

    found = {}
    made("linear", estimator.LinearClassifier, classes, feature_columns=wide)
    made("dnn", estimator.DNNClassifier, classes, feature_columns=deep, hidden_units=[3])
    made(
        "combined",
        estimator.DNNLinearCombinedRegressor,
        numbers,
        linear_feature_columns=wide,
        dnn_feature_columns=deep,
        dnn_hidden_units=[3],
        label_dimension=2,
    )
    made("baseline", estimator.BaselineRegressor, _one_feature, label_dimension=2)
    for name, make in _optimizers(api).items():
        made(
            name,
            estimator.LinearRegressor,
            numbers,
            feature_columns=wide,
            optimizer=make,
            label_dimension=2,
        )
    return found


def _one_feature():
    # The original's v2 baselines cannot check that several features have the same batch size.
    numbers = inputs.input_fn(inputs.two_numbers())()
    return numbers.map(lambda features, labels: ({"number": features["number"]}, labels))


def _optimizers(api):
    return canned_optimizers_v1.OPTIMIZERS if api == "v1" else canned_optimizers_v2.optimizers()


def write(estimator, api, folder):
    """Writes a checkpoint of each model below `folder`, under the model's name."""
    for name, (model, input_fn) in models(estimator, api, folder).items():
        model.train(input_fn, steps=1)
        facts.fix_weights(model.model_dir)
        model.train(input_fn, steps=_STEP - 1)
        _keep_checkpoint(os.path.join(folder, name))


def _keep_checkpoint(model_dir):
    """Removes all files but the variables of the last save."""
    prefix = "model.ckpt-{}.".format(_STEP)
    for file in os.listdir(model_dir):
        if not file.startswith(prefix) or file.endswith(".meta"):
            path = os.path.join(model_dir, file)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    tf.compat.v1.train.update_checkpoint_state(model_dir, prefix[:-1])


def main():
    """Reads the flags, and replaces the output folder by the new checkpoints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--api", choices=("v1", "v2"), required=True)
    parser.add_argument("--engine", choices=("installed", "ours"), required=True)
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()
    module = observe.api_module(arguments.api, arguments.engine)
    observe.prepare(arguments.api)
    with tempfile.TemporaryDirectory() as folder:
        with observe.surroundings(arguments.api):
            write(module, arguments.api, folder)
        shutil.rmtree(arguments.output, ignore_errors=True)
        shutil.copytree(folder, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
