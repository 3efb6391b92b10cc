"""Tests of functions of neural networks."""

import numpy as np
import pytest

from legacy.contrib import nn

LOGITS = np.float32([[1.0, 3.0], [2.0, -1.0]])


def test_logits_come_first():
    expected = np.log(np.exp(LOGITS).sum(1)) - LOGITS[[0, 1], [1, 0]]
    sparse = nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(LOGITS, [1, 0])
    np.testing.assert_allclose(sparse, expected, rtol=1e-5)
    labels = np.float32([[0.0, 1.0], [1.0, 0.0]])
    dense = nn.deprecated_flipped_softmax_cross_entropy_with_logits(LOGITS, labels)
    np.testing.assert_allclose(dense, expected, rtol=1e-5)
    each = nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(LOGITS, labels)
    np.testing.assert_allclose(each, np.log1p(np.exp(LOGITS)) - labels * LOGITS, rtol=1e-5)


def test_scaled_softplus():
    found = nn.scaled_softplus(LOGITS, 2.0, clip=3.0)
    np.testing.assert_allclose(found, np.minimum(2 * np.log1p(np.exp(LOGITS / 2)), 3), rtol=1e-5)


@pytest.mark.parametrize(("reverse", "expected"), [(False, 2), (True, 7)])
def test_the_nth_element(reverse, expected):
    assert nn.nth_element([9, 1, 7, 2], 1, reverse=reverse).numpy() == expected


def test_alpha_dropout_keeps_mean_and_variance():
    x = np.random.RandomState(0).standard_normal(100_000).astype("float32")
    found = nn.alpha_dropout(x, 0.7, seed=1).numpy()
    assert found.mean() == pytest.approx(0, abs=0.02)
    assert found.std() == pytest.approx(1, abs=0.02)
    assert nn.alpha_dropout(x, 1.0).numpy().tolist() == x.tolist()
    with pytest.raises(ValueError, match=r"float in the range \(0, 1\], got 0"):
        nn.alpha_dropout(x, 0.0)
