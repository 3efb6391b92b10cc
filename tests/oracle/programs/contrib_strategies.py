"""contrib.distribute in one process, and contrib.estimator.replicate_model_fn."""

import json
import os

import numpy as np

from tests.oracle import facts

APIS = ("contrib",)

CPUS = ["/device:CPU:0", "/device:CPU:1"]


def make_model_fn(tf, wrap=None):
    def model_fn(features, labels, mode):
        kernel = tf.get_variable("kernel", [2, 1], initializer=tf.ones_initializer())
        bias = tf.get_variable("bias", [1], initializer=tf.zeros_initializer())
        predictions = tf.matmul(features, kernel) + bias
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions={"y": predictions})
        loss = tf.losses.mean_squared_error(labels, predictions)
        optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
        if wrap:
            optimizer = wrap(optimizer)
        return tf.estimator.EstimatorSpec(
            mode,
            loss=loss,
            train_op=optimizer.minimize(loss, tf.train.get_global_step()),
            eval_metric_ops={"error": tf.metrics.mean_absolute_error(labels, predictions)},
        )

    return model_fn


def make_input_fn(tf):
    def input_fn():
        x = np.linspace(-1, 1, 16).reshape(8, 2).astype("float32")
        pairs = (x, 2 * x.sum(1, keepdims=True))
        return tf.data.Dataset.from_tensor_slices(pairs).repeat().batch(4)

    return input_fn


def trained(tf, folder, **more):
    config = tf.estimator.RunConfig(model_dir=folder, **more)
    estimator = tf.estimator.Estimator(make_model_fn(tf), config=config)
    estimator.train(make_input_fn(tf), max_steps=5)
    return {
        "values": facts.values(folder),
        "metrics": facts.plain(estimator.evaluate(make_input_fn(tf), steps=2)),
    }


def strategies(tf, folder):
    d = tf.contrib.distribute
    made = {
        "mirrored": d.MirroredStrategy(devices=["/cpu:0"]),
        "one device": d.OneDeviceStrategy("/cpu:0"),
        "collective": d.CollectiveAllReduceStrategy(num_gpus_per_worker=0),
        "parameter server": d.ParameterServerStrategy(num_gpus_per_worker=0),
    }
    found = {}
    for name in sorted(made):
        path = os.path.join(folder, name)
        found[name] = trained(tf, path, train_distribute=made[name])
        found[name + " replicas"] = made[name].num_replicas_in_sync
    both = d.DistributeConfig(train_distribute=made["mirrored"], eval_distribute=made["mirrored"])
    found["config"] = trained(tf, os.path.join(folder, "both"), experimental_distribute=both)
    found["fields"] = [list(both._fields), list(d.DistributeConfig())]
    found["outside"] = [d.has_distribution_strategy(), d.in_cross_replica_context()]
    with made["mirrored"].scope():
        found["inside"] = [d.has_strategy(), d.get_strategy() is made["mirrored"]]
    return found


def strategy_errors(tf):
    d = tf.contrib.distribute
    calls = {
        "both counts": {"num_gpus": 1, "num_gpus_per_worker": 1},
        "count and devices": {"num_gpus": 1, "devices": ["/cpu:0"]},
        "operations": {"cross_device_ops": 1, "cross_tower_ops": 1},
    }
    found = {}
    for name in sorted(calls):
        error = facts.error(d.MirroredStrategy, **calls[name])
        found[name] = error and error[0]
    held = os.environ.pop("TF_CONFIG", None)
    for name, config in (
        ("nothing", {}),
        ("no task", {"cluster": {"worker": ["localhost:1"]}}),
        ("no type", {"cluster": {"worker": ["localhost:1"]}, "task": {"index": 0}}),
        ("no worker", {"cluster": {"ps": ["localhost:1"]}, "task": {"type": "ps", "index": 0}}),
    ):
        os.environ["TF_CONFIG"] = json.dumps(config)
        found[name] = facts.error(d.run_standard_tensorflow_server)[0]
    os.environ.pop("TF_CONFIG")
    if held:
        os.environ["TF_CONFIG"] = held
    return found


def towers(tf, folder):
    e = tf.contrib.estimator
    found = {}
    for name, devices, reduction in (
        ("one", CPUS[:1], "weighted_sum_by_nonzero_weights"),
        ("two", CPUS, "weighted_sum_by_nonzero_weights"),
        ("sum", CPUS, "weighted_sum"),
    ):
        model_fn = e.replicate_model_fn(make_model_fn(tf, e.TowerOptimizer), reduction, devices)
        path = os.path.join(folder, name)
        estimator = tf.estimator.Estimator(model_fn, path)
        estimator.train(make_input_fn(tf), max_steps=5)
        found[name] = {
            "variables": facts.variables(path),
            "values": facts.values(path),
            "predicted": facts.plain(next(estimator.predict(make_input_fn(tf)))),
        }
    unwrapped = tf.estimator.Estimator(
        e.replicate_model_fn(make_model_fn(tf), devices=CPUS), folder
    )
    found["errors"] = [
        facts.error(unwrapped.train, make_input_fn(tf), max_steps=1)[0],
        facts.error(e.replicate_model_fn, make_model_fn(tf), "none")[0],
    ]
    return found


def run(tf, folder):
    return {
        "strategies": strategies(tf, os.path.join(folder, "a")),
        "strategy errors": strategy_errors(tf),
        "towers": towers(tf, os.path.join(folder, "b")),
    }
