"""The names that each v1 optimizer's slots have in a deep model."""

import numpy as np
import tensorflow as tf

from tests.oracle import facts
from tests.oracle.programs.canned_optimizers_v1 import OPTIMIZERS

APIS = ("v1",)


def input_fn():
    numbers = np.ones([4, 1], "float32")
    return tf.data.Dataset.from_tensors(({"number": numbers}, numbers)).repeat()


def run(estimator, folder):
    found = {}
    for name, make in OPTIMIZERS.items():
        model = estimator.DNNRegressor(
            [2], [tf.feature_column.numeric_column("number")], folder + "/" + name, optimizer=make
        )
        model.train(input_fn, steps=1)
        found[name] = facts.variables(model.model_dir)
    return found
