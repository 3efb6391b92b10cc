"""Losses of tf.contrib.losses, which take predictions before labels.

    loss = softmax_cross_entropy(logits, onehot_labels)
    total = get_total_loss()  # With regularization.

They differ from tf.compat.v1.losses in the order of arguments and in the shape of weights: a
scalar, or the leading dimensions of the loss. For example, weights of shape [batch] fit losses of
shape [batch, length]. All functions except `hinge_loss` add their result to the collection LOSSES.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.framework.arg_scope import add_arg_scope

tf1 = tf.compat.v1


def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> tf.Tensor:
    """Returns the weighted sum of losses divided by the number of nonzero weights.

    It is added to LOSSES.

    Args:
      losses: Losses of shape [batch, ...].
      weights: A scalar, or weights with the leading dimensions of the losses.
      scope: Name scope.

    Raises:
      ValueError: A rank is unknown, or the shapes are incompatible.
    """
    losses = tf.convert_to_tensor(losses)
    weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
    for name, tensor in (("losses", losses), ("weights", weights)):
        if tensor.shape.rank is None:
            raise ValueError(f"{name}.get_shape().ndims cannot be None")
    return tf1.losses.compute_weighted_loss(losses, _like(weights, losses), scope)


def _like(weights: tf.Tensor, losses: tf.Tensor) -> tf.Tensor:
    """Reshapes weights so that they broadcast along the trailing dimensions of the losses."""
    if weights.shape.rank > 1 and weights.shape.as_list()[-1] in (1, None):
        weights = tf.squeeze(weights, [-1])
    missing = losses.shape.rank - weights.shape.rank
    if not weights.shape.rank or missing <= 0:
        return weights
    return tf.reshape(weights, tf.concat([tf.shape(weights), [1] * missing], 0))


@add_arg_scope
def add_loss(loss: tf.Tensor, loss_collection: str | None = tf1.GraphKeys.LOSSES) -> None:
    """Adds a loss to a collection, unless the collection is None."""
    if loss_collection:
        tf1.add_to_collection(loss_collection, loss)


def get_losses(
    scope: str | None = None, loss_collection: str = tf1.GraphKeys.LOSSES
) -> list[tf.Tensor]:
    """Returns the losses in a collection whose names begin with a scope."""
    return tf1.get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[tf.Tensor]:
    """Returns the losses in REGULARIZATION_LOSSES whose names begin with a scope."""
    return tf1.get_collection(tf1.GraphKeys.REGULARIZATION_LOSSES, scope)


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> tf.Tensor:
    """Returns the sum of all losses in LOSSES.

    Args:
      add_regularization_losses: If true, includes the regularization losses.
      name: Name of the operation.
    """
    regularization = get_regularization_losses() if add_regularization_losses else []
    return tf.add_n(get_losses() + regularization, name=name)


def _check(predictions: tf.Tensor, labels: tf.Tensor) -> None:
    predictions.shape.assert_is_compatible_with(labels.shape)


def _floats(predictions: tf.Tensor, labels: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    _check(predictions, labels)
    return tf.cast(predictions, tf.float32), tf.cast(labels, tf.float32)


def absolute_difference(
    predictions: tf.Tensor, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> tf.Tensor:
    """Returns the mean absolute difference. See `compute_weighted_loss` for the weights."""
    with tf1.name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope_name:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(tf.abs(predictions - labels), weights, scope_name)


def mean_squared_error(
    predictions: tf.Tensor, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> tf.Tensor:
    """Returns the mean squared difference. See `compute_weighted_loss` for the weights."""
    with tf1.name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope_name:
        predictions, labels = _floats(predictions, labels)
        return compute_weighted_loss(tf.square(predictions - labels), weights, scope_name)


def sigmoid_cross_entropy(
    logits: tf.Tensor,
    multi_class_labels: tf.Tensor,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
) -> tf.Tensor:
    """Returns the mean sigmoid cross entropy of independent classes.

    Args:
      logits: Logits of any shape.
      multi_class_labels: Labels from 0 to 1, with the shape of the logits.
      weights: Weights. See `compute_weighted_loss`.
      label_smoothing: Fraction from 0 to 1 by which the labels move towards 0.5.
      scope: Name scope.
    """
    values = [logits, multi_class_labels, weights]
    with tf1.name_scope(scope, "sigmoid_cross_entropy_loss", values) as scope_name:
        _check(logits, multi_class_labels)
        labels = tf.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels, logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope_name)


def softmax_cross_entropy(
    logits: tf.Tensor,
    onehot_labels: tf.Tensor,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
) -> tf.Tensor:
    """Returns the mean softmax cross entropy with one-hot labels.

    Args:
      logits: Logits of shape [batch, classes].
      onehot_labels: Probability of each class, with the shape of the logits.
      weights: Weights. See `compute_weighted_loss`.
      label_smoothing: Fraction from 0 to 1 by which the labels move towards a uniform
        distribution.
      scope: Name scope.
    """
    values = [logits, onehot_labels, weights]
    with tf1.name_scope(scope, "softmax_cross_entropy_loss", values) as scope_name:
        _check(logits, onehot_labels)
        labels = tf.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = tf.cast(tf.shape(labels)[1], logits.dtype)
            labels = labels * (1.0 - label_smoothing) + label_smoothing / classes
        losses = tf1.nn.softmax_cross_entropy_with_logits(
            labels=tf.stop_gradient(labels), logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope_name)


def sparse_softmax_cross_entropy(
    logits: tf.Tensor, labels: tf.Tensor, weights: Any = 1.0, scope: str | None = None
) -> tf.Tensor:
    """Returns the mean softmax cross entropy with class ids as labels.

    Args:
      logits: Logits of shape [batch, classes].
      labels: Class ids, integers of shape [batch] or [batch, 1].
      weights: Weights. See `compute_weighted_loss`.
      scope: Name scope.
    """
    values = [logits, labels, weights]
    with tf1.name_scope(scope, "sparse_softmax_cross_entropy_loss", values) as scope_name:
        labels = tf.reshape(labels, [tf.shape(labels)[0]])
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope_name)


def log_loss(
    predictions: tf.Tensor,
    labels: Any = None,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
) -> tf.Tensor:
    """Returns the mean binary cross entropy of probabilities.

    Args:
      predictions: Probabilities of any shape.
      labels: Labels from 0 to 1, with the shape of the predictions.
      weights: Weights. See `compute_weighted_loss`.
      epsilon: Small constant added to the probabilities before the logarithm.
      scope: Name scope.
    """
    with tf1.name_scope(scope, "log_loss", [predictions, labels, weights]) as scope_name:
        predictions, labels = _floats(predictions, labels)
        losses = -labels * tf.math.log(predictions + epsilon) - (1 - labels) * tf.math.log(
            1 - predictions + epsilon
        )
        return compute_weighted_loss(losses, weights, scope_name)


def hinge_loss(logits: tf.Tensor, labels: Any = None, scope: str | None = None) -> tf.Tensor:
    """Returns the hinge loss of each logit. Does not add it to a collection.

    Args:
      logits: Logits of any shape.
      labels: Labels 0 or 1, with the shape of the logits.
      scope: Name scope.
    """
    with tf1.name_scope(scope, "hinge_loss", [logits, labels]):
        _check(logits, labels)
        sides = 2 * tf.cast(labels, tf.float32) - 1
        return tf.nn.relu(1 - sides * logits)


def mean_pairwise_squared_error(
    predictions: tf.Tensor, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> tf.Tensor:
    """Returns the squared error of the differences between all pairs of an example's elements.

    Args:
      predictions: Predictions of shape [batch, ...].
      labels: Labels with the shape of the predictions.
      weights: A scalar, or weights of shape [batch] or [batch, ...].
      scope: Name scope.

    Returns:
      The mean squared error of the pairwise differences, summed over the batch. It is added to
      LOSSES.

    Raises:
      ValueError: A rank is unknown.
    """
    with tf1.name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]):
        predictions, labels = _floats(predictions, labels)
        difference = predictions - labels
        weights = tf.cast(tf.convert_to_tensor(weights), tf.float32)
        for name, tensor in (("diffs", difference), ("weights", weights)):
            if tensor.shape.rank is None:
                raise ValueError(f"{name}.get_shape().ndims cannot be None")
        present = tf.cast(tf.not_equal(weights, 0), tf.float32)
        present = tf.zeros_like(difference) + _expand_rank(present, difference.shape.rank)
        axes = list(range(1, difference.shape.rank))
        count = tf.reduce_sum(present, axes)
        squares = tf.reduce_sum(tf.square(difference), axes)
        squares = 2.0 * tf.math.divide_no_nan(squares, count, name="value")
        squared = tf.square(tf.reduce_sum(difference, axes))
        mean = 2.0 * tf.math.divide_no_nan(squared, tf.square(count), name="value")
        loss = tf.reduce_sum((squares - mean) * weights)
        loss = tf.where(tf.reduce_sum(count) > 0, loss, tf.zeros_like(loss), name="value")
        add_loss(loss)
        return loss


def _expand_rank(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    missing = [1] * (rank - tensor.shape.rank)
    return tf.reshape(tensor, tf.concat([tf.shape(tensor), missing], 0)) if missing else tensor


def cosine_distance(
    predictions: tf.Tensor,
    labels: Any = None,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    dim: int | None = None,
) -> tf.Tensor:
    """Returns the mean cosine distance of normalized vectors.

    Args:
      predictions: Vectors with an L2 norm of 1.
      labels: Vectors with an L2 norm of 1, with the shape of the predictions.
      axis: Dimension of the vectors.
      weights: Weights. See `compute_weighted_loss`.
      scope: Name scope.
      dim: Old name of `axis`.

    Raises:
      ValueError: Neither or both of `axis` and `dim` are specified.
    """
    if axis is not None and dim is not None:
        raise ValueError("Cannot specify both 'axis' and 'dim'")
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    values = [predictions, labels, weights]
    with tf1.name_scope(scope, "cosine_distance_loss", values) as scope_name:
        predictions, labels = _floats(predictions, labels)
        losses = 1 - tf.reduce_sum(predictions * labels, axis=[axis])
        return compute_weighted_loss(losses, weights, scope_name)
