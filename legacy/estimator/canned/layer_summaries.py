"""Writes summaries of the layers of canned models.

>>> import tensorflow as tf
>>> with tf.Graph().as_default():
...     add(tf.zeros([2, 3]), "dnn/hiddenlayer_0")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def add(value: tf.Tensor, tag: str) -> None:
    """Adds summaries of a layer's fraction of zeros and of its activations.

    Args:
      value: Output of the layer, of any shape.
      tag: Name of the layer.
    """
    tf1.summary.scalar(f"{tag}/fraction_of_zero_values", tf.math.zero_fraction(value))
    tf1.summary.histogram(f"{tag}/activation", value)


def add_linear(bias: Any, weights: Sequence[Any], units: int) -> None:
    """Adds summaries of a linear model's bias and of its fraction of zero weights.

    Args:
      bias: Variable of shape [units], possibly partitioned.
      weights: The other variables of the model. Partitions count as separate variables.
      units: Number of logits. A single bias becomes a scalar summary, several become a histogram.
    """
    bias = tf.convert_to_tensor(bias)
    if units > 1:
        tf1.summary.histogram("bias", bias)
    else:
        tf1.summary.scalar("bias", bias[0])
    tf1.summary.scalar("fraction_of_zero_weights", fraction_of_zeros(weights))


def fraction_of_zeros(variables: Any) -> tf.Tensor:
    """Returns the fraction of elements that are zero.

    Args:
      variables: A nest of variables.

    Returns:
      A float32 scalar.
    """
    with tf.name_scope("zero_fraction"):
        variables = tf.nest.flatten(variables)
        sizes = [tf.size(variable, out_type=tf.int64) for variable in variables]
        zeros = [
            size - tf.math.count_nonzero(variable)
            for variable, size in zip(variables, sizes, strict=True)
        ]
        return tf.cast(tf.add_n(zeros), tf.float32) / tf.cast(tf.add_n(sizes), tf.float32)
