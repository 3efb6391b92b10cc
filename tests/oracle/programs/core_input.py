"""Input functions: arguments, results, and the inputs of a model function."""

import collections
import functools
import os

import numpy as np
import tensorflow as tf

from tests.oracle.programs.core_train import kind

APIS = ("v1", "v2")

tf1 = tf.compat.v1

Pair = collections.namedtuple("Pair", ["features", "labels"])


def nest(value):
    """Returns the types and the structure of a nest."""
    if isinstance(value, dict):
        return [type(value).__name__, [[key, nest(value[key])] for key in sorted(value)]]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [nest(each) for each in value]]
    if isinstance(value, (tf.Tensor, tf.SparseTensor, tf.RaggedTensor)):
        return [type(value).__name__.replace("Symbolic", ""), value.dtype.name]
    return None if value is None else type(value).__name__


def run(estimator, folder):
    numbers = iter(range(1000))
    seen = []

    def model_fn(features, labels, mode, params, config):
        seen.append([nest(features), nest(labels), mode, params, type(config).__name__])
        return estimator.EstimatorSpec(
            mode,
            predictions=tf.constant([[1.0]]),
            loss=tf.constant(1.0),
            train_op=tf1.assign_add(tf1.train.get_global_step(), 1),
        )

    def asked(input_fn, model=model_fn, modes=("train",)):
        """Returns the inputs of the model function in some modes, or the error."""
        made = estimator.Estimator(
            model,
            os.path.join(folder, str(next(numbers))),
            params={"a": 1} if model is model_fn else None,
        )
        del seen[:]
        found = []
        if "train" in modes:
            found.append(kind(made.train, input_fn, steps=1))
        if "eval" in modes:
            found.append(kind(made.evaluate, input_fn, steps=1))
        if "infer" in modes:
            found.append(kind(next, made.predict(input_fn)))
        return found + [list(seen)]

    found = {
        name: asked(function, modes=("train", "eval", "infer") if name == "dataset" else ("infer",))
        for name, function in sorted(returning().items())
    }
    found["arguments"] = arguments(asked)
    found["model without labels"] = without_labels(estimator, asked)
    return found


def returning():
    x, y = tf.constant, np.float32
    array = np.ones([4, 2], "float32")
    slices = tf.data.Dataset.from_tensor_slices
    return {
        "tensors": lambda: (x([[1.0]]), x([2.0])),
        "features": lambda: x([[1.0]]),
        "dict": lambda: {"a": x([[1.0]]), "b": x([2.0])},
        "dicts": lambda: ({"a": x([[1.0]])}, {"b": x([2.0])}),
        "list": lambda: [x([[1.0]]), x([2.0])],
        "namedtuple": lambda: Pair(x([[1.0]]), x([2.0])),
        "with None": lambda: (x([[1.0]]), None),
        "empty dict": lambda: ({}, None),
        "three": lambda: (x([1.0]), x([1.0]), x([1.0])),
        "one": lambda: (x([1.0]),),
        "numpy": lambda: (array, y(1)),
        "None": lambda: None,
        "dataset": lambda: slices((array, array)).batch(2),
        "dataset of features": lambda: slices(array).batch(2),
        "dataset of dicts": lambda: slices(({"a": array}, {"b": array})).batch(2),
        "dataset of dict": lambda: slices({"a": array}).batch(2),
        "dataset of nests": lambda: slices((({"a": array}, array), array)).batch(2),
        "dataset of three": lambda: slices((array, array, array)).batch(2),
        "dataset v1": lambda: tf1.data.Dataset.from_tensor_slices((array, array)).batch(2),
        "iterator": lambda: tf1.data.make_one_shot_iterator(
            slices((array, array)).batch(2)
        ).get_next(),
        "sparse": lambda: slices(array).map(lambda row: (tf.sparse.from_dense(row), row)),
        "not callable": 5,
    }


class Asking(object):
    def __call__(self, mode, params):
        return self.data(mode, params)

    def method(self, config):
        return self.data(type(config).__name__)

    @staticmethod
    def data(*asked):
        return {"n": tf.constant(len(asked)), "b": tf.constant([[1.0]])}, None


def arguments(asked):
    data = Asking.data

    def every(params, mode, config):
        return data(params, mode, config)

    def with_context(mode, input_context=None):
        return data(mode) if input_context is None else data(mode, input_context)

    def wrapped(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            return data(*sorted(kwargs))

        return call

    def needs_context(input_context):
        return data(input_context)

    def unknown(batch_size):
        return data(batch_size)

    def defaults(batch_size=3, mode="own"):
        return {mode: tf.constant(batch_size)}, None

    functions = (
        every,
        with_context,
        wrapped(every),
        needs_context,
        unknown,
        defaults,
        functools.partial(unknown, batch_size=3),
        functools.partial(unknown, 3),
        functools.partial(every, mode="own"),
        Asking(),
        Asking().method,
        lambda **kwargs: data(*sorted(kwargs)),
        lambda *args: data(*args),
    )
    return [asked(function) for function in functions]


def without_labels(estimator, asked):
    def model_fn(features):
        return estimator.EstimatorSpec(
            None,
            predictions=tf.constant([[1.0]]),
            loss=tf.constant(1.0),
            train_op=tf1.assign_add(tf1.train.get_global_step(), 1),
        )

    x = tf.constant
    return [
        asked(lambda: {"a": x([1.0])}, model_fn),
        asked(lambda: ({"a": x([1.0])}, x([1.0])), model_fn),
        asked(lambda: ({"a": x([1.0])}, None), model_fn),
        asked(lambda: x([1.0]), lambda features, mode: 5),
    ]
