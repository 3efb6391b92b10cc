"""Tests of the data of a training, as calls of `fit` read them."""

import itertools

import pytest
import tensorflow as tf
import tf_keras

from modern.training.data import inputs


def read(calls):
    """Returns the elements that each call of `fit` reads."""
    steps = [
        (one["x"], (one["epochs"] - one["initial_epoch"]) * one["steps_per_epoch"]) for one in calls
    ]
    return [[int(element) for element in itertools.islice(iter(x), count)] for x, count in steps]


def test_each_call_goes_on_where_the_last_one_stopped():
    made = []

    def batches(step):
        made.append(step)
        return tf.data.Dataset.range(step, 1000)

    data = inputs.FromStep(batches, 10, tf.distribute.get_strategy())
    with data.fits(start=4, max_steps=25) as calls:
        parts = read(calls)
    assert parts == [[*range(4, 10)], [*range(10, 20)], [*range(20, 25)]]
    assert made == [4]


def test_a_finished_training_makes_no_data():
    data = inputs.FromStep(lambda _: 1 / 0, 10, tf.distribute.get_strategy())
    with data.fits(start=25, max_steps=25) as calls:
        assert read(calls) == []


@pytest.mark.parametrize(("max_steps", "steps"), [(3, 3), (None, 5), (9, 5)])
def test_data_of_an_input_function_end_a_training(max_steps, steps):
    model = tf_keras.Sequential([tf_keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    batch = tf.ones([2, 1]), tf.ones([2, 1])
    data = inputs.FromStart(lambda: tf.data.Dataset.from_tensors(batch).repeat(5), model, 1)
    with data.fits(0, max_steps) as calls:
        for one in calls:
            model.fit(**one, verbose=0)
    assert int(model.optimizer.iterations) == steps
