"""Tests of dataset transformations that tf.data does not have."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import data


def elements(dataset):
    return [each.tolist() for each in dataset.as_numpy_iterator()]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [[0, 1, 2], [1, 2, 3], [2, 3, 4]]),
        ({"stride": 2}, [[0, 1, 2], [2, 3, 4]]),
        ({"window_shift": 2}, [[0, 1, 2], [2, 3, 4]]),
        ({"window_stride": 2}, [[0, 2, 4]]),
    ],
)
def test_windows_overlap(arguments, expected):
    dataset = tf.data.Dataset.range(5).apply(data.sliding_window_batch(3, **arguments))
    assert elements(dataset) == expected
    if arguments:
        with pytest.raises(ValueError, match="Cannot specify both"):
            data.sliding_window_batch(3, stride=1, window_shift=1)


def test_the_remainder_is_dropped():
    dataset = tf.data.Dataset.range(5)
    assert elements(dataset.apply(data.batch_and_drop_remainder(2))) == [[0, 1], [2, 3]]
    rows = dataset.map(lambda size: tf.fill([size], size))
    padded = rows.apply(data.padded_batch_and_drop_remainder(3, [None]))
    assert elements(padded) == [[[0, 0], [1, 0], [2, 2]]]


def test_shapes_are_checked_and_set():
    rows = tf.data.Dataset.from_generator(lambda: iter([[1, 2]]), tf.int32)
    checked = rows.apply(data.assert_element_shape(tf.TensorShape([2])))
    assert checked.element_spec.shape == [2]
    assert elements(checked) == [[1, 2]]
    wrong = rows.apply(data.assert_element_shape(tf.TensorShape([3])))
    with pytest.raises(tf.errors.InvalidArgumentError):
        elements(wrong)


def test_a_dataset_is_reduced_to_one_value():
    total = data.Reducer(
        lambda _: np.int64(0), lambda state, value: state + value, lambda state: -state
    )
    assert data.reduce_dataset(tf.data.Dataset.range(5), total).numpy() == -10
    with pytest.raises(TypeError, match="reducer must be a Reducer"):
        data.reduce_dataset(tf.data.Dataset.range(5), sum)


def test_files_are_read_in_order(session, tmp_path):
    path = str(tmp_path / "examples")
    with tf.io.TFRecordWriter(path) as writer:
        for value in range(3):
            example = tf.train.Example()
            example.features.feature["x"].int64_list.value.append(value)
            writer.write(example.SerializeToString())
    spec = {"x": tf.io.FixedLenFeature([], tf.int64)}
    batch = data.read_batch_features(path, 3, spec, randomize_input=False, num_epochs=1)
    assert session.run(batch)["x"].tolist() == [0, 1, 2]
