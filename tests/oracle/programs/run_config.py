"""RunConfig: its place in every kind of cluster, its defaults, its errors, replace."""

import contextlib
import functools
import json
import os

import numpy as np
import tensorflow as tf

APIS = ("v1", "v2")

tf1 = tf.compat.v1

CHIEF = {"chief": ["h0:0"], "ps": ["h1:1", "h2:2"], "worker": ["h3:3", "h4:4", "h5:5"]}
MASTER = {"master": ["h0:0"], "ps": ["h1:1", "h2:2"], "worker": ["h3:3", "h4:4"]}
OTHER = {"chief": ["h0:0"], "ps": ["h1:1"], "other": ["h3:3", "h4:4"], "worker": ["h5:5"]}
PROPERTIES = (
    "cluster_spec",
    "evaluation_master",
    "experimental_max_worker_delay_secs",
    "global_id_in_cluster",
    "is_chief",
    "keep_checkpoint_every_n_hours",
    "keep_checkpoint_max",
    "log_step_count_steps",
    "master",
    "model_dir",
    "num_ps_replicas",
    "num_worker_replicas",
    "protocol",
    "save_checkpoints_secs",
    "save_checkpoints_steps",
    "save_summary_steps",
    "service",
    "session_creation_timeout_secs",
    "task_id",
    "task_type",
    "tf_random_seed",
    "train_distribute",
    "eval_distribute",
    "device_fn",
    "checkpoint_save_graph_def",
)


@contextlib.contextmanager
def tf_config(value):
    before = os.environ.pop("TF_CONFIG", None)
    if value is not None:
        os.environ["TF_CONFIG"] = value if isinstance(value, str) else json.dumps(value)
    try:
        yield
    finally:
        os.environ.pop("TF_CONFIG", None)
        if before is not None:
            os.environ["TF_CONFIG"] = before


def task(cluster, kind=None, index=None, **more):
    named = {"type": kind, "index": index}
    found = {"task": {key: value for key, value in named.items() if value is not None}}
    if cluster is not None:
        found["cluster"] = cluster
    found.update(more)
    return found


def described(call, *args, **kwargs):
    try:
        config = call(*args, **kwargs)
    except Exception as raised:
        kind = "ValueError" if isinstance(raised, ValueError) else type(raised).__name__
        return {"raised": kind, "text~": str(raised)[:300]}
    found = {}
    for name in PROPERTIES:
        value = getattr(config, name)
        if isinstance(value, tf.train.ClusterSpec):
            value = value.as_dict()
        if name in ("train_distribute", "eval_distribute", "device_fn") and value is not None:
            value = type(value).__name__
        found[name] = value
    session_config = config.session_config
    found["session_config"] = None if session_config is None else str(session_config)
    found["vars"] = sorted(vars(config))
    return found


class Distribute(object):
    def __init__(self, train_distribute=None, eval_distribute=None, remote_cluster=None):
        self.train_distribute = train_distribute
        self.eval_distribute = eval_distribute
        self.remote_cluster = remote_cluster


def run(estimator, folder):
    def new(environment, **settings):
        with tf_config(environment):
            return described(estimator.RunConfig, **settings)

    found = {"default": new(None), "empty": new("{}")}
    for name, cluster in (("chief", CHIEF), ("master", MASTER), ("other", OTHER)):
        for kind in ("chief", "master", "worker", "ps", "evaluator", "other"):
            for index in (0, 1, "1", 2, 9, -1):
                key = "{} {} {}".format(name, kind, index)
                found[key] = new(task(cluster, kind, index))
        found[name + " session_master"] = new(task(cluster, name, 0, session_master="grpc://m"))
        found[name + " eval_session_master"] = [
            new(task(cluster, kind, 0, eval_session_master="grpc://e"))
            for kind in (name, "worker", "evaluator")
        ]
        found[name + " no task"] = new({"cluster": cluster})
        found[name + " no index"] = new(task(cluster, "worker"))
        found[name + " no type"] = new(task(cluster, None, 0))
    found["alone"] = [
        new(task({kind: ["h:1"]}, kind, 0, **more))
        for kind in ("chief", "master", "worker", "ps")
        for more in ({}, {"session_master": "grpc://m"})
    ]
    found["local"] = [
        new(task(None, kind, index, **more))
        for kind in (None, "worker", "chief", "master", "ps", "evaluator")
        for index in (None, 0, 1)
        for more in ({}, {"session_master": "m", "eval_session_master": "e"})
    ]
    found["chiefs"] = [
        new(task({"chief": ["a:1", "b:1"]}, "chief", 0)),
        new(task({"master": ["a:1", "b:1"]}, "master", 0)),
        new(task({"master": ["a:1"], "chief": ["b:1"]}, "master", 0)),
    ]
    found["service"] = [new({"service": value}) for value in ({"a": 1}, {}, None, 5, "x", [1])]
    found["environment"] = new(task(CHIEF, "worker", 0, environment="cloud"))
    found["model_dir"] = [
        new({"model_dir": there} if there is not None else None, model_dir=given)
        for there in (None, "", "/tmp/a")
        for given in (None, "", "/tmp/a", "/tmp/b")
    ]
    found["malformed"] = [
        new("no json"),
        new({"cluster": 5}),
        new({"cluster": None}),
        new({"cluster": ["h:1"]}),
        new(task({"chief": 5}, "chief", 0)),
        new(task({"chief": "h:1"}, "chief", 0)),
        new(task({"chief": [5]}, "chief", 0)),
        new(task({"chief": []}, "chief", 0)),
        new(task({"chief": {"0": "h:1"}}, "chief", 0)),
        new(task({"chief": {"3": "h:1"}}, "chief", 3)),
        new(task({"chief": ["h:1"]}, "chief", "a")),
        new(task({"chief": ["h:1"]}, 5, 0)),
    ]
    found["settings"] = {
        "{}={}".format(name, value): new(None, **{name: value})
        for name, values in (
            ("tf_random_seed", (1, None, 1.0, "a", True, np.int64(3))),
            ("save_summary_steps", (0, -1, None, 5)),
            ("save_checkpoints_steps", (0, -1, None, 5)),
            ("save_checkpoints_secs", (0, -1, None, 5)),
            ("keep_checkpoint_max", (0, -1, None, 5)),
            ("keep_checkpoint_every_n_hours", (0, -1, None, 0.5)),
            ("log_step_count_steps", (0, -1, None, 5)),
            ("session_creation_timeout_secs", (0, -1, None, 5)),
            ("experimental_max_worker_delay_secs", (0, -1, None, 5, "5", 5.0)),
            ("protocol", (None, "grpc", "grpc+verbs", "http")),
            ("session_config", ({}, "a")),
            ("checkpoint_save_graph_def", (False, None)),
            ("nonsense", (1,)),
        )
        for value in values
    }
    found["session_config"] = new(
        task(CHIEF, "chief", 0), session_config=tf1.ConfigProto(log_device_placement=True)
    )
    found["device_fn"] = [
        new(None, device_fn=fn)
        for fn in (
            lambda op: "/cpu:0",
            lambda x: "/cpu:0",
            lambda op, x: "/cpu:0",
            functools.partial(lambda op, x: "/cpu:0", x=1),
            5,
        )
    ]
    found["both"] = [
        new(None, save_checkpoints_steps=steps, save_checkpoints_secs=secs)
        for steps in (None, 0, 5)
        for secs in (None, 0, 5)
    ]
    found["replace"] = replaced(estimator)
    found["distribute"] = distributed(estimator, new)
    return found


