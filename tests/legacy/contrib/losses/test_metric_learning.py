"""Tests of metric learning losses."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib.losses import metric_learning


def test_semi_hard_negatives():
    # On a line: anchors 0 and 1 of one label, negatives 3 and 0.5 of another.
    embeddings = tf.constant([[0.0], [1.0], [3.0], [0.5]])
    labels = tf.constant([0, 0, 1, 1])
    losses = [
        1 + 1 - 9,  # From 0 to 1: the nearest negative beyond 1 is 9 away.
        1 + 1 - 4,  # From 1 to 0: the negative 3 is 4 away.
        1 + 6.25 - 9,  # From 3 to 0.5: beyond is only 0.
        1 + 6.25 - 0.25,  # From 0.5 to 3: none is beyond, so the farthest counts.
    ]
    found = metric_learning.triplet_semihard_loss(labels, embeddings)
    assert float(found) == pytest.approx(np.maximum(losses, 0).mean())


def test_pairs_are_pulled_together_or_pushed_apart():
    anchors, others = (
        tf.constant([[0.0, 0.0]] * 3),
        tf.constant([[3.0, 4.0], [0.3, 0.4], [6.0, 8.0]]),
    )
    found = metric_learning.contrastive_loss(tf.constant([1, 0, 0]), anchors, others)
    assert float(found) == pytest.approx((25 + 0.5**2 + 0) / 3)


def test_each_anchor_is_matched_with_its_positives():
    anchors = np.float32([[1.0, 0.0], [0.0, 2.0]])
    positives = np.float32([[1.0, 1.0], [0.0, 1.0]])
    found = metric_learning.npairs_loss(tf.constant([3, 5]), anchors, positives, reg_lambda=0.1)
    logits = anchors @ positives.T
    entropy = (np.log(np.exp(logits).sum(1)) - logits.diagonal()).mean()
    assert float(found) == pytest.approx(entropy + 0.25 * 0.1 * (2.5 + 1.5), rel=1e-5)
