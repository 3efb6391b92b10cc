"""Going on from a checkpoint that the original wrote, or from one in ORACLE_CHECKPOINTS."""

import os
import shutil

import tensorflow as tf

from tests.oracle import checkpoints, facts

APIS = ("v1", "v2")
RECORDED = os.path.join(os.path.dirname(os.path.dirname(__file__)), "recorded", "checkpoints")


def run(estimator, folder):
    api = "v2" if tf.executing_eagerly() else "v1"
    written = os.path.join(os.environ.get("ORACLE_CHECKPOINTS", RECORDED), api)
    found = {}
    for name, (model, input_fn) in checkpoints.models(estimator, api, folder).items():
        shutil.rmtree(model.model_dir, ignore_errors=True)
        shutil.copytree(os.path.join(written, name), model.model_dir)
        model.train(input_fn, steps=3)
        found[name] = {
            "losses": facts.scalars(model.model_dir)["loss"],
            "variables": facts.variables(model.model_dir),
            "values": facts.values(model.model_dir),
        }
    return found
