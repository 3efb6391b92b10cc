"""Tests of the rows that each batch feeds."""

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


def two_rows():
    yield {"b": np.arange(2), "a": np.float32(1)}
    yield {"b": np.arange(3), "a": np.float32(2)}


def test_a_batch_of_a_generator_counts_values_and_goes_on_with_the_next_epoch():
    feed_fn = feeding.GeneratorFeedFn(["a", "b"], two_rows, 5, num_epochs=1, pad_value=7)
    feed = feed_fn()
    assert feed["a"].tolist() == [1, 2, 1]
    assert feed["b"].tolist() == [[0, 1, 7], [0, 1, 2], [0, 1, 7]]
    with pytest.raises(feeding.tf.errors.OutOfRangeError, match="Already emitted 1 epochs"):
        feed_fn()


def test_nested_sequences_are_filled_up():
    arrays = [np.ones([2, 1], bool), np.ones([2, 2], bool)]
    padded = feeding.pad_if_needed(arrays, False)
    assert padded.tolist() == [[[True, False], [True, False]], [[True, True], [True, True]]]
    assert feeding.pad_if_needed(arrays[:1]) == arrays[:1]
    array = np.zeros([2, 2], int)
    feeding.fill_array(array, [[5]], 8)
    assert array.tolist() == [[5, 8], [8, 8]]
    with pytest.raises(ValueError, match="Array shapes must match"):
        feeding.pad_if_needed([np.ones([2, 1]), np.ones([3, 1])])


def test_a_queue_of_padded_rows():
    tf = feeding.tf
    with tf.Graph().as_default():
        queue = feeding.enqueue_data(two_rows, 9, enqueue_size=4, pad_value=7)
        rows = queue.dequeue_many(2)
        assert [shape.as_list() for shape in queue.shapes] == [[], [None]]
        with tf.compat.v1.train.MonitoredSession() as session:
            assert session.run(rows)[1].tolist() == [[0, 1, 7], [0, 1, 2]]


def test_what_cannot_be_padded():
    with pytest.raises(NotImplementedError, match="only available with generator"):
        feeding.enqueue_data(np.arange(3), 10, pad_value=0)
    with pytest.raises(NotImplementedError, match="padding and shuffling"):
        feeding.enqueue_data(two_rows, 10, shuffle=True, pad_value=0)
    with pytest.raises(ValueError, match="Expected 2 placeholders; got 1"):
        feeding.GeneratorFeedFn(["a"], two_rows, 1)
    rows = iter([{"a": np.ones(1)}, {"c": np.ones(1)}])
    with pytest.raises(KeyError, match="key mismatch between dicts emitted by GenFun"):
        feeding.GeneratorFeedFn(["a"], lambda: rows, 1)()
