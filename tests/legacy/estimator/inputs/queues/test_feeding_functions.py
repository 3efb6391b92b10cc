"""Which rows are fed, batch by batch."""

import collections
import random

import numpy as np
import pytest

from legacy.estimator.inputs.queues import feeding_functions as feeding


def rows(feed_fn, calls):
    return [feed_fn()["row"].tolist() for _ in range(calls)]


def array_feed(size, *args, **kwargs):
    return feeding.ArrayFeedFn(["row", "value"], np.arange(size) * 10, *args, **kwargs)


def test_rows_go_round_for_ever():
    assert rows(array_feed(5, 2), 4) == [[0, 1], [2, 3], [4, 0], [1, 2]]


def test_the_last_epoch_ends_with_a_smaller_batch():
    feed_fn = array_feed(3, 2, num_epochs=3)
    assert rows(feed_fn, 5) == [[0, 1], [2, 0], [1, 2], [0, 1], [2]]
    with pytest.raises(feeding.tf.errors.OutOfRangeError, match="Already emitted 3 epochs"):
        feed_fn()


def test_a_batch_larger_than_all_epochs():
    assert rows(array_feed(2, 100, num_epochs=2), 1) == [[0, 1, 0, 1]]


def test_no_epochs():
    with pytest.raises(feeding.tf.errors.OutOfRangeError):
        array_feed(2, 1, num_epochs=0)()


def test_a_random_start_is_anywhere_and_each_epoch_is_whole():
    starts = set()
    for seed in range(30):
        feed_fn = array_feed(4, 3, random_start=True, seed=seed, num_epochs=2)
        first, second, third = rows(feed_fn, 3)
        starts.add(first[0])
        assert sorted(first + second + third) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert starts == {0, 1, 2, 3}


def test_python_random_numbers_are_left_alone():
    random.seed(5)
    expected = random.random()
    random.seed(5)
    array_feed(4, 1, random_start=True)
    assert random.random() == expected


def test_columns_belong_to_their_row():
    columns = collections.OrderedDict(a=np.arange(3), b=np.arange(6).reshape(3, 2))
    feed = feeding.OrderedDictNumpyFeedFn(["row", "a", "b"], columns, 2)()
    assert feed["a"].tolist() == [0, 1]
    assert feed["b"].tolist() == [[0, 1], [2, 3]]


def test_what_is_refused():
    with pytest.raises(ValueError, match="Expected 2 placeholders; got 1"):
        feeding.ArrayFeedFn(["row"], np.arange(3), 1)
    with pytest.raises(ValueError, match="no rows"):
        array_feed(0, 1)
    columns = collections.OrderedDict(a=np.arange(3), b=np.arange(2))
    with pytest.raises(ValueError, match="lengths must match"):
        feeding.OrderedDictNumpyFeedFn(["row", "a", "b"], columns, 1)
    with pytest.raises(TypeError, match="got list"):
        feeding.enqueue_data([1, 2], 10)
