"""Test of metrics of a logistic regression."""

import tensorflow as tf

from legacy.contrib import learn
from tests.legacy.contrib.learn.canned.models import input_fn

tf1 = tf.compat.v1


def test_logistic_regressor_reports_metrics_at_thresholds(tmp_path):
    def model_fn(features, labels, mode):
        weight = tf1.get_variable("w", [], initializer=tf1.ones_initializer())
        predictions = tf.sigmoid(features["x"] * weight)
        loss = tf1.losses.log_loss(labels, predictions)
        step = tf1.train.get_global_step()
        return predictions, loss, tf1.train.GradientDescentOptimizer(0.1).minimize(loss, step)

    regressor = learn.LogisticRegressor(model_fn, [0.2, 0.5], model_dir=str(tmp_path))
    regressor.fit(input_fn=input_fn, steps=1)
    found = regressor.evaluate(input_fn=input_fn, steps=1)
    assert found["accuracy/threshold_0.500000_mean"] == 1
    assert found["precision/positive_threshold_0.200000_mean"] == 0.5
    assert found["labels/actual_label_mean"] == 0.5
