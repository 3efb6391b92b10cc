"""Tests of checks on shapes that are unknown until the graph runs. Others are in head_errors."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.estimator.heads import checks

tf1 = tf.compat.v1


def run(function, *values):
    """Calls a function with placeholders of unknown shape and evaluates its result."""
    with tf.Graph().as_default(), tf1.Session() as session:
        holders = [tf1.placeholder(np.asarray(value).dtype) for value in values]
        return session.run(function(*holders), dict(zip(holders, values, strict=True)))


def test_logits_that_fit():
    assert run(lambda x: checks.check_logits_final_dim(x, 2), [[1, 2]]).tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("logits", [[[1.0, 2.0, 3.0]], [1.0, 2.0]])
def test_logits_that_do_not(logits):
    with pytest.raises(tf.errors.InvalidArgumentError, match="logits shape must be"):
        run(lambda x: checks.check_logits_final_dim(x, 2), logits)


def labels_for(labels, logits):
    return checks.check_dense_labels_match_logits_and_reshape(labels, logits, 1)


def test_labels_that_do_not_fit():
    expected = r"\[expected_labels_shape: \] \[2 1\] \[labels_shape: \] \[3 1\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=expected):
        run(labels_for, np.ones([3, 1]), np.ones([2, 4]))


def test_labels_of_unknown_rank_are_not_reshaped():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"DN, 1\]\..*Received shape"):
        run(labels_for, np.ones([2]), np.ones([2, 4]))


def test_sparse_labels():
    with pytest.raises(ValueError, match="SparseTensor labels are not supported"):
        labels_for(tf.sparse.from_dense([[1]]), tf.ones([1, 1]))


@pytest.mark.parametrize(("label", "bound"), [(3, r"<= n_classes - 1"), (-1, ">= 0")])
def test_labels_out_of_range(label, bound):
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"Labels must be {bound}"):
        run(lambda x: checks.check_label_range(x, 3), [[label]])


def test_loss_function_gets_features_only_if_it_asks():
    def with_features(labels, logits, features):
        return labels - logits + features["x"]

    def without(labels, logits):
        return labels - logits

    one = tf.ones([1, 1])
    features = {"x": 5.0}
    assert checks.call_loss_fn(with_features, one, one, features).numpy() == 5.0
    assert checks.call_loss_fn(without, one, one, features).numpy() == 0.0


def test_loss_of_a_wrong_shape():
    expected = r"\[logits_shape: \] \[2 4\] \[loss_shape: \] \[2\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=expected):
        run(
            lambda labels, logits: checks.call_loss_fn(
                lambda labels, logits: labels[:, 0], labels, logits, {}
            ),
            np.ones([2, 1]),
            np.ones([2, 4]),
        )
