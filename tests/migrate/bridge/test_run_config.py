"""Tests that a RunConfig for bridged models accepts every cluster that can train them."""

import json

import pytest

from legacy import estimator as tf_estimator
from migrate import bridge
from migrate.bridge import as_estimator
from tests.migrate.bridge import small

SYNCHRONOUS = {"worker": ["h:1", "h:2"]}


@pytest.mark.parametrize(
    ("cluster", "task_type", "index", "is_chief", "workers"),
    [
        (SYNCHRONOUS, "worker", 0, True, 2),
        (SYNCHRONOUS, "worker", 1, False, 2),
        (SYNCHRONOUS, "evaluator", 0, False, 0),
        ({"chief": ["h:0"], **SYNCHRONOUS}, "worker", 0, False, 3),
    ],
)
def test_its_place_with_synchronous_workers(
    monkeypatch, cluster, task_type, index, is_chief, workers
):
    task = {"type": task_type, "index": index}
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": task}))
    config = as_estimator.RunConfig("model").replace(save_checkpoints_steps=5)
    assert (config.task_type, config.task_id) == (task_type, index)
    assert (config.is_chief, config.num_worker_replicas) == (is_chief, workers)


def test_a_model_fn_gets_one_with_synchronous_workers(monkeypatch):
    def model_fn(features, labels, mode, config):
        return small.model_fn(features, labels, mode, {"of": config.task_id})

    task = {"type": "worker", "index": 1}
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": SYNCHRONOUS, "task": task}))
    model = bridge.KerasModelFn(model_fn)
    assert len(model.predict(small.input_fn().take(1), verbose=0)["outputs"]) == 16


def test_parameter_servers_need_a_chief(monkeypatch):
    cluster = {"cluster": {"ps": ["h:0"], **SYNCHRONOUS}, "task": {"type": "worker", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(cluster))
    for kind in (tf_estimator.RunConfig, as_estimator.RunConfig):
        with pytest.raises(ValueError, match="chief"):
            kind()
