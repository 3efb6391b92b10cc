"""Tests of the functions of `legacy.estimator.heads.v1`, and of the original's private names."""

import inspect

import pytest
import tensorflow as tf

from legacy.estimator.heads import v1
from legacy.estimator.heads.v1 import canned_head

MEAN = tf.compat.v1.losses.Reduction.SUM_OVER_BATCH_SIZE
SUM = tf.compat.v1.losses.Reduction.SUM


# Recorded from tf.contrib.estimator of TensorFlow 1.15.
SIGNATURES = {
    "binary_classification_head": "weight_column=None, thresholds=None, label_vocabulary=None, "
    "loss_reduction='weighted_sum_over_batch_size', loss_fn=None, name=None",
    "logistic_regression_head": "weight_column=None, "
    "loss_reduction='weighted_sum_over_batch_size', name=None",
    "multi_class_head": "n_classes, weight_column=None, label_vocabulary=None, "
    "loss_reduction='weighted_sum_over_batch_size', loss_fn=None, name=None",
    "multi_head": "heads, head_weights=None",
    "multi_label_head": "n_classes, weight_column=None, thresholds=None, label_vocabulary=None, "
    "loss_reduction='weighted_sum_over_batch_size', loss_fn=None, "
    "classes_for_class_based_metrics=None, name=None",
    "poisson_regression_head": "weight_column=None, label_dimension=1, "
    "loss_reduction='weighted_sum_over_batch_size', compute_full_loss=True, name=None",
    "regression_head": "weight_column=None, label_dimension=1, "
    "loss_reduction='weighted_sum_over_batch_size', loss_fn=None, inverse_link_fn=None, name=None",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name):
    parameters = inspect.signature(getattr(v1, name)).parameters.values()
    text = ", ".join(
        p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters
    )
    assert text == SIGNATURES[name]


def test_private_heads_reduce_to_the_sum():
    logits, labels = tf.constant([[1.0], [3.0]]), tf.constant([[0.0], [0.0]])
    of_private = canned_head._regression_head().create_loss({}, "train", logits, labels)
    of_public = v1.regression_head().create_loss({}, "train", logits, labels)
    assert (float(of_private.training_loss), float(of_public.training_loss)) == (10.0, 5.0)


def test_either_head_by_the_number_of_classes():
    def loss_fn(labels, logits):
        return labels

    two = v1.binary_logistic_or_multi_class_head(2, None, None, MEAN, loss_fn)
    three = v1.binary_logistic_or_multi_class_head(3, None, ["a", "b", "c"], SUM)
    assert (two.logits_dimension, two._loss_fn) == (1, loss_fn)
    assert (three.logits_dimension, three._label_vocabulary) == (3, ["a", "b", "c"])


def test_vocabulary_that_is_no_list():
    with pytest.raises(TypeError, match="label_vocabulary should be a list or tuple"):
        v1.binary_classification_head(label_vocabulary="ab")
    with pytest.raises(ValueError, match="label_vocabulary should be a list or a tuple"):
        v1.multi_class_head(3, label_vocabulary="abc")
