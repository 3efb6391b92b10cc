"""Tests of the metrics of an evaluation."""

import pytest
import tensorflow as tf

from legacy import estimator
from tests.legacy.estimator.models import dataset, model_fn

tf1 = tf.compat.v1


def test_evaluate_is_of_the_whole_input(trained):
    # 16 examples give the same mean loss in batches of 2 and in one batch.
    by_two = trained.evaluate(lambda: dataset(2, repeat=1))
    at_once = trained.evaluate(lambda: dataset(16, repeat=1))
    assert by_two["loss"] == pytest.approx(at_once["loss"], rel=1e-5)


@pytest.mark.parametrize("name", ["loss", "global_step"])
def test_reserved_metric_names(trained, name):
    def with_metric(features, labels, mode):
        spec = model_fn(features, labels, mode)
        return spec._replace(eval_metric_ops={name: tf1.metrics.mean(spec.loss)})

    with pytest.raises(ValueError, match=f"Metric with name .{name}. is not allowed"):
        estimator.Estimator(with_metric, trained.model_dir).evaluate(dataset, steps=1)
