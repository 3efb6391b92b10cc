"""Tests for metrics that a function makes with tf.compat.v1.metrics."""

import numpy as np
import pytest
import tensorflow as tf
import tf_keras

from modern import porting

tf1 = tf.compat.v1
LABELS = np.array([0, 1, 1, 0, 1, 1, 0, 1], "int64")
CLASSES = np.array([0, 1, 0, 1, 1, 1, 0, 0], "int64")


def metric_fn(labels, classes):
    precision, precision_op = tf1.metrics.precision(labels, classes)
    recall, recall_op = tf1.metrics.recall(labels, classes)
    f1 = 2 * precision * recall / (precision + recall)
    return {
        "f1": (f1, tf.group(precision_op, recall_op)),
        "per_class": tf1.metrics.mean_per_class_accuracy(labels, classes, 2),
    }


def in_a_session(batches):
    """Returns the metrics as an Estimator computed them."""
    with tf.Graph().as_default(), tf1.Session() as session:
        inputs = tf1.placeholder(tf.int64, [None]), tf1.placeholder(tf.int64, [None])
        metrics = metric_fn(*inputs)
        session.run(tf1.local_variables_initializer())
        for batch in batches:
            session.run(
                [update for _, update in metrics.values()], dict(zip(inputs, batch, strict=True))
            )
        return session.run({name: value for name, (value, _) in metrics.items()})


BATCHES = [(LABELS[:4], CLASSES[:4]), (LABELS[4:7], CLASSES[4:7]), (LABELS[7:], CLASSES[7:])]


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


class Model(tf_keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf_keras.layers.Dense(2)
        self.eval_metrics = {"all": porting.StreamingMetrics(metric_fn)}

    def call(self, x):
        return self.dense(tf.cast(x[:, None], tf.float32))

    def compute_metrics(self, x, y, y_pred, sample_weight):
        self.eval_metrics["all"].update_state(y, x)
        return self.get_metrics_result()


def test_an_evaluation_sums_over_batches():
    model = Model()
    model.compile("sgd", tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    check_evaluation(model)


def test_a_training_may_report_them():
    model = Model()
    model.compile("sgd", tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    porting.restore(model, "")
    data = tf.data.Dataset.from_tensor_slices((CLASSES, LABELS)).batch(4)
    history = model.fit(data, verbose=0).history
    expected = in_a_session([(LABELS, CLASSES)])
    assert {name: history[name][-1] for name in expected} == pytest.approx(expected)


def check_evaluation(model):
    """Checks the metrics of a model, whose first batch makes their totals."""
    data = tf.data.Dataset.from_tensor_slices((CLASSES, LABELS)).batch(4)
    for _ in range(2):  # The totals start again.
        result = model.evaluate(data, verbose=0, return_dict=True)
        expected = in_a_session([(LABELS, CLASSES)])
        assert {name: result[name] for name in expected} == pytest.approx(expected)
