"""Tests that a digest depends on the examples that were read, and not on their order."""

import numpy as np
import pytest
import tensorflow as tf

from modern.records import digests

IMAGES = np.random.default_rng(0).random((8, 4, 4)).astype(np.float32)
LABELS = np.arange(8)


def digest(features, labels=LABELS):
    features = tf.nest.map_structure(tf.constant, features)
    return float(digests.of_batch(features, None if labels is None else tf.constant(labels)))


def test_batches_add_up_in_any_order():
    whole = digest(IMAGES)
    order = np.array([3, 1, 0, 2, 7, 6, 5, 4])
    halves = digest(IMAGES[order[:4]], LABELS[order[:4]]) + digest(
        IMAGES[order[4:]], LABELS[order[4:]]
    )
    assert halves == pytest.approx(whole, rel=digests.TOLERANCE)


@pytest.mark.parametrize(
    ("images", "labels"),
    [
        (IMAGES, (LABELS + 1) % 8),  # Shifted labels.
        (IMAGES, LABELS[::-1]),  # Labels of other examples.
        (IMAGES[[0, 0, 2, 3, 4, 5, 6, 7]], LABELS),  # One example twice, and one missing.
        (IMAGES + np.eye(4, dtype=np.float32) * 1e-2, LABELS),
    ],
)
def test_other_examples_and_labels_change_it(images, labels):
    assert abs(digest(images, labels) / digest(IMAGES) - 1) > 100 * digests.TOLERANCE


@pytest.mark.parametrize(
    "features",
    [
        {"a": np.arange(8.0), "b": np.array([b"x", b"y"] * 4)},
        np.arange(2**53 - 8, 2**53),
        np.ones((8, 0), np.float32),
        np.array([True, False] * 4),
    ],
)
def test_every_type_of_feature_counts(features):
    assert np.isfinite(digest(features))


def test_texts_and_sparse_features_are_told_apart():
    texts = np.array([b"x"] * 8)
    assert digest(texts) != digest(np.array([b"x"] * 7 + [b"y"]))
    sparse = tf.sparse.from_dense(tf.constant(IMAGES[:, 0]))
    found = float(digests.of_batch(sparse, tf.constant(LABELS)))
    assert found == pytest.approx(digest(IMAGES[:, 0]), rel=digests.TOLERANCE)


def test_no_labels():
    assert digest(IMAGES, None) == pytest.approx(float(np.sum(IMAGES**2)), rel=1e-5)
