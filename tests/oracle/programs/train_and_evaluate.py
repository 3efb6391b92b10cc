"""train_and_evaluate on one machine: evaluations, exports, results and errors."""

import json
import os

import numpy as np
import tensorflow as tf

from tests.oracle import facts
from tests.oracle.programs.core_train import Noting, kind

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def input_fn(repeat=None):
    x = np.arange(1, 7, dtype="float32").reshape(6, 1)
    return tf.data.Dataset.from_tensor_slices((x, 2 * x)).repeat(repeat).batch(2)


def once():
    return input_fn(1)


def model_of(estimator):
    def model_fn(features, labels, mode):
        weight = tf1.get_variable("weight", [1, 1], initializer=tf1.ones_initializer())
        predictions = tf.matmul(features, weight)
        loss = None
        train_op = None
        if labels is not None:
            loss = tf.reduce_mean(tf.square(predictions - labels))
            optimizer = tf1.train.GradientDescentOptimizer(0.001)
            train_op = optimizer.minimize(loss, tf1.train.get_global_step())
        return estimator.EstimatorSpec(
            mode, predictions={"y": predictions}, loss=loss, train_op=train_op
        )

    return model_fn


def exporter_of(estimator, name, calls):
    class Exporter(estimator.Exporter):
        @property
        def name(self):
            return name

        def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
            calls.append(
                [
                    name,
                    os.path.relpath(export_path, estimator.model_dir),
                    os.path.basename(checkpoint_path),
                    int(eval_result["global_step"]),
                    bool(is_the_final_export),
                ]
            )
            return len(calls)

    return Exporter()


class Listener(tf1.train.CheckpointSaverListener):
    def __init__(self, notes):
        self.notes = notes

    def after_save(self, session, step):
        self.notes.append(int(step))


def run(estimator, folder):
    def new(name, **settings):
        config = estimator.RunConfig(
            os.path.join(folder, name), **dict({"save_checkpoints_steps": 5}, **settings)
        )
        return estimator.Estimator(model_of(estimator), config=config)

    def trained(
        folder_name, max_steps=12, train_input_fn=input_fn, settings=None, one=None, **spec
    ):
        calls, notes = [], []
        one = one or new(folder_name, **(settings or {}))
        exporters = [exporter_of(estimator, each, calls) for each in ("b", "a")]
        hook = Noting("eval", notes)
        eval_spec = estimator.EvalSpec(
            once, **dict({"steps": None, "throttle_secs": 0, "exporters": exporters}, **spec)
        )
        eval_spec = eval_spec._replace(hooks=(hook,))
        train_spec = estimator.TrainSpec(
            train_input_fn,
            max_steps,
            hooks=[Noting("train", notes)],
            saving_listeners=[Listener(notes)],
        )
        try:
            returned = estimator.train_and_evaluate(one, train_spec, eval_spec)
        except Exception as raised:
            returned = [type(raised).__name__]
        return {
            "returned": facts.plain(returned),
            "type": type(returned).__name__,
            "exports": calls,
            "order": [note for note in notes if isinstance(note, int) or "begin" in note],
            "evaluated": facts.scalars(one.eval_dir(spec.get("name"))),
            "files": facts.files(one.model_dir),
        }

    found = {
        "each": trained("each"),
        "throttled": trained("throttled", max_steps=20, throttle_secs=600),
        "at the end": trained("at the end", max_steps=10),
        "named": trained("named", max_steps=3, name="own", steps=1),
        "no exporters": trained("no exporters", max_steps=3, exporters=None),
        "input ends": trained("input ends", 100, train_input_fn=lambda: input_fn(2)),
        "no max_steps": trained("no max_steps", None, train_input_fn=lambda: input_fn(2)),
        "no checkpoints": trained("none", settings={"save_checkpoints_steps": None}),
        "seconds": trained(
            "secs", settings={"save_checkpoints_steps": None, "save_checkpoints_secs": 100}
        ),
    }
    again = new("again")
    found["first"] = trained("", one=again, max_steps=5)
    found["nothing left"] = trained("", one=again, max_steps=5)
    found["more"] = trained("", one=again, max_steps=8)
    found["wrong"] = wrong(estimator, new)
    found["specs"] = specs(estimator)
    found["tasks"] = tasks(estimator)
    return found


def wrong(estimator, new):
    train_spec = estimator.TrainSpec(input_fn, 1)
    eval_spec = estimator.EvalSpec(once)
    return [
        kind(estimator.train_and_evaluate, *arguments)
        for arguments in (
            (5, train_spec, eval_spec),
            (new("w"), 5, eval_spec),
            (new("w"), train_spec, 5),
            (new("w"), train_spec, None),
            (new("w"), eval_spec, train_spec),
            (None, None, None),
        )
    ]


def specs(estimator):
    def described(make, *args, **kwargs):
        raised = kind(make, *args, **kwargs)
        if raised:
            return raised
        made = make(*args, **kwargs)
        return [list(made._fields), facts.plain([str(type(v)) for v in made]), len(made)]

    named = [exporter_of(estimator, name, []) for name in ("a", "b", "a", None, "", 5)]
    hook = tf1.train.SessionRunHook()
    found = {
        "train": [
            described(estimator.TrainSpec, *arguments)
            for arguments in (
                (input_fn,),
                (input_fn, 5, [hook], [Listener([])]),
                (input_fn, 0),
                (input_fn, -1),
                (5,),
                (None,),
                (input_fn, None, [5]),
                (input_fn, None, None, [hook]),
                (input_fn, None, hook),
            )
        ],
        "eval": [
            described(estimator.EvalSpec, input_fn, **arguments)
            for arguments in (
                {},
                {"steps": None, "name": "a", "hooks": [hook], "exporters": named[0]},
                {"exporters": named[:2]},
                {"exporters": (each for each in named[:1])},
                {"exporters": []},
                {"exporters": [named[0], named[2]]},
                {"exporters": [named[0], named[3]]},
                {"exporters": named[3]},
                {"exporters": named[4]},
                {"exporters": named[5]},
                {"exporters": [named[0], 5]},
                {"exporters": 5},
                {"exporters": "ab"},
                {"exporters": {"a": named[0]}},
                {"steps": 0},
                {"steps": -1},
                {"name": 5},
                {"hooks": [5]},
                {"start_delay_secs": -1},
                {"throttle_secs": -1},
                {"start_delay_secs": 0, "throttle_secs": 0},
            )
        ],
        "eval input": described(estimator.EvalSpec, 5),
        "defaults": facts.plain(list(estimator.EvalSpec(input_fn))[1:]),
    }
    # A generator of exporters was used up by the check.
    del found["eval"][3]
    return found


def tasks(estimator):
    """Returns the errors before anything starts, by task."""
    cluster = {"chief": ["h0:1"], "local": ["h1:1"], "alloc": ["h2:1"]}
    found = []
    before = os.environ.pop("TF_CONFIG", None)
    for task_type, index in (("evaluator", 1), ("local", 0), ("alloc", 0)):
        task = {"type": task_type, "index": index}
        os.environ["TF_CONFIG"] = json.dumps({"cluster": cluster, "task": task})
        one = estimator.Estimator(model_of(estimator), "/tmp/never")
        found.append(
            kind(
                estimator.train_and_evaluate,
                one,
                estimator.TrainSpec(input_fn, 1),
                estimator.EvalSpec(once),
            )
        )
        found.append(kind(one.train, input_fn, steps=0))
    del os.environ["TF_CONFIG"]
    if before is not None:
        os.environ["TF_CONFIG"] = before
    return found
