"""Estimator.predict: keys, examples and batches, hooks, checkpoints, and inputs with a warning."""

import itertools
import logging
import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts
from tests.oracle.programs.core_train import Noting, kind

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def input_fn():
    x = np.arange(1, 6, dtype="float32").reshape(5, 1)
    return tf.data.Dataset.from_tensor_slices((x, 2 * x)).batch(2)


def model(estimator, predictions, **parts):
    def model_fn(features, labels, mode):
        assert mode != "infer" or labels is None
        weight = tf1.get_variable("weight", initializer=[3.0])
        return estimator.EstimatorSpec(
            mode,
            predictions=predictions(features, weight),
            loss=tf.reduce_mean(features),
            train_op=tf1.assign_add(tf1.train.get_global_step(), 1),
            **{key: value() for key, value in parts.items()},
        )

    return model_fn


def pair(features, weight):
    return {"y": features * weight, "x": features, "prob": features[:, 0]}


class Warnings(logging.Handler):
    """Collects the warnings of TensorFlow's logger."""

    def __init__(self):
        super(Warnings, self).__init__(logging.WARNING)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def run(estimator, folder):
    def new(name, model_fn):
        return estimator.Estimator(model_fn, os.path.join(folder, name))

    named = new("named", model(estimator, pair))
    found = {"untrained": take(named.predict(input_fn))}
    named.train(input_fn, steps=1)

    def predicted(keys=None, **arguments):
        return take(named.predict(input_fn, predict_keys=keys, **arguments))

    found["named"] = predicted()
    found["order"] = [list(example) for example in take(named.predict(input_fn), plain=False)]
    found["keys"] = [
        predicted(keys) if raised is None else raised
        for keys in (["y"], ("x", "y"), {"y"}, "y", "prob", ["y", "nope"], ["nope"], "no", [])
        for raised in [kind(predicted, keys)]
    ]
    found["batches"] = predicted(yield_single_examples=False)
    found["errors"] = [
        kind(predicted, hooks=["a"]),
        kind(predicted, checkpoint_path="/not/there"),
    ]
    single = new("single", model(estimator, lambda features, weight: features * weight))
    found["single"] = take(single.predict(input_fn))
    found["single batches"] = take(single.predict(input_fn, yield_single_examples=False))
    found["single keys"] = kind(take, single.predict(input_fn, predict_keys=["y"]))
    mixed = new(
        "mixed", model(estimator, lambda features, weight: {"a": features, "b": tf.zeros([3])})
    )
    found["mixed"] = kind(take, mixed.predict(input_fn))
    found["mixed batches"] = take(mixed.predict(input_fn, yield_single_examples=False))
    scalar = new("scalar", model(estimator, lambda features, weight: tf.constant(1.0)))
    found["scalar"] = kind(take, scalar.predict(input_fn))
    one = new("one", model(estimator, lambda features, weight: {"one": tf.constant(1.0)}))
    found["scalar of a name"] = kind(take, one.predict(input_fn))
    found["hooks"] = hooks(estimator, new)
    found["checkpoint"] = take(
        new("other", model(estimator, pair)).predict(
            input_fn, checkpoint_path=named.latest_checkpoint()
        )
    )
    found["warnings"] = warnings(named)
    found["files"] = facts.files(named.model_dir)
    found["features only"] = take(named.predict(lambda: input_fn().map(lambda x, y: x)))
    return found


def take(predictions, count=4, plain=True):
    found = list(itertools.islice(predictions, count))
    return facts.plain(found) if plain else found


def hooks(estimator, new):
    notes = []
    parts = {"prediction_hooks": lambda: [Noting("prediction", notes)]}
    one = new("hooks", model(estimator, pair, **parts))
    predictions = one.predict(input_fn, hooks=[Noting("user", notes)])
    lengths = [len(notes)]
    for _ in range(3):
        next(predictions)
        lengths.append(len(notes))
    predictions.close()
    return [lengths, notes]


def warnings(named):
    def dataset():
        return tf1.data.make_one_shot_iterator(input_fn()).get_next()

    tensors = {
        "constant": lambda: tf.constant([[1.0], [2.0]]),
        "pair": lambda: (tf.constant([[1.0], [2.0]]), tf.constant([1.0, 2.0])),
        "iterator": dataset,
        "derived": lambda: dataset()[0] * 2,
        "dataset": input_fn,
    }
    logger = logging.getLogger("tensorflow")
    level = logger.level
    found = {}
    for name, function in sorted(tensors.items()):
        handler = Warnings()
        logger.addHandler(handler)
        logger.setLevel(logging.WARNING)
        try:
            take(named.predict(function), 3)
        finally:
            logger.removeHandler(handler)
            logger.setLevel(level)
        found[name] = sum("QueueRunner" in text for text in handler.texts)
    return found
