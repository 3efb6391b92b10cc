"""Tests of weights and losses of heads."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import learn
from legacy.contrib.learn.heads import labels_and_losses as parts


def test_weights_that_would_make_a_matrix_are_refused():
    head = learn.multi_class_head(2, weight_column_name="w")
    with tf.Graph().as_default():
        features = {"w": tf.constant([1.0, 2.0])}
        with pytest.raises(ValueError, match="weights can not be broadcast to values"):
            head.create_model_fn_ops(
                features, "eval", tf.constant([1, 0]), logits=tf.constant([[1.0], [2.0]])
            )


LOGITS, LABELS = np.float32([[2.0], [-1.0]]), np.array([1, 1])
WEIGHTS = tf.constant([[3.0], [1.0]])


@pytest.mark.parametrize(
    ("function", "losses"),
    [
        (parts.squared_loss, [1.0, 4.0]),
        (parts.logistic_loss, np.log1p(np.exp([-2.0, 1.0]))),
        (parts.hinge_loss, [0.0, 2.0]),
        # The full loss adds Stirling's approximation, which is 0 for a label of 1.
        (parts.poisson_loss, np.exp([2.0, -1.0]) - [2.0, -1.0]),
    ],
)
def test_the_reported_loss_is_a_weighted_mean(function, losses):
    labels = LABELS.astype("float32") if function is parts.poisson_loss else LABELS
    for loss in function(labels, LOGITS):
        assert float(loss) == pytest.approx(np.mean(losses), rel=1e-5)
    trained, reported = function(labels, LOGITS, WEIGHTS)
    total = 3 * losses[0] + losses[1]
    assert (float(trained), float(reported)) == pytest.approx((total / 2, total / 4), rel=1e-5)


def test_labels_and_weights_by_name():
    labels = {"y": [1, 2]}
    assert parts.dense_labels(labels, "y").numpy().tolist() == [1, 2]
    with pytest.raises(ValueError, match="SparseTensor is not supported"):
        parts.dense_labels({"y": tf.sparse.from_dense([1])}, "y")
    assert parts.weights_of({"w": [1, 2]}, "w").numpy().tolist() == [[1.0], [2.0]]
    with pytest.raises(ValueError, match="Weights w missing from features"):
        parts.weights_of({}, "w")
    with pytest.raises(ValueError, match="Labels dtype should be integer"):
        parts.softmax_loss([1.0], LOGITS)
