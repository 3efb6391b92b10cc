"""Tests of the place of a task in its cluster, with the values of TensorFlow 2.15."""

import pytest
import tensorflow as tf

from legacy.estimator import RunConfig
from tests.legacy.estimator.clusters import CLUSTER, MASTER, place


# Values of the properties in TensorFlow 2.15.
@pytest.mark.parametrize(
    ("cluster", "task_type", "index", "expected"),
    [
        (CLUSTER, "chief", 0, ("chief", 0, True, "grpc://h0:1", 2, 3, 0)),
        (CLUSTER, "worker", 1, ("worker", 1, False, "grpc://h2:1", 2, 3, 2)),
        (CLUSTER, "worker", "1", ("worker", 1, False, "grpc://h2:1", 2, 3, 2)),
        (CLUSTER, "ps", 1, ("ps", 1, False, "grpc://h4:1", 2, 3, 4)),
        (CLUSTER, "evaluator", 0, ("evaluator", 0, False, "", 0, 0, None)),
        (MASTER, "master", 0, ("master", 0, True, "grpc://h0:1", 2, 3, 0)),
        ({"chief": ["h:1"]}, "chief", 0, ("chief", 0, True, "", 0, 1, 0)),
        ({**CLUSTER, "other": ["h5:1"]}, "worker", 1, ("worker", 1, False, "grpc://h2:1", 2, 3, 3)),
        (None, "worker", 0, ("worker", 0, True, "", 0, 1, 0)),
        (None, None, None, ("worker", 0, True, "", 0, 1, 0)),
    ],
)
def test_place_in_the_cluster(environ, cluster, task_type, index, expected):
    environ(cluster, task_type, index)
    assert place(RunConfig()) == expected


@pytest.mark.parametrize(
    ("cluster", "task_type", "index", "message"),
    [
        (CLUSTER, "master", 0, "master is not a valid task_type"),
        (CLUSTER, "worker", 2, "2 is not a valid task_id for task_type worker"),
        (CLUSTER, "worker", -1, "Task index must be non-negative"),
        (CLUSTER, None, 0, "task type must be set"),
        (CLUSTER, "worker", None, "task index must be set"),
        ({"worker": ["h:1"]}, "worker", 0, 'must have one "chief" node'),
        ({"chief": ["h:1", "h:2"]}, "chief", 0, 'must have only one "chief" node'),
        ({"chief": ["h:1"], "master": ["h:2"]}, "chief", 0, "job `chief` is not supported"),
        (MASTER, "evaluator", 0, "task_type `evaluator` is not supported"),
        (None, "chief", 0, "task type must be WORKER"),
        (None, "worker", 1, "task index must be 0"),
    ],
)
def test_wrong_clusters(environ, cluster, task_type, index, message):
    environ(cluster, task_type, index)
    with pytest.raises(ValueError, match=message):
        RunConfig()


def test_a_strategy_needs_no_chief(environ):
    environ({"worker": ["h1:1", "h2:1"]}, "worker", 1)
    config = RunConfig(train_distribute=tf.distribute.get_strategy())
    assert place(config) == ("worker", 1, False, "grpc://h2:1", 0, 2, 1)
