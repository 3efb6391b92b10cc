"""tf.contrib.nn: losses with logits before labels, and a few functions of neural networks.

loss = nn.deprecated_flipped_softmax_cross_entropy_with_logits(logits, labels)
"""

from __future__ import annotations

import numbers
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: tf.Tensor, labels: tf.Tensor, dim: int = -1, name: str | None = None
) -> tf.Tensor:
    """Returns `tf.compat.v1.nn.softmax_cross_entropy_with_logits`, with the logits first.

    Args:
      logits: Logits.
      labels: Probability of each class, of the same shape as `logits`.
      dim: Dimension of the classes.
      name: Name of the operation.
    """
    return tf1.nn.softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, dim=dim, name=name
    )


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: tf.Tensor, labels: tf.Tensor, name: str | None = None
) -> tf.Tensor:
    """Returns `tf.compat.v1.nn.sparse_softmax_cross_entropy_with_logits`, with the logits first.

    Args:
      logits: Logits, of shape [..., classes].
      labels: Classes, integers of shape [...].
      name: Name of the operation.
    """
    return tf1.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(
    logits: tf.Tensor, targets: tf.Tensor, name: str | None = None
) -> tf.Tensor:
    """Returns `tf.compat.v1.nn.sigmoid_cross_entropy_with_logits`, with the logits first.

    Args:
      logits: Logits.
      targets: Labels from 0 to 1, of the same shape as `logits`.
      name: Name of the operation.
    """
    return tf1.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)


def alpha_dropout(
    x: Any,
    keep_prob: Any,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """Drops elements, and keeps the mean and variance that SELU produces (arXiv:1706.02515).

    Args:
      x: A tensor.
      keep_prob: Probability that an element is kept.
      noise_shape: Shape of the random values.
      seed: Random seed.
      name: Name of the operations.

    Returns:
      The tensor, with dropped elements set to the lower limit of SELU, scaled and shifted.

    Raises:
      ValueError: The probability is not in (0, 1].
    """
    with tf1.name_scope(name, "alpha_dropout", [x]):
        x = tf.convert_to_tensor(x, name="x")
        if isinstance(keep_prob, numbers.Real) and not 0 < keep_prob <= 1:
            raise ValueError(
                "keep_prob must be a scalar tensor or a float in the range (0, 1], got "
                f"{keep_prob:g}"
            )
        keep_prob = tf.convert_to_tensor(keep_prob, x.dtype, name="keep_prob")
        keep_prob.shape.assert_has_rank(0)
        if tf.get_static_value(keep_prob) == 1:
            return x
        limit = -1.7580993408473766  # The limit of SELU at minus infinity.
        shape = tf.shape(x) if noise_shape is None else noise_shape
        uniform = tf1.random_uniform(shape, seed=seed, dtype=x.dtype)
        mask = tf.cast(uniform >= 1 - keep_prob, x.dtype)
        scale = (keep_prob + keep_prob * (1 - keep_prob) * limit**2) ** -0.5
        return scale * (x * mask + limit * (1 - mask)) - scale * limit * (1 - keep_prob)


def scaled_softplus(x: Any, alpha: Any, clip: Any = None, name: str | None = None) -> tf.Tensor:
    """Returns `alpha * softplus(x / alpha)`, a smooth ReLU with a gradient for alpha.

    Args:
      x: A tensor.
      alpha: Smoothness, above 0. It broadcasts to `x`.
      clip: Upper bound of the result. None is no bound.
      name: Name of the operations.
    """
    with tf1.name_scope(name, "scaled_softplus", [x, alpha, clip]):
        x = tf.convert_to_tensor(x, name="x")
        alpha = tf.convert_to_tensor(alpha, x.dtype, name="alpha")
        y = alpha * tf.nn.softplus(x / alpha)
        return y if clip is None else tf.minimum(y, tf.convert_to_tensor(clip, x.dtype))


def sampled_sparse_softmax_loss(
    weights: Any,
    biases: Any,
    labels: tf.Tensor,
    inputs: tf.Tensor,
    num_sampled: int,
    num_classes: int,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str = "sampled_sparse_softmax_loss",
) -> tf.Tensor:
    """Returns a classification loss for training, computed on a sample of the classes.

    Args:
      weights: Weights of shape [classes, size], or a list of their partitions.
      biases: Biases of shape [classes].
      labels: Class of each example, integers of shape [batch, 1].
      inputs: Inputs of shape [batch, size].
      num_sampled: Number of classes to sample.
      num_classes: Number of classes.
      sampled_values: Return value of a candidate sampler. None is a log-uniform sampler.
      remove_accidental_hits: If true, ignores a sampled class that equals the label.
      partition_strategy: Partitioning of `weights`: "mod" or "div".
      name: Name of the operations.

    Returns:
      A tensor of shape [batch].
    """
    return tf1.nn.sampled_softmax_loss(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true=1,
        sampled_values=sampled_values,
        remove_accidental_hits=remove_accidental_hits,
        partition_strategy=partition_strategy,
        name=name,
    )


conv1d_transpose = tf1.nn.conv1d_transpose


def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> tf.Tensor:  # noqa: A002
    """Returns the n-th smallest element of the last dimension.

    Args:
      input: A tensor of rank 1 or more.
      n: Index of the element, counted from 0.
      reverse: If true, returns the n-th largest element.
      name: Name of the operation.
    """
    return tf.raw_ops.NthElement(input=input, n=n, reverse=reverse, name=name)


__getattr__ = _missing.attribute_of("nn")
