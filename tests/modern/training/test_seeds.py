"""Tests of each trainer's random numbers. tests/cluster tests those of real clusters."""

import random
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from modern.training import seeds, strategies

SEED = 7
ALONE = tf.distribute.get_strategy()


@pytest.fixture
def trainer(monkeypatch):
    """Yields a function that sets this process's trainer number. Removes the seed at the end."""

    def set_trainer(number):
        monkeypatch.setattr(strategies, "first_replica", lambda strategy: number)
        tf.random.set_seed(SEED)

    yield set_trainer
    tf.random.set_seed(None)


def orders(strategy=ALONE):
    """Returns a trainer's unseeded random numbers, and the order of a seeded shuffle."""
    with seeds.of_this_trainer(strategy):
        data = tf.data.Dataset.range(100)
        nested = data.batch(50).flat_map(
            lambda part: tf.data.Dataset.from_tensor_slices(part).shuffle(50, seed=3)
        )
        found = {
            "seeded": data.shuffle(100, seed=3),
            "nested": nested,
            "shuffle": data.shuffle(100),
            "again": data.shuffle(100),
            "map": data.map(lambda number: tf.random.uniform([])),
        }
        step = tf.function(lambda: tf.nn.dropout(tf.ones([100]), 0.5))
        return {name: [*one.as_numpy_iterator()] for name, one in found.items()} | {
            "step": step().numpy().tolist()
        }


def test_the_first_trainer_has_the_seed_itself():
    assert seeds.of_trainer(SEED, 0) == SEED
    assert len({seeds.of_trainer(SEED, number) for number in range(100)}) == 100


def test_trainers_draw_other_numbers_from_one_seed(trainer):
    found = []
    for number in (0, 1, 2):
        trainer(number)
        found.append(orders())
    for name in ("shuffle", "again", "map", "step"):
        assert len({str(one[name]) for one in found}) == 3, name
    assert all(one["shuffle"] != one["again"] for one in found)


def test_what_has_a_seed_itself_has_one_order_in_all_trainers(trainer):
    found = []
    for number in (0, 1, 2):
        trainer(number)
        found.append(orders())
    assert found[0]["seeded"] == found[1]["seeded"] == found[2]["seeded"]
    assert found[0]["nested"] == found[1]["nested"] == found[2]["nested"]


def test_data_that_tensorflow_shares_out_have_one_order(trainer):
    def shared():
        with seeds.of_this_trainer(ALONE), seeds.of_all_trainers():
            assert [*tf.data.Dataset.range(9).shuffle(9, seed=3)]
            return [*tf.data.Dataset.range(100).shuffle(100).as_numpy_iterator()]

    found = []
    for number in (0, 1):
        trainer(number)
        found.append(shared())
    assert found[0] == found[1]


def test_nothing_changes_for_the_first_trainer_and_without_a_seed(trainer):
    trainer(0)
    expected = [*tf.data.Dataset.range(100).shuffle(100).as_numpy_iterator()]
    trainer(0)
    with seeds.of_this_trainer(ALONE):
        found = [*tf.data.Dataset.range(100).shuffle(100).as_numpy_iterator()]
    assert found == expected
    trainer(1)
    tf.random.set_seed(None)
    assert orders()["shuffle"] != orders()["shuffle"]


def test_the_seed_is_that_of_before_after_the_training(trainer):
    trainer(1)
    expected = tf.random.uniform([3]).numpy()
    trainer(1)
    first = orders()
    np.testing.assert_array_equal(tf.random.uniform([3]), expected)
    assert orders()["shuffle"] != first["shuffle"]  # A second training draws the next numbers.
    assert tf.data.Dataset.shuffle.__module__ != seeds.__name__


def test_entering_it_again_changes_nothing(trainer):
    trainer(1)
    with seeds.of_this_trainer(ALONE):
        first = tf.random.uniform([3])
    trainer(1)
    with seeds.of_this_trainer(ALONE), seeds.of_this_trainer(ALONE):
        again = tf.data.Dataset.range(100).shuffle(100, seed=3)
    trainer(0)
    expected = tf.data.Dataset.range(100).shuffle(100, seed=3)
    assert [*again.as_numpy_iterator()] == [*expected.as_numpy_iterator()]
    assert first.shape == [3]


def test_workers_of_parameter_servers_draw_seeds_themselves(trainer, monkeypatch):
    monkeypatch.setattr(seeds, "_serves_several", lambda strategy: True)
    trainer(0)
    one, other = orders(), orders()
    for name in ("shuffle", "map", "step"):
        assert one[name] != other[name], name
    assert one["seeded"] == other["seeded"]
    expected = tf.random.uniform([3]).numpy()
    tf.random.set_seed(SEED)
    np.testing.assert_array_equal(tf.random.uniform([3]), expected)


DETERMINISTIC = """
import tensorflow as tf
from modern.training import seeds
tf.config.experimental.enable_op_determinism()
tf.random.set_seed(7)
seeds._serves_several = lambda strategy: True
with seeds.of_this_trainer(tf.distribute.get_strategy()):
    tf.random.uniform([])  # Would be refused without a seed.
"""


def test_where_operations_need_a_seed_that_it_is_shared_is_said():
    done = subprocess.run(
        [sys.executable, "-c", DETERMINISTIC], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stderr.count("draw the same numbers on each of them") == 1


def test_python_and_numpy_have_the_trainer_s_seed(trainer):
    found = []
    for number in (0, 1):
        trainer(number)
        random.seed(SEED)
        np.random.seed(SEED)
        seeds.seed_python(ALONE, SEED)
        found.append((random.random(), np.random.rand()))
    random.seed(SEED)
    np.random.seed(SEED)
    assert found[0] == (random.random(), np.random.rand())
    assert found[0][0] != found[1][0]
    assert found[0][1] != found[1][1]
