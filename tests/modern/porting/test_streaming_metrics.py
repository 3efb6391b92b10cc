"""Tests for metrics that a function makes with tf.compat.v1.metrics."""

import gc

import pytest
import tensorflow as tf

from modern import porting
from modern.process.chosen_keras import keras
from tests.modern.porting.streamed_model import (
    BATCHES,
    CLASSES,
    LABELS,
    Model,
    check_evaluation,
    in_a_session,
    metric_fn,
)

# `fit` of Keras 3 says that it does not shuffle a Dataset.
pytestmark = [
    pytest.mark.keras(2, 3),
    pytest.mark.filterwarnings("ignore:.shuffle=True. was passed:UserWarning"),
]

tf1 = tf.compat.v1


def values(metric):
    return {name: float(value) for name, value in metric.result().items()}


@pytest.mark.parametrize("traced", [False, True])
def test_values_are_those_of_an_estimator(traced):
    metric = porting.StreamingMetrics(metric_fn)
    assert metric.result() == {}

    def update(*batch):
        metric.update_state(*batch)

    update = tf.function(update) if traced else update
    for batch in BATCHES:
        update(*map(tf.constant, batch))
    assert values(metric) == pytest.approx(in_a_session(BATCHES))
    metric.reset_state()
    update(*map(tf.constant, BATCHES[0]))
    assert values(metric) == pytest.approx(in_a_session(BATCHES[:1]))


def test_totals_start_with_the_values_that_the_function_gives_them():
    def count(x):
        total = tf1.Variable(5.0, collections=[tf1.GraphKeys.LOCAL_VARIABLES])
        return {"count": (total * 2.0, tf1.assign_add(total, tf.reduce_sum(x["x"])))}

    metric = porting.StreamingMetrics(count)
    metric.update_state({"x": tf.constant([1.0, 2.0])})
    assert values(metric) == {"count": 16.0}
    metric.reset_state()
    assert values(metric) == {"count": 10.0}


def test_an_evaluation_sums_over_batches():
    model = Model()
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    check_evaluation(model)


def test_a_training_may_report_them():
    model = Model()
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    porting.restore(model, "")
    data = tf.data.Dataset.from_tensor_slices((CLASSES, LABELS)).batch(4)
    history = model.fit(data, verbose=0).history
    expected = in_a_session([(LABELS, CLASSES)])
    assert {name: history[name][-1] for name in expected} == pytest.approx(expected)


def test_conditions_outlive_the_function_that_made_them():
    metric = porting.StreamingMetrics(
        lambda labels, predictions: {
            "auc": tf.compat.v1.metrics.auc(
                labels, predictions, summation_method="careful_interpolation"
            )
        }
    )
    batch = tf.constant([0.0, 1.0]), tf.constant([0.2, 0.8])
    metric.update_state(*batch)
    gc.collect()  # Functions of a graph that nothing refers to leave the process.
    metric.update_state(*batch)
    assert float(metric.result()["auc"]) > 0.9
