"""Tests of the number of batches that a training reads. two_replicas.py tests several replicas."""

import pytest
import tensorflow as tf

from modern.training.data import batch_limits
from tests.modern import generated

ALONE = tf.distribute.get_strategy()


def unknown(data):
    return data.filter(lambda *_: True)


@pytest.mark.parametrize(
    ("data", "steps", "expected"),
    [
        (tf.data.Dataset.range(5), None, (5, 5)),
        (tf.data.Dataset.range(5), 3, (3, 3)),
        (tf.data.Dataset.range(5), 9, (5, 5)),
        (tf.data.Dataset.range(5).repeat(), 9, (9, 9)),
        (unknown(tf.data.Dataset.range(5)), 3, (3, None)),
        (unknown(tf.data.Dataset.range(5)), None, (5, None)),
        (tf.data.Dataset.range(0), 3, (0, 0)),
    ],
)
def test_alone(data, steps, expected):
    found, known = batch_limits.limit_data(data, ALONE, steps)
    assert (len([*found]), known) == expected


def test_endless_data_without_steps_have_none():
    data, steps = batch_limits.limit_data(tf.data.Dataset.range(5).repeat(), ALONE, None)
    assert (int(data.cardinality()), steps) == (tf.data.INFINITE_CARDINALITY, None)


def test_workers_of_a_coordinator_go_through_their_data_once():
    data = tf.data.Dataset.range(5)
    assert batch_limits.coordinated_steps(data, 3, None) == 15
    assert batch_limits.coordinated_steps(data, 3, 7) == 7
    assert batch_limits.coordinated_steps(data.repeat(), 3, 7) == 7
    assert batch_limits.coordinated_steps(unknown(data), 3, 7) == 7
    assert batch_limits.coordinated_steps(unknown(data), 3, None) is None
    # Each of three workers has batches for two steps of two replicas.
    assert batch_limits.coordinated_steps(data, 3, None, replicas=2) == 6


@pytest.mark.parametrize(
    ("steps", "expected"),
    [(1, 1), (199, 199), (300, 150), (1000, 200), (1_000_000, 200), (211, 200)],
)
def test_an_epoch_divides_the_training_where_it_can(steps, expected):
    assert batch_limits.epoch(steps) == expected
    assert steps % expected == 0 or steps == 211


def test_what_was_changed_for_a_training_is_as_it_was():
    model = generated.compiled()
    before = {*vars(model)}
    with batch_limits.ended_with_data(model, unknown(generated.data())):
        assert "make_train_function" in vars(model)
    assert {*vars(model)} == before