def replaced(estimator):
    with tf_config(None):
        config = estimator.RunConfig(save_checkpoints_steps=7, tf_random_seed=3)
        found = {
            str(sorted(changes.items())): described(config.replace, **changes)
            for changes in (
                {},
                {"save_checkpoints_steps": 5},
                {"save_checkpoints_secs": 5},
                {"save_checkpoints_secs": None},
                {"save_checkpoints_steps": None},
                {"save_checkpoints_steps": None, "save_checkpoints_secs": None},
                {"save_checkpoints_steps": 5, "save_checkpoints_secs": None},
                {"save_checkpoints_steps": None, "save_checkpoints_secs": 5},
                {"save_checkpoints_steps": 5, "save_checkpoints_secs": 5},
                {"model_dir": "/tmp/x"},
                {"model_dir": ""},
                {"model_dir": None},
                {"master": "x"},
                {"task_type": "x"},
                {"is_chief": False},
                {"nonsense": 1},
                {"tf_random_seed": 1.0},
                {"tf_random_seed": None},
                {"keep_checkpoint_max": -1},
                {"log_step_count_steps": 0},
                {"protocol": "http"},
                {"session_creation_timeout_secs": 18},
            )
        }
        config.i_am_mine = [1]
        copy = config.replace(tf_random_seed=4)
        found["own attribute"] = [copy.i_am_mine, copy.i_am_mine is config.i_am_mine]
        found["unchanged"] = [config.tf_random_seed, copy.tf_random_seed]

        class Sub(estimator.RunConfig):
            @property
            def model_dir(self):
                return "/tmp/sub"

        found["subclass"] = [type(Sub().replace(tf_random_seed=1)).__name__, Sub().model_dir]
    return found


def distributed(estimator, new):
    one = tf1.distribute.OneDeviceStrategy("/cpu:0")
    workers = {"worker": ["h1:1", "h2:2"]}
    brief = ("train_distribute", "eval_distribute", "raised", "text~", "vars", "session_config")

    def facts_of(environment, **settings):
        full = new(environment, **settings)
        return {key: full[key] for key in brief if key in full}

    return {
        "train": facts_of(None, train_distribute=one),
        "eval": facts_of(None, eval_distribute=one),
        "config": facts_of(None, experimental_distribute=Distribute(one, one)),
        "config empty": facts_of(None, experimental_distribute=Distribute()),
        "train twice": facts_of(
            None, train_distribute=one, experimental_distribute=Distribute(one)
        ),
        "eval twice": facts_of(
            None, eval_distribute=one, experimental_distribute=Distribute(None, one)
        ),
        "eval in cluster without chief": facts_of(task(workers, "worker", 0), eval_distribute=one),
        "eval in cluster": new(task(CHIEF, "worker", 0), eval_distribute=one),
        "train in cluster": facts_of(task(workers, "worker", 0), train_distribute=one),
        "train in cluster without task": new({"cluster": workers}, train_distribute=one),
        "train with master": new(task(MASTER, "worker", 0), train_distribute=one),
        "remote": new(
            None, experimental_distribute=Distribute(one, None, {"worker": ["h1:1", "h2:2"]})
        )["task_type"],
        "remote and cluster": facts_of(
            task(CHIEF, "worker", 0), experimental_distribute=Distribute(one, None, workers)
        ),
        "remote, no strategy": facts_of(
            None, experimental_distribute=Distribute(None, None, workers)
        ),
    }
