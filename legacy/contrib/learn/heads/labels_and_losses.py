"""Labels, weights, losses and streaming metrics of the heads of contrib.learn.

A loss function here returns two scalars. The training loss is the mean over the examples of loss
times weight. The reported loss is the weighted mean.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

Losses = tuple[tf.Tensor, tf.Tensor]


def labels_of(labels: Any, name: str | None) -> Any:
    """Returns the labels of a head.

    Args:
      labels: A tensor, or a dict of tensors.
      name: Name of the labels, if `labels` is a dict.
    """
    labels = labels[name] if isinstance(labels, dict) else labels
    return labels if isinstance(labels, tf.SparseTensor) else tf.convert_to_tensor(labels)


def dense_labels(labels: Any, name: str | None) -> tf.Tensor:
    """Returns the labels of a head as a dense tensor. See `labels_of`.

    Args:
      labels: A tensor, or a dict of tensors.
      name: Name of the labels, if `labels` is a dict.

    Raises:
      ValueError: The labels are sparse.
    """
    labels = labels_of(labels, name)
    if isinstance(labels, tf.SparseTensor):
        raise ValueError("SparseTensor is not supported.")
    return labels


def weights_of(features: dict[str, Any], column: str | None) -> tf.Tensor | None:
    """Returns the weights of the examples, as a float column.

    Args:
      features: The features.
      column: Name of the feature with the weights, or None.

    Raises:
      ValueError: The feature does not exist.
    """
    if not column:
        return None
    if column not in features:
        raise ValueError(f"Weights {column} missing from features.")
    weights = tf.cast(features[column], tf.float32)
    return tf.reshape(weights, [-1, 1]) if weights.shape.rank == 1 else weights


def weighted(losses: tf.Tensor, weights: tf.Tensor | None) -> Losses:
    """Returns the training loss and the reported loss.

    Args:
      losses: Losses of the examples.
      weights: Weights of the examples, or None.
    """
    if weights is None:
        loss = tf.reduce_mean(losses)
        return loss, loss
    weights = broadcast(weights, losses)
    products = losses * weights
    return tf.reduce_mean(products), tf.reduce_sum(products) / tf.reduce_sum(weights)


def broadcast(weights: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """Returns the weights, as floats in the shape of the values.

    Raises:
      ValueError: The ranks differ, so that NumPy's broadcasting would produce a matrix.
    """
    ranks = weights.shape.rank, values.shape.rank
    if None not in ranks and ranks[0] not in (0, ranks[1]):
        raise ValueError(
            "weights can not be broadcast to values. "
            f"values.shape={values.shape}. weights.shape={weights.shape}."
        )
    return tf.cast(weights, tf.float32) * tf.ones_like(values, tf.float32)


def _column(values: Any) -> tf.Tensor:
    values = tf.convert_to_tensor(values)
    return values[:, tf.newaxis] if values.shape.rank == 1 else values


def squared_loss(labels: tf.Tensor, logits: tf.Tensor, weights: Any = None) -> Losses:
    """Returns the squared loss of labels and logits, both of shape [examples, dimension]."""
    labels, logits = _column(labels), _column(logits)
    logits.shape.assert_is_compatible_with(labels.shape)
    return weighted(tf.math.squared_difference(logits, tf.cast(labels, tf.float32)), weights)


def poisson_loss(labels: tf.Tensor, logits: tf.Tensor, weights: Any = None) -> Losses:
    """Returns the Poisson loss of logits that are logarithms of the rate."""
    labels, logits = _column(labels), _column(logits)
    logits.shape.assert_is_compatible_with(labels.shape)
    return weighted(tf.nn.log_poisson_loss(labels, logits, compute_full_loss=True), weights)


def logistic_loss(labels: tf.Tensor, logits: tf.Tensor, weights: Any = None) -> Losses:
    """Returns the log loss of two classes, or of classes that are not mutually exclusive."""
    labels = _column(tf.cast(labels, tf.float32))
    return weighted(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits), weights)


def hinge_loss(labels: tf.Tensor, logits: tf.Tensor, weights: Any = None) -> Losses:
    """Returns the hinge loss of the classes 0 and 1."""
    signs = 2 * _column(tf.cast(labels, tf.float32)) - 1
    return weighted(tf.nn.relu(1 - signs * logits), weights)


def softmax_loss(labels: tf.Tensor, logits: tf.Tensor, weights: Any = None) -> Losses:
    """Returns the log loss of class ids. Raises ValueError if they are not integers."""
    labels = tf.convert_to_tensor(labels)
    if not labels.dtype.is_integer:
        raise ValueError(f"Labels dtype should be integer Instead got {labels.dtype}.")
    is_column = labels.shape.rank == 2
    ids = tf.squeeze(labels, [1]) if is_column else labels
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=logits)
    return weighted(losses[:, tf.newaxis] if is_column else losses, weights)


def mean(values: tf.Tensor, weights: Any, class_id: int | None = None) -> Any:
    """Returns the streaming mean of values, or of those of the class `class_id`."""
    values = tf.cast(values, tf.float32)
    weights = None if weights is None else broadcast(weights, values)
    if class_id is not None:
        values = values[:, class_id]
        weights = None if weights is None else weights[:, class_id]
    return tf1.metrics.mean(values, weights)


def share(ids: tf.Tensor, class_id: int, weights: Any) -> Any:
    """Returns the streaming fraction of a class among class ids."""
    return tf1.metrics.mean(tf.equal(tf.cast(ids, tf.int32), class_id), weights=weights)


def auc(
    predictions: tf.Tensor,
    labels: tf.Tensor,
    weights: Any,
    class_id: int | None = None,
    curve: str = "ROC",
) -> Any:
    """Returns the streaming area under a curve, for all classes or the class `class_id`."""
    labels = tf.cast(labels, tf.bool)
    weights = None if weights is None else broadcast(weights, predictions)
    if class_id is not None:
        predictions, labels = predictions[:, class_id], labels[:, class_id]
        weights = None if weights is None else weights[:, class_id]
    return tf1.metrics.auc(labels, predictions, weights, curve=curve)


def at_threshold(
    kind: str, predictions: tf.Tensor, labels: tf.Tensor, weights: Any, threshold: float
) -> Any:
    """Returns the streaming "accuracy", "precision" or "recall" at a threshold."""
    if kind == "accuracy":
        above = tf.cast(predictions >= threshold, tf.float32)
        return tf1.metrics.accuracy(labels, above, weights)
    metric = getattr(tf1.metrics, f"{kind}_at_thresholds")
    value, update = metric(labels, predictions, (threshold,), weights)
    return tf.squeeze(value), tf.squeeze(update)
