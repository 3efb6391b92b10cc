"""Test of the training session that a program replaces."""

import json

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.estimator.loops import grouped_saver
from tests.legacy.estimator.models import dataset, model_fn

tf1 = tf.compat.v1


def test_a_session_of_the_programs_own_is_not_waited_for(tmp_path, monkeypatch):
    """Each task of a cluster creates its session at once, in its role. No other task is running."""
    calls = []

    def own_session(**kwargs):
        calls.append(kwargs)
        raise StopIteration

    monkeypatch.setattr(tf1.train, "MonitoredTrainingSession", own_session)
    cluster = {"master": ["host:1"], "ps": ["host:2"], "worker": ["host:3"]}
    for task in ("master", "worker"):
        config = {"cluster": cluster, "task": {"type": task, "index": 0}}
        monkeypatch.setenv("TF_CONFIG", json.dumps(config))
        with pytest.raises(StopIteration):
            estimator.Estimator(model_fn, tmp_path).train(dataset, steps=1)
    assert [call["is_chief"] for call in calls] == [True, False]
    assert [call["master"] for call in calls] == ["grpc://host:1", "grpc://host:3"]
    summaries = [
        any(isinstance(hook, tf1.train.SummarySaverHook) for hook in call["hooks"])
        for call in calls
    ]
    assert summaries == [False, True]


@pytest.mark.parametrize("ps", [["host:2"], []])
def test_variables_on_parameter_servers_are_saved_in_groups(tmp_path, monkeypatch, ps):
    savers = []

    def own_session(**kwargs):
        savers.extend(tf1.get_collection(tf1.GraphKeys.SAVERS))
        raise StopIteration

    monkeypatch.setattr(tf1.train, "MonitoredTrainingSession", own_session)
    cluster = {"chief": ["host:1"], **({"ps": ps, "worker": ["host:3"]} if ps else {})}
    config = {"cluster": cluster, "task": {"type": "chief", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    with pytest.raises(StopIteration):
        estimator.Estimator(model_fn, tmp_path).train(dataset, steps=1)
    (saver,) = savers
    assert isinstance(saver, grouped_saver.GroupedSaver) == bool(ps)
