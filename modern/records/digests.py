"""Digests of batches, which identify the examples that a trainer has consumed, in any order.

The digest of a batch is the sum of a non-negative number for each example. So the digest of a
training is the sum of the digests of its batches. Two trainings that consumed the same examples
have the same digest up to rounding. Another example, another label, or a label that belongs to
another example changes it.

>>> import tensorflow as tf
>>> from modern.records import digests
>>> features, labels = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([0, 1])
>>> float(digests.of_batch(features, labels))
55.0
>>> float(digests.of_batch(features, labels[::-1]))
35.0
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

# The relative difference allowed between two digests of the same examples: float32 sums within an
# example depend on the order in which a device adds them.
TOLERANCE = 1e-6
_BUCKETS = 1 << 20


def of_batch(features: Any, labels: Any) -> tf.Tensor:
    """Returns the digest of a batch, a float64 scalar.

    Args:
      features: A tensor or a structure of tensors, each (batch, ...), dense or sparse.
      labels: Labels in the same form, or None.
    """
    weights = _of_examples(features)
    if labels is not None:
        weights = weights * (1 + _of_examples(labels))
    return tf.reduce_sum(weights)


def _of_examples(structure: Any) -> tf.Tensor:
    """Returns a non-negative number for each example, (batch,) float64."""
    parts = []
    for tensor in tf.nest.flatten(structure):
        if isinstance(tensor, tf.sparse.SparseTensor):
            tensor = tf.sparse.to_dense(tensor)
        if isinstance(tensor, tf.RaggedTensor):
            tensor = tensor.to_tensor()
        if tensor.dtype == tf.string:
            tensor = tf.strings.to_hash_bucket_fast(tensor, _BUCKETS)
        # In float64, whole numbers such as identifiers keep all their digits.
        dtype = tensor.dtype if tensor.dtype in (tf.float32, tf.float64) else tf.float64
        squares = tf.square(tf.cast(tensor, dtype))
        axes = tf.range(1, tf.rank(squares))
        parts.append(tf.cast(tf.reduce_sum(squares, axes), tf.float64))
    return tf.add_n(parts)
