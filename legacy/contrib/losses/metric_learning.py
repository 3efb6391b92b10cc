"""Metric learning losses of contrib.losses, which pull similar embeddings together.

loss = triplet_semihard_loss(labels, tf.nn.l2_normalize(embeddings, axis=1))
"""

from __future__ import annotations

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1


def triplet_semihard_loss(
    labels: tf.Tensor, embeddings: tf.Tensor, margin: float = 1.0
) -> tf.Tensor:
    """Returns the triplet loss with semi-hard negatives.

    An anchor and a positive have the same label, a negative has another. The semi-hard negative is
    the nearest negative that is farther from the anchor than the positive. If none is farther, the
    loss uses the farthest negative.

    Args:
      labels: Integer labels of shape [batch].
      embeddings: Embeddings of shape [batch, size].
      margin: Required difference between the squared distances of the negative and the positive.

    Returns:
      The mean over all pairs of anchor and positive, a scalar.
    """
    same_label = tf.equal(labels[:, None], labels[None, :])
    other_label = ~same_label
    distances = _squared_distances(embeddings)
    # Of shape [anchor, positive, negative]: True for negatives farther away than the positive.
    is_farther = other_label[:, None, :] & (distances[:, None, :] > distances[:, :, None])
    # Larger than any distance, so that a masked element is never the nearest.
    largest = tf.reduce_max(distances) + 1.0
    nearest = tf.reduce_min(tf.where(is_farther, distances[:, None, :], largest), 2)
    # If all labels are equal, the original compares with the smallest distance.
    smallest = tf.reduce_min(distances, 1, keepdims=True)
    farthest = tf.reduce_max(tf.where(other_label, distances, smallest), 1, keepdims=True)
    negatives = tf.where(tf.reduce_any(is_farther, 2), nearest, farthest)
    pairs = tf.cast(same_label, tf.float32) - tf.eye(tf.size(labels))
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
    """Returns the mean contrastive loss of pairs of embeddings.

    Args:
      labels: 1 for similar pairs and 0 for dissimilar pairs, of shape [batch].
      embeddings_anchor: First embeddings, of shape [batch, size].
      embeddings_positive: Second embeddings, of shape [batch, size].
      margin: Required distance of dissimilar pairs.
    """
    squares = tf.math.squared_difference(embeddings_anchor, embeddings_positive)
    distances = tf.sqrt(tf.reduce_sum(squares, 1))
    is_similar = tf.cast(labels, distances.dtype)
    losses = is_similar * tf.square(distances) + (1.0 - is_similar) * tf.square(
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
    """Returns the n-pairs loss: the cross entropy of matching each anchor with its positives.

    Args:
      labels: Integer labels of shape [batch].
      embeddings_anchor: Embeddings of the anchors, of shape [batch, size].
      embeddings_positive: Embeddings of the positives, which have the labels of the anchors.
      reg_lambda: Factor of the L2 regularizer of the embeddings.
      print_losses: If true, prints the cross entropy and the regularization loss.
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
