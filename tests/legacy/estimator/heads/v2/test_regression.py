"""Tests of `regression`, which predicts numbers, Poisson means and probabilities."""

import pytest
import tensorflow as tf

from legacy.estimator import heads


def test_label_of_one_dimension():
    logits = [[1.0], [2.0]]
    assert float(heads.RegressionHead().loss([1, 4], logits, {})) == 2.0


@pytest.mark.parametrize("dimension", [0, -1])
def test_label_dimension(dimension):
    with pytest.raises(ValueError, match=f"Invalid label_dimension {dimension}"):
        heads.RegressionHead(label_dimension=dimension)


def test_own_loss_function_and_link():
    head = heads.RegressionHead(
        loss_fn=lambda labels, logits: tf.abs(labels - logits), inverse_link_fn=tf.exp
    )
    assert float(head.loss([[3.0]], [[1.0]], {})) == 2.0
    found = head.predictions([[0.0]])
    assert [found[key].numpy() for key in ("predictions", "logits")] == [1.0, 0.0]


def test_logistic_labels_are_probabilities():
    head = heads.LogisticRegressionHead()
    assert float(head.loss([[0.5]], [[0.0]], {})) == pytest.approx(0.693147)
    with pytest.raises(ValueError, match=r"Labels must be in range \[0, 1\]"):
        head.loss([[1.5]], [[0.0]], {})


def test_poisson_with_and_without_the_constant():
    short = heads.PoissonRegressionHead(compute_full_loss=False)
    assert float(short.loss([[3.0]], [[0.0]], {})) == 1.0
    assert float(heads.PoissonRegressionHead().loss([[3.0]], [[0.0]], {})) > 2.0


def test_reduction_decides_how_v1_optimizers_scale_under_a_strategy():
    """The scaling of the gradients reads the reduction of the last loss in the graph."""
    for reduction, expected in (("sum", "weighted_sum"), ("auto", "weighted_sum_over_batch_size")):
        with tf.Graph().as_default() as graph:
            heads.RegressionHead(loss_reduction=reduction).loss([[1.0]], [[1.0]], {})
            assert graph._last_loss_reduction == expected
