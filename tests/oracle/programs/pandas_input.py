"""inputs.pandas_input_fn: operations, batches and errors."""

import numpy as np
import pandas
import tensorflow as tf

from tests.oracle import facts
from tests.oracle.programs.numpy_input import batches, graph

APIS = ("v1",)

tf1 = tf.compat.v1


def frame():
    index = np.arange(100, 105)
    x = pandas.DataFrame({"b": np.arange(5), "a": np.arange(5) * 0.5}, index=index)
    return x, pandas.Series(np.arange(-32, -27), index=index)


def cases(make):
    x, y = frame()
    both = pandas.DataFrame({"k": y, "z": 2 * y})
    overlapping = pandas.DataFrame({"a": y, "z": 2 * y})
    strings = pandas.Series(["p", "qq", "p"], dtype=object)
    words = pandas.DataFrame({"w": strings, "f": [True, False, True]})
    return {
        "one_epoch": make(x, y, batch_size=2, shuffle=False),
        "two_epochs": make(x, y, batch_size=3, shuffle=False, num_epochs=2),
        "for_ever": make(x, y, batch_size=4, shuffle=False, num_epochs=None),
        "no_labels": make(x, batch_size=5, shuffle=False),
        "frame_labels": make(x, both, batch_size=5, shuffle=False),
        "overlapping": make(x, overlapping, batch_size=5, shuffle=False),
        "own_column": make(x, y, batch_size=5, shuffle=False, target_column="t"),
        "capacity": make(x, y, batch_size=2, shuffle=False, queue_capacity=None),
        "words": make(words, batch_size=2, shuffle=False),
    }


def errors(make):
    x, y = frame()
    named = x.rename(columns={"a": "target"})
    found = {
        "shuffle_missing": facts.error(make, x, y),
        "target_list": facts.error(make, x, y, shuffle=False, target_column=["a", "b"]),
        "target_taken": facts.error(make, named, y, shuffle=False),
        "index": facts.error(make, x, y.reset_index(drop=True), shuffle=False),
    }
    return {key: error and error[0] for key, error in found.items()}


def shuffled(make):
    x, y = frame()
    input_fn = make(x, y, batch_size=2, shuffle=True, num_epochs=2, queue_capacity=None)
    seen = batches(input_fn)["batches"]
    return {
        "labels": sorted(label for batch in seen[:-1] for label in batch[1]),
        "graph": graph(input_fn),
    }


def run(estimator, folder):
    make = estimator.inputs.pandas_input_fn
    made = cases(make)
    x, y = frame()
    make(x, y, shuffle=False)
    return {
        "cases": {name: batches(input_fn) for name, input_fn in made.items()},
        "graph": graph(made["one_epoch"]),
        "shuffled": shuffled(make),
        "errors": errors(make),
        "unchanged": list(x.columns),
    }
