"""Weight regularizers of tf.contrib.layers.

layers.fully_connected(net, 10, weights_regularizer=l2_regularizer(1e-4))
loss += tf.compat.v1.losses.get_regularization_loss()
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1
_Regularizer = Callable[[Any], tf.Tensor | None]


def _scaled_norm(
    scale: Any, scope: str | None, name: str, norm: Callable[[Any], Any]
) -> _Regularizer:
    """Returns a regularizer that multiplies a norm of the weights by a scale."""
    if isinstance(scale, numbers.Integral):
        raise ValueError(f"scale cannot be an integer: {scale}; write {float(scale)}.")
    if isinstance(scale, numbers.Real):
        if scale < 0:
            raise ValueError(f"Setting a scale less than 0 on a regularizer: {scale:g}.")
        if scale == 0:
            tf1.logging.info("Scale of 0 disables regularizer.")
            return lambda _: None

    def regularizer(weights: Any) -> tf.Tensor:
        with tf1.name_scope(scope, name, [weights]) as scope_name:
            factor = tf.convert_to_tensor(scale, weights.dtype.base_dtype, name="scale")
            return tf.multiply(factor, norm(weights), name=scope_name)

    return regularizer


def l1_regularizer(scale: float, scope: str | None = None) -> _Regularizer:
    """Returns the L1 regularizer: `scale` times the sum of absolute values.

    Args:
      scale: Factor, a float or a scalar tensor. 0.0 turns the regularizer off.
      scope: Name scope of the operations.

    Raises:
      ValueError: The factor is an integer or negative.
    """
    return _scaled_norm(
        scale, scope, "l1_regularizer", lambda weights: tf.reduce_sum(tf.abs(weights))
    )


def l2_regularizer(scale: float, scope: str | None = None) -> _Regularizer:
    """Returns the L2 regularizer: `scale` times half the sum of squares. See `l1_regularizer`."""
    return _scaled_norm(scale, scope, "l2_regularizer", tf.nn.l2_loss)


def l1_l2_regularizer(
    scale_l1: float = 1.0, scale_l2: float = 1.0, scope: str | None = None
) -> _Regularizer:
    """Returns a regularizer that adds the L1 and L2 regularizers.

    Args:
      scale_l1: Factor of the L1 regularizer, a float.
      scale_l2: Factor of the L2 regularizer, a float.
      scope: Name scope of the operations.

    Raises:
      ValueError: A factor is an integer or negative.
    """
    for name, scale in (("scale_l1", scale_l1), ("scale_l2", scale_l2)):
        if isinstance(scale, numbers.Integral):
            raise ValueError(f"{name} cannot be an integer: {scale}; write {float(scale)}.")
    scope = scope or "l1_l2_regularizer"
    if scale_l1 == 0.0:
        return l2_regularizer(scale_l2, scope)
    if scale_l2 == 0.0:
        return l1_regularizer(scale_l1, scope)
    l1_l2 = sum_regularizer([l1_regularizer(scale_l1), l2_regularizer(scale_l2)], scope)
    assert l1_l2 is not None
    return l1_l2


def sum_regularizer(
    regularizer_list: Iterable[_Regularizer | None], scope: str | None = None
) -> _Regularizer | None:
    """Returns a regularizer that adds several regularizers.

    Args:
      regularizer_list: Regularizers. None entries are ignored.
      scope: Name scope of the operations.

    Returns:
      A regularizer, or None if the list has no regularizer.
    """
    regularizers = [item for item in regularizer_list if item is not None]
    if not regularizers:
        return None

    def regularizer(weights: Any) -> tf.Tensor | None:
        with tf1.name_scope(scope, "sum_regularizer", [weights]) as scope_name:
            losses = [regularizer_function(weights) for regularizer_function in regularizers]
            losses = [loss for loss in losses if loss is not None]
            return tf.add_n(losses, name=scope_name) if losses else None

    return regularizer


def apply_regularization(regularizer: _Regularizer, weights_list: Any = None) -> tf.Tensor:
    """Applies a regularizer to weights, and adds the sum to REGULARIZATION_LOSSES.

    Args:
      regularizer: Function of a weight tensor that returns a scalar or None.
      weights_list: Weights. The default is the collection WEIGHTS.

    Returns:
      The sum, a scalar.

    Raises:
      ValueError: The list of weights is empty, or a loss is not a scalar.
    """
    weights_list = weights_list or tf1.get_collection(tf1.GraphKeys.WEIGHTS)
    if not weights_list:
        raise ValueError("No weights to regularize.")
    with tf1.name_scope("get_regularization_penalty", values=weights_list) as scope_name:
        losses = [regularizer(weights) for weights in weights_list]
        losses = [tf.constant(0.0) if loss is None else loss for loss in losses]
        for loss in losses:
            if loss.shape.rank != 0:
                raise ValueError(
                    "regularizer must return a scalar Tensor instead of a Tensor with rank "
                    f"{loss.shape.rank}."
                )
        total = tf.add_n(losses, name=scope_name)
        tf1.add_to_collection(tf1.GraphKeys.REGULARIZATION_LOSSES, total)
        return total
