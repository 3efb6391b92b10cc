"""Losses on embeddings, by which what is alike comes to lie together: contrib.losses's.

loss = triplet_semihard_loss(labels, tf.nn.l2_normalize(embeddings, axis=1))
"""

from __future__ import annotations

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1


def triplet_semihard_loss(
    labels: tf.Tensor, embeddings: tf.Tensor, margin: float = 1.0
) -> tf.Tensor:
    """Returns how much too near the nearest other label is that is farther than one's own.

    Args:
      labels: Integers, of shape [batch].
      embeddings: Of shape [batch, size].
      margin: How much farther another label is to be, in squared distance.

    Returns:
      The mean over pairs of the same label. Where no other label is farther than one's own, the
      farthest of the others is taken.
    """
    same = tf.equal(labels[:, None], labels[None, :])
    other = ~same
    distances = _squared_distances(embeddings)
    # [anchor, positive, negative]: the nearest negative beyond the positive.
    beyond = other[:, None, :] & (distances[:, None, :] > distances[:, :, None])
    largest = tf.reduce_max(distances) + 1.0
    nearest = tf.reduce_min(tf.where(beyond, distances[:, None, :], largest), 2)
    # With no other label at all the original compares with the smallest distance.
    smallest = tf.reduce_min(distances, 1, keepdims=True)
    farthest = tf.reduce_max(tf.where(other, distances, smallest), 1, keepdims=True)
    negatives = tf.where(tf.reduce_any(beyond, 2), nearest, farthest)
    pairs = tf.cast(same, tf.float32) - tf.eye(tf.size(labels))
    losses = tf.maximum((margin + distances - negatives) * pairs, 0.0)
    return tf.divide(tf.reduce_sum(losses), tf.reduce_sum(pairs), name="triplet_semihard_loss")


def _squared_distances(vectors: tf.Tensor) -> tf.Tensor:
    squares = tf.reduce_sum(tf.square(vectors), 1)
    products = tf.matmul(vectors, vectors, transpose_b=True)
    distances = tf.maximum(squares[:, None] + squares[None, :] - 2.0 * products, 0.0)
    return distances * (1.0 - tf.eye(tf.shape(vectors)[0]))


def contrastive_loss(
    labels: tf.Tensor,
    embeddings_anchor: tf.Tensor,
    embeddings_positive: tf.Tensor,
    margin: float = 1.0,
) -> tf.Tensor:
    """Returns how far pairs are that are alike, and how near those that are not; the mean.

    Args:
      labels: Whether the two are alike: 1 or 0, of shape [batch].
      embeddings_anchor: The one, of shape [batch, size].
      embeddings_positive: The other.
      margin: How far what is not alike is to be.
    """
    squares = tf.math.squared_difference(embeddings_anchor, embeddings_positive)
    distances = tf.sqrt(tf.reduce_sum(squares, 1))
    alike = tf.cast(labels, distances.dtype)
    losses = alike * tf.square(distances) + (1.0 - alike) * tf.square(
        tf.maximum(margin - distances, 0.0)
    )
    return tf.reduce_mean(losses, name="contrastive_loss")


def npairs_loss(
    labels: tf.Tensor,
    embeddings_anchor: tf.Tensor,
    embeddings_positive: tf.Tensor,
    reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> tf.Tensor:
    """Returns the cross entropy of which of all positives belongs to an anchor.

    Args:
      labels: Integers, of shape [batch].
      embeddings_anchor: Anchors, of shape [batch, size].
      embeddings_positive: For each something of the same label.
      reg_lambda: The weight of the embeddings' lengths.
      print_losses: Whether both parts are printed.
    """

    def length(embeddings: tf.Tensor) -> tf.Tensor:
        return tf.reduce_mean(tf.reduce_sum(tf.square(embeddings), 1))

    lengths = 0.25 * reg_lambda * (length(embeddings_anchor) + length(embeddings_positive))
    logits = tf.matmul(embeddings_anchor, embeddings_positive, transpose_b=True)
    shares = tf.cast(tf.equal(labels[:, None], labels[None, :]), tf.float32)
    shares /= tf.reduce_sum(shares, 1, keepdims=True)
    entropy = tf.reduce_mean(
        tf1.nn.softmax_cross_entropy_with_logits(labels=shares, logits=logits), name="xentropy"
    )
    if print_losses:
        entropy = tf1.Print(entropy, ["cross entropy:", entropy, "l2loss:", lengths])
    return lengths + entropy


__getattr__ = _missing.attribute_of("losses.metric_learning")
