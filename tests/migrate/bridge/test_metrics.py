"""Tests for eval_metric_ops as metrics of Keras."""

import numpy as np
import pytest
import tensorflow.compat.v1 as tf

from legacy import estimator as tf_estimator
from migrate import bridge
from tests.migrate.bridge import small


def model_fn(features, labels, mode):
    metrics = {
        "mean": tf.metrics.mean(labels),
        "above": tf.metrics.percentage_below(-labels, 0.0),
        "by_column": tf.metrics.mean_tensor(tf.reduce_mean(features["x"], axis=0)),
    }
    return tf_estimator.EstimatorSpec(mode, loss=tf.constant(0.0), eval_metric_ops=metrics)


def test_adds_up_batches_of_unequal_sizes():
    features, labels = small.data()
    model = bridge.KerasModelFn(model_fn)
    batches = tf.data.Dataset.from_tensor_slices((features, labels)).batch(48)
    for _ in range(2):  # Each evaluation begins with empty totals.
        found = model.evaluate(batches, verbose=0, return_dict=True)
        assert found["mean"] == pytest.approx(labels.mean(), rel=1e-5)
        assert found["above"] == pytest.approx((labels > 0).mean())
    parts = [features["x"][:48].mean(0), features["x"][48:].mean(0)]
    values = {metric.name: metric.result() for metric in model.metrics}
    np.testing.assert_allclose(values["by_column"], np.mean(parts, axis=0), rtol=1e-5, atol=1e-7)
