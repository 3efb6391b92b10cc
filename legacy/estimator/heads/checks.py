"""Checks tensors that are passed to a head, both eagerly and in a graph.

>>> import tensorflow as tf
>>> logits = check_logits_final_dim([[1.0], [2.0]], 1)
>>> check_dense_labels_match_logits_and_reshape(tf.constant([3, 4]), logits, 1).shape.as_list()
[2, 1]

Shapes and values that are known when the graph is built are checked at that time, and a mismatch
raises a ValueError. Assertions in the graph check the rest and raise an InvalidArgumentError.
Logits are [D0, ..., DN, logits_dimension], and labels are [D0, ..., DN, labels_dimension].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator.arguments import names

tf1 = tf.compat.v1

LABELS_MISSING = (
    "You must provide a labels Tensor. Given: None. Check that the data has the label's feature, "
    "and that the input_fn returns (features, labels)."
)
_LOGITS_SHAPE = "logits shape must be [D0, D1, ... DN, logits_dimension]"


def check_logits_final_dim(
    logits: Any, expected_logits_dimension: Any, message: str = _LOGITS_SHAPE
) -> tf.Tensor:
    """Checks the shape of logits.

    Args:
      logits: A tensor, [D0, ..., DN, logits_dimension], with N >= 0.
      expected_logits_dimension: Logits dimension of the head, as an int or an integer tensor.
      message: First words of the error about the last dimension.

    Returns:
      The logits as float32.

    Raises:
      ValueError: If the last dimension is known and wrong, or (eagerly) if the rank is below two.
      InvalidArgumentError: If the shape is wrong, when the graph runs.
    """
    with tf1.name_scope(None, "logits", (logits,)) as scope:
        logits = tf.cast(logits, tf.float32)
        if tf.executing_eagerly() and logits.shape.rank < 2:
            raise ValueError(
                f"logits must have rank at least 2.  Received rank {logits.shape.rank}, "
                f"shape {tuple(logits.shape)}"
            )
        shape = tf.shape(logits)
        # TensorFlow's message consists of `data` alone if `data` is passed.
        data = [_LOGITS_SHAPE, shape]
        rank = tf1.debugging.assert_rank_at_least(logits, 2, data=data, message=_LOGITS_SHAPE)
        # Under eager execution the assertion returns None.
        with tf.control_dependencies([] if rank is None else [rank]):
            static = logits.shape
            if static.rank is not None and static[-1] is not None:
                expected = expected_logits_dimension
                if isinstance(expected, int) and static[-1] != expected:
                    raise ValueError(f"{message}, got {static}. The head expects {expected}.")
                return logits
            dimension_check = tf1.debugging.assert_equal(
                expected_logits_dimension, shape[-1], data=[shape], message=message
            )
            with tf.control_dependencies([dimension_check]):
                # The identity makes the check run whenever the logits are read.
                return tf.identity(logits, name=scope)


def check_dense_labels_match_logits_and_reshape(
    labels: Any, logits: tf.Tensor, expected_labels_dimension: int
) -> tf.Tensor:
    """Checks that each logit has a label, and adds the labels' last dimension if it is missing.

    Args:
      labels: A dense tensor, [D0, ..., DN, expected_labels_dimension] or [D0, ..., DN].
      logits: A tensor, [D0, ..., DN, logits_dimension].
      expected_labels_dimension: Size of the last dimension of the labels.

    Returns:
      The labels, [D0, ..., DN, expected_labels_dimension].

    Raises:
      ValueError: If the labels are None or sparse, or if their shape is known and wrong.
      InvalidArgumentError: If their shape is wrong, when the graph runs.
    """
    if labels is None:
        raise ValueError(LABELS_MISSING)
    with tf1.name_scope(None, "labels", (labels, logits)) as scope:
        labels = tf1.convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, tf.SparseTensor):
            raise ValueError(
                "SparseTensor labels are not supported. Labels must be a Tensor of shape "
                f"[D0, D1, ..., DN, {expected_labels_dimension}], e.g. [batch_size, "
                f"{expected_labels_dimension}]. Check the label's feature, or call "
                "tf.sparse.to_dense() on it in the input_fn."
            )
        ranks = (labels.shape.rank, logits.shape.rank)
        if None not in ranks and ranks[0] == ranks[1] - 1:
            labels = tf.expand_dims(labels, -1)
        if tf.executing_eagerly():
            _check_labels_eagerly(labels, logits, expected_labels_dimension)
            return labels
        return _check_labels_in_graph(labels, logits, expected_labels_dimension, scope)


def _check_last_dimension(labels: tf.Tensor, expected: int) -> None:
    if labels.shape.rank is not None and labels.shape[-1] not in (None, expected):
        raise ValueError(
            f"Mismatched label shape. Expected labels dimension={expected}.  Received "
            f"{labels.shape[-1]}. If the labels are one-hot, pass the index of the class instead, "
            "or check n_classes; otherwise check the shape of the labels."
        )


def _labels_shape(expected: int) -> str:
    return (
        f"labels shape must be [D0, D1, ... DN, {expected}]. Check the head's n_classes or "
        "label_dimension, and the shape of the labels"
    )


def _check_labels_eagerly(labels: tf.Tensor, logits: tf.Tensor, expected: int) -> None:
    if labels.shape.rank < 2:
        raise ValueError(
            f"labels must have rank at least 2.  Received rank {labels.shape.rank}, "
            f"shape {tuple(labels.shape)}"
        )
    _check_last_dimension(labels, expected)
    expected_shape = (*logits.shape[:-1], expected)
    if expected_shape != tuple(labels.shape):
        raise ValueError(
            f"{_labels_shape(expected)}, expected_labels_shape: {expected_shape}. "
            f"labels_shape: {tuple(labels.shape)}."
        )


def _check_labels_in_graph(
    labels: tf.Tensor, logits: tf.Tensor, expected: int, scope: str
) -> tf.Tensor:
    message = _labels_shape(expected)
    rank = tf1.debugging.assert_rank_at_least(labels, 2, message=message)
    with tf.control_dependencies([rank]):
        _check_last_dimension(labels, expected)
        expected_shape = tf.concat([tf.shape(logits)[:-1], [expected]], axis=0)
        shape = tf.shape(labels)
        shape_check = tf1.debugging.assert_equal(
            expected_shape,
            shape,
            message=message,
            data=["expected_labels_shape: ", expected_shape, "labels_shape: ", shape],
        )
        with tf.control_dependencies([shape_check]):
            return tf.identity(labels, name=scope)


def check_label_range(labels: Any, n_classes: int, message: str | None = None) -> tf.Tensor:
    """Checks that labels are in [0, n_classes - 1].

    Args:
      labels: A numeric tensor of any shape.
      n_classes: Number of classes.
      message: Message of the error. By default it names the violated bound.

    Returns:
      The labels.

    Raises:
      ValueError: If a label is out of range under eager execution.
      InvalidArgumentError: If a label is out of range, when the graph runs.
    """
    with tf1.name_scope(None, "check_label_range", (labels,)):
        if tf.executing_eagerly():
            if not tf.reduce_all(tf.less_equal(labels, n_classes - 1)):
                raise ValueError(message or f"Labels must be <= {n_classes} - 1")
            if not tf.reduce_all(tf.greater_equal(labels, 0)):
                raise ValueError(message or "Labels must be >= 0")
            return labels
        labels = tf.convert_to_tensor(labels)
        checks = (
            tf1.debugging.assert_less_equal(
                labels,
                tf.convert_to_tensor(n_classes - 1, dtype=labels.dtype),
                message=message or "Labels must be <= n_classes - 1",
            ),
            tf1.debugging.assert_non_negative(labels, message=message or "Labels must be >= 0"),
        )
        with tf.control_dependencies(checks):
            return tf.identity(labels)


def call_loss_fn(
    loss_fn: Callable[..., Any],
    labels: tf.Tensor,
    logits: tf.Tensor,
    features: Mapping[str, Any],
    expected_loss_dim: int = 1,
) -> tf.Tensor:
    """Calls the user's loss function and checks the shape of the loss.

    Args:
      loss_fn: A function of `labels` and `logits`, and of `features` if it has that argument.
      labels: Labels in the form that the head has converted them to, such as class ids.
      logits: A tensor, [D0, ..., DN, logits_dimension].
      features: Dict of features by name.
      expected_loss_dim: Size of the last dimension of the loss.

    Returns:
      The loss, [D0, ..., DN, expected_loss_dim].

    Raises:
      ValueError: If the loss has another shape under eager execution.
      InvalidArgumentError: If the loss has another shape, when the graph runs.
    """
    optional = {"features": features} if "features" in names(loss_fn) else {}
    message = f"loss_fn must return Tensor of shape [D0, D1, ... DN, {expected_loss_dim}]. "
    values = [labels, logits, *(features or {}).values()]
    with tf1.name_scope(None, "call_loss_fn", values):
        loss = loss_fn(labels=labels, logits=logits, **optional)
        if tf.executing_eagerly():
            loss = tf.convert_to_tensor(loss)
            if tuple(loss.shape) != (*logits.shape[:-1], expected_loss_dim):
                raise ValueError(
                    f"{message}logits_shape: {tuple(logits.shape)}. loss_shape: "
                    f"{tuple(loss.shape)}."
                )
            return loss
        logits_shape = tf1.shape(logits, name="logits_shape")
        expected_shape = tf.concat(
            [logits_shape[:-1], [expected_loss_dim]], 0, name="expected_loss_shape"
        )
        loss_shape = tf1.shape(loss, name="loss_shape")
        check = tf.debugging.Assert(
            tf.reduce_all(tf.equal(loss_shape, expected_shape)),
            data=[message, "logits_shape: ", logits_shape, "loss_shape: ", loss_shape],
            name="check_loss_shape",
        )
        with tf.control_dependencies([check]):
            return tf.identity(loss)
