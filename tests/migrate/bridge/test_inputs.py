"""Tests that a bridged model reads its data in the order in which an Estimator read it."""

import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from migrate.bridge import inputs


def shuffled(size=10):
    numbers = tf.data.Dataset.range(size).map(lambda x: (tf.cast(x, tf.float32), 0.0))
    return numbers.shuffle(size, seed=3).batch(2)


def order(data):
    return [features.tolist() for features, _ in data.as_numpy_iterator()]


@pytest.fixture
def model():
    """Returns a model that records the features it trains on, and predicts them."""
    seen = []

    def model_fn(features, labels, mode):
        if mode == tf_estimator.ModeKeys.PREDICT:
            return tf_estimator.EstimatorSpec(mode, predictions=features)
        weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
        note = tf.py_function(lambda x: seen.append(x.numpy().tolist()), [features], [])
        with tf.control_dependencies([note]):
            loss = tf.losses.mean_squared_error(labels, weight * features)
        train_op = tf.train.GradientDescentOptimizer(0.0).minimize(loss, tf.train.get_global_step())
        return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

    made = bridge.KerasModelFn(model_fn)
    vars(made)["seen"] = seen  # Keras would track a list attribute as part of the model.
    return made


def test_a_shuffle_with_a_seed_has_the_order_that_it_has_alone(model):
    model.fit(shuffled(), verbose=0, epochs=2)
    data = shuffled()
    assert model.seen == [*order(data), *order(data)]


def test_predictions_come_in_the_order_of_the_data(model):
    assert model.predict(shuffled(), verbose=0).tolist() == sum(order(shuffled()), [])


@pytest.mark.parametrize("change", [lambda d: d, lambda d: d.repeat(), lambda d: d.filter(_all)])
def test_data_that_are_begun_once_keep_their_length_and_types(change):
    data = change(shuffled())
    once = inputs.share_first_iterator(data)
    assert int(once.cardinality()) == int(data.cardinality())
    assert once.element_spec == data.element_spec


def _all(*_):
    return True


def test_arrays_are_left_as_they_are():
    arrays = {"x": [1.0]}
    assert inputs.share_first_iterator(arrays) is arrays
