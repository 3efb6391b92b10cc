"""Tests of the strategy of each task. tests/cluster/test_ported_training.py runs clusters."""

import json
import re

import pytest
import tensorflow as tf

from modern import porting
from modern.cluster import tf_config
from modern.cluster.tf_config import TFConfigError
from modern.porting.training import cluster_strategy


def task(monkeypatch, task_type, cluster):
    cluster = {name: [f"{name}{i}:1" for i in range(count)] for name, count in cluster.items()}
    text = json.dumps({"cluster": cluster, "task": {"type": task_type, "index": 0}})
    monkeypatch.setenv("TF_CONFIG", text)


def refusal(model_dir, capsys):
    """Returns the line with which a program ends that asks for a strategy."""
    with pytest.raises(SystemExit) as raised:
        porting.strategy(model_dir)
    assert raised.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


@pytest.mark.parametrize(
    ("task_type", "cluster", "is_single"),
    [
        (None, {}, True),
        ("chief", {"chief": 1}, True),
        ("worker", {"worker": 1}, True),
        ("evaluator", {"chief": 1}, False),
        ("evaluator", {"worker": 2}, False),
        ("evaluator", {"chief": 1, "worker": 1, "ps": 1}, False),
    ],
)
def test_who_takes_no_part_in_a_cluster(task_type, cluster, is_single, monkeypatch):
    if task_type:
        task(monkeypatch, task_type, cluster)
    single = tf.distribute.OneDeviceStrategy("CPU:0")
    default = tf.distribute.get_strategy()
    assert porting.strategy("folder") is default
    assert porting.strategy("folder", single) is (single if is_single else default)
    made = []
    assert porting.strategy("folder", lambda: made.append(1)) is default
    assert made == [1] * is_single  # A process that joins a cluster must not create a strategy.


@pytest.mark.parametrize(
    ("cluster", "words"),
    [
        ({"worker": 2, "ps": 1}, r'names no chief .*this program needs a chief.*remove "ps"'),
        ({"worker": 0, "chief": 1, "ps": 1}, "names no worker"),
        ({"ps": 2}, "names no chief"),
    ],
)
def test_what_cannot_be_is_refused_without_words_of_flags(cluster, words, monkeypatch, capsys):
    task(monkeypatch, max(cluster, key=cluster.get), cluster)
    line = refusal("folder", capsys)
    assert re.search(words, line)
    assert "--strategy" not in line


def test_a_wrong_tf_config_is_one_line(monkeypatch, capsys):
    monkeypatch.setenv("TF_CONFIG", "{")
    assert "TF_CONFIG is not JSON" in refusal("folder", capsys)


@pytest.mark.parametrize("cluster", [{}, {"chief": 1}, {"chief": 1, "worker": 2, "ps": 1}])
@pytest.mark.parametrize("task_type", ["chief", "evaluator"])
def test_a_folder_without_a_file_system_is_one_line(task_type, cluster, monkeypatch, capsys):
    if cluster:
        task(monkeypatch, task_type, cluster)
    line = refusal("foo://bucket/m", capsys)
    assert "foo://bucket/m cannot be read or written: this TensorFlow has no file system" in line


def test_a_cluster_needs_a_folder_that_all_tasks_see(monkeypatch):
    task(monkeypatch, "worker", {"worker": 2})
    with pytest.raises(
        TFConfigError, match="has no model_dir: give it a folder that all tasks share"
    ):
        porting.strategy(None)
    monkeypatch.delenv("TF_CONFIG")
    assert porting.strategy(None) is tf.distribute.get_strategy()


def test_ways():
    def way(**cluster):
        named = {name: tuple(f"{name}{i}:1" for i in range(n)) for name, n in cluster.items()}
        return cluster_strategy.way_of(tf_config.TFConfig(named, next(iter(cluster)), 0))

    assert way(chief=1, worker=1, ps=1) == "parameter_server"
    assert way(chief=1, worker=1) == way(worker=2) == "multi_worker_mirrored"
    assert way(chief=1, evaluator=1) == cluster_strategy.way_of(None) == "single"


def test_a_model_of_no_cluster_is_refused_in_one(monkeypatch):
    task(monkeypatch, "worker", {"worker": 2})
    with pytest.raises(TFConfigError, match="needs MultiWorkerMirroredStrategy, but the model"):
        cluster_strategy.check(tf.distribute.get_strategy(), tf_config.load())
    monkeypatch.delenv("TF_CONFIG")
    cluster_strategy.check(tf.distribute.get_strategy(), None)


@pytest.mark.keras(3)
def test_keras_3_refuses_a_cluster(monkeypatch, capsys):
    task(monkeypatch, "chief", {"chief": 1, "worker": 1})
    assert "Keras 3 does not train in clusters" in refusal("folder", capsys)
