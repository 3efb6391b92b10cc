"""Estimator.train: files and times of saves, listeners, own scaffolds and savers."""

import os
import re

import tensorflow as tf

from tests.oracle import facts
from tests.oracle.programs.core_train import Listener, counting, input_fn, kind

APIS = ("v1", "v2")

tf1 = tf.compat.v1


def checkpoints(folder):
    state = tf.train.get_checkpoint_state(folder)
    if state is None:
        return None
    return [os.path.basename(path) for path in state.all_model_checkpoint_paths]


def run(estimator, folder):
    def new(name, model_fn=None, **settings):
        config = estimator.RunConfig(os.path.join(folder, name), **settings)
        return estimator.Estimator(model_fn or counting(estimator), config=config)

    return {
        "listeners": listeners(estimator, new),
        "saving": saving(estimator, new),
        "scaffold": scaffolds(estimator, new),
    }


def listeners(estimator, new):
    first, second, stopping = [], [], []
    new("listen", save_checkpoints_steps=10).train(
        input_fn, steps=26, saving_listeners=[Listener(first)]
    )
    own = new("own saver", save_checkpoints_steps=None)
    saver = tf1.train.CheckpointSaverHook(own.model_dir, save_steps=2)
    own.train(input_fn, steps=3, hooks=[saver], saving_listeners=[Listener(second)])
    stopped = new("stopping", save_checkpoints_steps=3)
    stopped.train(input_fn, steps=20, saving_listeners=[Listener(stopping, stop_at=6)])
    none = new("no saver", save_checkpoints_steps=None)
    return [
        first,
        second,
        stopping,
        int(stopped.get_variable_value("global_step")),
        kind(none.train, input_fn, steps=1, saving_listeners=[Listener([])]),
    ]


def saving(estimator, new):
    found = {}
    for name, settings in (
        ("default", {}),
        ("steps", {"save_checkpoints_steps": 2, "keep_checkpoint_max": 2}),
        ("none", {"save_checkpoints_steps": None}),
        ("zero", {"save_checkpoints_steps": 0}),
        ("all", {"save_checkpoints_steps": 2, "keep_checkpoint_max": None}),
        ("no graph", {"checkpoint_save_graph_def": False}),
    ):
        one = new("saving " + name, **settings)
        one.train(input_fn, steps=7)
        found[name] = [checkpoints(one.model_dir), facts.files(one.model_dir)]
    with open(os.path.join(one.model_dir, "checkpoint")) as file:
        found["relative"] = re.sub(r"\d+\.\d+", "TIME", file.read())
    return found


def scaffolds(estimator, new):
    notes = []

    def variable_model(made_scaffold):
        def model_fn(features, labels, mode):
            weight = tf1.get_variable("weight", initializer=3.0)
            return estimator.EstimatorSpec(
                mode,
                loss=tf.identity(weight),
                train_op=tf1.assign_add(tf1.train.get_global_step(), 1),
                scaffold=made_scaffold(weight),
            )

        return model_fn

    def init_fn(scaffold, session):
        notes.append(type(scaffold).__name__)

    new("init_fn", variable_model(lambda w: tf1.train.Scaffold(init_fn=init_fn))).train(
        input_fn, steps=1
    )

    def local(weight):
        own = tf1.get_variable("own", initializer=5.0, collections=["mine"])
        return tf1.train.Scaffold(
            local_init_op=tf.group(own.initializer, tf1.train.Scaffold.default_local_init_op())
        )

    one = new("local", variable_model(local))
    one.train(input_fn, steps=1)
    saver_model = variable_model(
        lambda w: tf1.train.Scaffold(
            saver=tf1.train.Saver([w, tf1.train.get_global_step()], max_to_keep=1)
        )
    )
    own = new("saver", saver_model, save_checkpoints_steps=2)
    own.train(input_fn, steps=5)

    def with_collection(features, labels, mode):
        tf1.add_to_collection(
            tf1.GraphKeys.SAVERS, tf1.train.Saver([tf1.train.get_global_step()], max_to_keep=1)
        )
        return counting(estimator)(features, labels, mode)

    collected = new("collection", with_collection, save_checkpoints_steps=2)
    collected.train(input_fn, steps=5)
    return [
        notes,
        one.get_variable_names(),
        checkpoints(own.model_dir),
        own.get_variable_names(),
        checkpoints(collected.model_dir),
    ]
