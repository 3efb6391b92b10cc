"""Warm start: from checkpoints, folders, SavedModels and settings, in each mode."""

import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts
from tests.oracle.programs.core_train import kind

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def input_fn():
    return tf.data.Dataset.from_tensors(([[1.0, 2.0]], [[2.0]])).repeat()


def model(estimator, value=0.0, names=("first", "second"), shape=(2, 1), rate=0.0):
    def model_fn(features, labels, mode):
        made = [
            tf1.get_variable(name, shape, initializer=tf1.constant_initializer(value))
            for name in names
        ]
        frozen = tf1.get_variable("frozen", initializer=value, trainable=False)
        predictions = sum(tf.matmul(features, variable) for variable in made)
        if mode == "infer":
            return estimator.EstimatorSpec(mode, predictions={"y": predictions})
        loss = tf.reduce_mean(tf.square(predictions - labels)) + 0 * frozen
        optimizer = tf1.train.MomentumOptimizer(rate, 0.9)
        return estimator.EstimatorSpec(
            mode,
            predictions={"y": predictions},
            loss=loss,
            train_op=optimizer.minimize(loss, tf1.train.get_global_step()),
        )

    return model_fn


def receiver_fn_of(estimator):
    def receiver_fn():
        features = tf1.placeholder(tf.float32, [None, 2])
        return estimator.export.TensorServingInputReceiver(features, features)

    return receiver_fn


def run(estimator, folder):
    def new(name, warm_start_from=None, **arguments):
        return estimator.Estimator(
            model(estimator, **arguments),
            os.path.join(folder, name),
            warm_start_from=warm_start_from,
        )

    settings = estimator.WarmStartSettings
    source = new("source", value=1.0, rate=0.1).train(input_fn, steps=3)
    saved_model = source.export_saved_model(
        os.path.join(folder, "export"), receiver_fn_of(estimator)
    )
    path = source.model_dir
    rename = {"third": "first"}
    forms = {
        "folder": path,
        "checkpoint": source.latest_checkpoint(),
        "SavedModel": saved_model,
        "settings": settings(path),
        "pattern": settings(path, vars_to_warm_start="first"),
        "patterns": settings(path, vars_to_warm_start=["fir.*"]),
        "slots": settings(path, vars_to_warm_start=[".*Momentum"]),
        "frozen": settings(path, vars_to_warm_start=["frozen"]),
        "none": settings(path, vars_to_warm_start=None),
        "no match": settings(path, vars_to_warm_start="nope"),
        "missing": "/not/there",
        "named": settings(path, var_name_to_prev_var_name={"first": "second"}),
        "named wrong": settings(path, var_name_to_prev_var_name={"first": "nope"}),
    }
    found = {name: started(new, str(i), form) for i, (name, form) in enumerate(forms.items())}
    found["renamed"] = started(
        new,
        "renamed",
        settings(path, vars_to_warm_start="third", var_name_to_prev_var_name=rename),
        names=("third",),
    )
    found["other shape"] = started(new, "shape", path, shape=(2, 2))
    again = new("0", path)
    found["resumed"] = [
        int(again.train(input_fn, steps=1).get_variable_value("global_step")),
    ]
    found["evaluate"] = facts.plain(dict(new("fresh", path).evaluate(input_fn, steps=1)))
    found["predict"] = facts.plain(next(new("fresh", path).predict(input_fn)))
    found["cold"] = facts.plain(dict(new("fresh").evaluate(input_fn, steps=1)))
    found["settings"] = described(estimator)
    found["vocabulary"] = vocabulary(estimator, folder)
    return found


def started(new, name, form, **arguments):
    one = new(name, form, **arguments) if not kind(new, name, form, **arguments) else None
    if one is None:
        return kind(new, name, form, **arguments)
    raised = kind(one.train, input_fn, steps=1)
    return raised or facts.values(one.model_dir)


def described(estimator):
    made = estimator.WarmStartSettings("/tmp/a")
    info = estimator.VocabInfo("new", 5, 1, "old")
    return {
        "fields": list(made._fields),
        "values": facts.plain(list(made)),
        "replaced": facts.plain(list(made._replace(vars_to_warm_start="x"))),
        "empty": kind(estimator.WarmStartSettings, ""),
        "None": kind(estimator.WarmStartSettings, None),
        "tuple": isinstance(made, tuple),
        "info": [list(info._fields), str(list(info))],
        "info wrong": kind(estimator.VocabInfo, "new", 5, 1),
    }


def vocabulary(estimator, folder):
    """An embedding whose vocabulary has changed."""

    def words(name, content):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write("\n".join(content) + "\n")
        return path

    def embedding(rows, values):
        def model_fn(features, labels, mode):
            table = tf1.get_variable(
                "table", [rows, 2], initializer=tf1.constant_initializer(values)
            )
            return estimator.EstimatorSpec(
                mode,
                loss=tf.reduce_sum(table),
                train_op=tf1.assign_add(tf1.train.get_global_step(), 1),
            )

        return model_fn

    old = words("old", ["a", "b", "c"])
    new = words("new", ["c", "x", "a"])
    source = estimator.Estimator(
        embedding(3, np.arange(6, dtype="float32")), os.path.join(folder, "v1")
    ).train(input_fn, steps=1)
    info = estimator.VocabInfo(
        new_vocab=new,
        new_vocab_size=3,
        num_oov_buckets=1,
        old_vocab=old,
        old_vocab_size=3,
        backup_initializer=tf1.zeros_initializer(),
    )
    settings = estimator.WarmStartSettings(source.model_dir, var_name_to_vocab_info={"table": info})
    target = estimator.Estimator(
        embedding(4, 9.0), os.path.join(folder, "v2"), warm_start_from=settings
    ).train(input_fn, steps=1)
    return facts.plain(target.get_variable_value("table"))
