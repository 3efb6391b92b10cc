"""Estimator.evaluate: metrics of every kind, their summaries, steps, hooks, checkpoints."""

import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts
from tests.oracle.programs.core_train import Noting, kind

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def input_fn():
    x = np.arange(1, 7, dtype="float32").reshape(6, 1)
    return tf.data.Dataset.from_tensor_slices((x, 2 * x)).batch(2)


def model(estimator, metrics=None, **parts):
    """A model function whose loss is the features' mean; `metrics` makes the metrics."""

    def model_fn(features, labels, mode):
        weight = tf1.get_variable("weight", initializer=[3.0])
        made = metrics(features, labels) if metrics else None
        return estimator.EstimatorSpec(
            mode,
            predictions=features * weight,
            loss=tf.reduce_mean(features),
            train_op=tf1.assign_add(tf1.train.get_global_step(), 1),
            eval_metric_ops=made,
            **{key: value() for key, value in parts.items()},
        )

    return model_fn


def every_kind(features, labels):
    keras = tf.keras.metrics.MeanAbsoluteError(name="mae")
    keras.update_state(labels, features)
    text = tf1.summary.text("words", tf.constant(["a", "b"]))
    image = tf1.summary.image("image", tf.zeros([5, 3, 3, 1]), max_outputs=3)
    one = tf.constant(1)
    return {
        "z mean": tf1.metrics.mean(features),
        "accuracy": tf1.metrics.accuracy(labels, features),
        "keras": keras,
        "tensor": tf1.metrics.mean_tensor(tf.constant([1.0, 0.5, 0.0])),
        "image": (image, one),
        "text": (text, one),
        "no summary": (tf.constant("nonsense"), one),
        "strings": (tf.constant(["a", "b"]), one),
        "int32": (tf.constant(7), one),
        "int64": (tf.constant(7, tf.int64), one),
        "int8": (tf.constant(7, tf.int8), one),
        "float64": (tf.constant(0.25, tf.float64), one),
        "float16": (tf.constant(0.25, tf.float16), one),
        "bool": (tf.constant(True), one),
        "nested": ((one, (tf.constant(2.0), tf.constant([3.0]))), one),
        "matrix": (tf.constant([[1, 2], [3, 4]], tf.int64), one),
        "nothing": (tf.no_op(), one),
        "bools": (tf.constant([True, False]), one),
        "update list": (one, [one, tf.no_op()]),
    }


def events(folder):
    """Returns the step of each event in the folder, and the kind of value of each tag."""
    found = []
    for file in sorted(tf.io.gfile.glob(os.path.join(folder, "events*"))):
        for event in tf1.train.summary_iterator(file):
            if not event.summary.value:
                continue
            values = []
            for value in event.summary.value:
                kind = value.WhichOneof("value")
                content = value.simple_value if kind == "simple_value" else None
                if kind == "tensor" and value.tag != "checkpoint_path":
                    content = facts.plain(tf.make_ndarray(value.tensor))
                values.append([value.tag, value.node_name, kind, content])
            found.append([event.step, values])
    return found


def shown(results):
    """Returns results in their order, with their types."""
    return [
        [name, type(value).__name__.rstrip("_"), facts.plain(value)]
        for name, value in results.items()
    ]


def run(estimator, folder):
    def new(name, model_fn=None, **settings):
        config = estimator.RunConfig(os.path.join(folder, name), **settings)
        return estimator.Estimator(model_fn or model(estimator), config=config)

    kinds = new("kinds", model(estimator, every_kind))
    kinds.train(input_fn, steps=2)
    found = {
        "kinds": shown(kinds.evaluate(input_fn)),
        "events": events(kinds.eval_dir()),
        "files": facts.files(kinds.model_dir),
    }
    one = new("one")
    notes = []
    found["no checkpoint"] = [
        shown(one.evaluate(input_fn, name="before")),
        events(one.eval_dir("before")),
        facts.files(one.model_dir),
    ]
    one.train(input_fn, steps=1)
    one.train(input_fn, steps=1)
    found["steps"] = [
        shown(one.evaluate(input_fn, steps=steps, hooks=[Noting("a", notes)]))
        for steps in (None, 1, 2, 50)
    ]
    found["notes"] = [notes.count(note) for note in ("begin a", "before a", "after a", "end a")]
    found["empty"] = shown(one.evaluate(lambda: input_fn().take(0), name="empty"))
    found["twice"] = [[step, len(values)] for step, values in events(one.eval_dir())]
    found["errors"] = {
        str(sorted(arguments.items())): kind(one.evaluate, input_fn, **arguments)
        for arguments in (
            {"steps": 0},
            {"steps": -1},
            {"hooks": ["a"]},
            {"hooks": 5},
            {"checkpoint_path": "/not/there"},
        )
    }
    found["names"] = {
        name: kind(new("one", model(estimator, metrics_named(name))).evaluate, input_fn, steps=1)
        for name in ("loss", "global_step", "average_loss", "checkpoint_path")
    }
    other = new("other")
    found["from elsewhere"] = shown(
        other.evaluate(input_fn, checkpoint_path=one.latest_checkpoint())
    )
    found["elsewhere"] = facts.files(other.model_dir)
    found["scaffold"] = scaffolds(estimator, new)
    found["shape"] = kind(new("one", wrong_shape(estimator)).evaluate, input_fn)
    return found


def metrics_named(name):
    return lambda features, labels: {name: tf1.metrics.mean(features)}


def wrong_shape(estimator):
    def model_fn(features, labels, mode):
        tf1.get_variable("weight", initializer=[3.0, 4.0])
        return estimator.EstimatorSpec(mode, loss=tf.reduce_mean(features))

    return model_fn


def scaffolds(estimator, new):
    notes = []

    def local():
        own = tf1.get_variable("own", initializer=5.0, collections=["mine"])
        return tf1.train.Scaffold(
            local_init_op=own.initializer, init_fn=lambda scaffold, session: notes.append("init")
        )

    def with_hooks():
        return [Noting("evaluation", notes)]

    parts = {"scaffold": local, "evaluation_hooks": with_hooks}
    one = new("scaffold", model(estimator, metrics_named("m"), **parts))
    return [shown(one.evaluate(input_fn, hooks=[Noting("user", notes)], steps=1)), notes]
