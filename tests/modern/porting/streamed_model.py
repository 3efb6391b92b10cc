"""A model evaluated by metrics of tf.compat.v1.metrics, and what an Estimator would report."""

import numpy as np
import pytest
import tensorflow as tf

from modern import porting
from modern.process.chosen_keras import keras

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


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)
        self.eval_metrics = {"all": porting.StreamingMetrics(metric_fn)}

    def call(self, x):
        return self.dense(tf.cast(x[:, None], tf.float32))

    def compute_metrics(self, x, y, y_pred, sample_weight):
        self.eval_metrics["all"].update_state(y, x)
        return self.get_metrics_result()


def check_evaluation(model):
    """Checks the metrics of a model, whose first batch makes their totals."""
    data = tf.data.Dataset.from_tensor_slices((CLASSES, LABELS)).batch(4)
    for _ in range(2):  # The totals start again.
        result = model.evaluate(data, verbose=0, return_dict=True)
        expected = in_a_session([(LABELS, CLASSES)])
        assert {name: result[name] for name in expected} == pytest.approx(expected)
