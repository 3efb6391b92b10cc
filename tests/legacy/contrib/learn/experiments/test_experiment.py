"""Tests of Experiment and learn_runner in a cluster. The oracle compares local runs."""

import json

import pytest
import tensorflow as tf

from legacy import estimator as core
from legacy.contrib import learn

CLUSTER = {"master": ["h0:1"], "worker": ["h1:1", "h2:1"], "ps": ["h3:1"]}


def model_fn(features, labels, mode):
    weight = tf.compat.v1.get_variable("weight", [])
    loss = tf.square(weight - labels)
    step = tf.compat.v1.train.get_global_step()
    return weight, loss, tf.compat.v1.assign_add(step, 1)


def input_fn():
    return tf.constant(1.0), tf.constant(1.0)


@pytest.fixture
def in_task(monkeypatch):
    def set_it(task_type, environment="cloud"):
        content = {"cluster": CLUSTER, "task": {"type": task_type, "index": 0}}
        monkeypatch.setenv("TF_CONFIG", json.dumps({**content, "environment": environment}))

    monkeypatch.delenv("TF_CONFIG", raising=False)
    return set_it


class Recorder(learn.Experiment):
    """Experiment whose methods only return their names."""

    def train(self, delay_secs=None):
        return "train"

    def train_and_evaluate(self):
        return "train_and_evaluate"

    def run_std_server(self):
        return "run_std_server"


@pytest.mark.parametrize(
    ("task_type", "way"),
    [("master", "train_and_evaluate"), ("worker", "train"), ("ps", "run_std_server")],
)
def test_the_task_decides_on_the_way(in_task, tmp_path, task_type, way):
    in_task(task_type)

    def experiment_fn(run_config, hparams):
        return Recorder(learn.Estimator(model_fn, config=run_config), input_fn, input_fn)

    config = learn.RunConfig(model_dir=str(tmp_path))
    assert learn.learn_runner.run(experiment_fn, run_config=config) == way


def test_a_task_without_a_way(in_task, tmp_path):
    in_task("master")
    config = learn.RunConfig(model_dir=str(tmp_path))
    config._task_type = "other"

    def experiment_fn(run_config, hparams):
        return Recorder(learn.Estimator(model_fn, config=run_config), input_fn, input_fn)

    with pytest.raises(ValueError, match="No default schedule for task type: other"):
        learn.learn_runner.run(experiment_fn, run_config=config)


def test_a_server_needs_a_task(tmp_path):
    experiment = learn.Experiment(learn.Estimator(model_fn, str(tmp_path)), input_fn, input_fn)
    with pytest.raises(ValueError, match="set the TF_CONFIG environment variable"):
        experiment.run_std_server()


def test_an_estimator_of_tf_estimator(tmp_path):
    def core_model_fn(features, labels, mode):
        weight = tf.compat.v1.get_variable("weight", [])
        step = tf.compat.v1.train.get_global_step()
        op = tf.compat.v1.assign_add(step, 1)
        return core.EstimatorSpec(mode, loss=tf.square(weight - labels), train_op=op)

    config = learn.RunConfig(model_dir=str(tmp_path), save_checkpoints_steps=1)
    estimator = core.Estimator(core_model_fn, config=config)
    experiment = learn.Experiment(
        estimator, input_fn, input_fn, train_steps=2, eval_steps=1, check_interval_secs=None
    )
    metrics, exports = experiment.train_and_evaluate()
    assert (metrics["global_step"], exports) == (2, [])
    assert estimator.config.uid() == config.uid()
    with pytest.raises(ValueError, match="`eval_metrics` must be `None`"):
        learn.Experiment(estimator, input_fn, input_fn, eval_metrics={})
    with pytest.raises(ValueError, match=r"must implement `tf\.contrib\.learn\.Evaluable`"):
        learn.Experiment(object(), input_fn, input_fn)
