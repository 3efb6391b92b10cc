"""Tests of data that each call of `fit` reads on."""

import itertools

import tensorflow as tf

from modern.training.data import resumable
from tests.modern import programs


def test_readers_share_one_iterator():
    batches = tf.data.Dataset.range(5)
    with resumable.resumable(batches, tf.distribute.get_strategy()) as data:
        parts = [[int(x) for x in itertools.islice(data, count)] for count in (2, 3)]
    assert parts == [[0, 1], [2, 3, 4]]
    assert data.element_spec == batches.element_spec


def test_a_worker_goes_on_in_the_next_call_and_other_data_do_not_disturb_it():
    found = programs.printed_by("tests.modern.training.data.resumed_on_workers")
    sums = [0 + 1 + 2, 100 + 101, 3 + 4]
    assert found == dict.fromkeys(("several devices", "own share", "distributed"), sums)
