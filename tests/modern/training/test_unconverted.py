"""Tests of functions that AutoGraph does not convert, though it converts what they pass on."""

import inspect
import pathlib

import pytest
import tensorflow as tf
import tf_keras

from modern.training import unconverted


def tripled_above_two(number):
    if number > 2:  # A tensor: only AutoGraph makes this work in a graph.
        return 3 * number
    return number


class TripledAboveTwo(tf_keras.layers.Layer):
    def call(self, number):
        return tripled_above_two(number)


def data(files):
    files.append(pathlib.Path(inspect.currentframe().f_code.co_filename).name)
    return tf.data.Dataset.range(4).map(tripled_above_two)


def test_a_function_runs_as_it_is_written():
    files = []
    tf.function(lambda: unconverted.unconverted(data)(files)).get_concrete_function()
    assert files == ["test_unconverted.py"]


def test_without_it_autograph_converts_the_function():
    files = []
    tf.function(lambda: data(files)).get_concrete_function()
    assert "test_unconverted.py" not in files


@pytest.mark.parametrize(
    "of_three",
    [
        lambda: next(iter(data([]).skip(3))),
        lambda: TripledAboveTwo()(tf.constant(3)),
        lambda: tf.function(tripled_above_two)(tf.constant(3)),
    ],
    ids=["map of a dataset", "Keras layer", "tf.function"],
)
def test_what_it_passes_to_tensorflow_is_converted(of_three):
    assert int(tf.function(lambda: unconverted.unconverted(of_three)())()) == 9


def test_arguments_need_no_hash_and_no_result_is_kept():
    append = unconverted.unconverted(lambda numbers, *, number: numbers.append(number))
    numbers = []
    append(numbers, number=1)
    append(numbers, number=1)
    assert numbers == [1, 1]
