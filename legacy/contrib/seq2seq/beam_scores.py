"""What scores a beam besides how likely it is (arXiv:1609.08144): for `BeamSearchDecoder`.

scores = log_probs / length_penalty(lengths, 0.6)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.seq2seq.attention_wrapper import AttentionWrapperState


def length_penalty(lengths: tf.Tensor, weight: Any) -> tf.Tensor | None:
    """Returns ((5 + length) / 6) ** weight; None where the weight is known to be 0.

    Args:
      lengths: Integers of any shape.
      weight: A scalar.

    Raises:
      ValueError: The weight is no scalar.
    """
    weight = _scalar(weight, "length_penalty_weight")
    if tf.get_static_value(weight) == 0:
        return None
    return tf.pow((5.0 + tf.cast(lengths, tf.float32)) / 6.0, weight)


def coverage_penalty(attention: tf.Tensor, weight: Any) -> tf.Tensor | None:
    """Returns weight * sum(log(min(attention, 1))); None where the weight is known to be 0.

    Args:
      attention: How much each place was looked at in all, of shape [batch, beams, length]; 0
        where there is nothing to be looked at.
      weight: A scalar.

    Returns:
      A tensor of shape [batch, beams], not above 0.

    Raises:
      ValueError: The weight is no scalar.
    """
    weight = _scalar(weight, "coverage_penalty_weight")
    if tf.get_static_value(weight) == 0:
        return None
    covered = tf.where(tf.equal(attention, 0), tf.ones_like(attention), tf.minimum(attention, 1))
    return tf.cast(weight, attention.dtype) * tf.reduce_sum(tf.math.log(covered), 2)


def _scalar(weight: Any, name: str) -> tf.Tensor:
    weight = tf.cast(weight, tf.float32)
    if weight.shape.rank != 0:
        raise ValueError(f"{name} should be a scalar, but saw shape: {weight.shape}")
    return weight


def has_coverage(weight: Any) -> bool:
    """Says whether attention has to be kept; of a tensor it is not known, so it has."""
    return tf.is_tensor(weight) or bool(weight != 0)


def attended(cell_state: Any) -> tf.Tensor:
    """Returns where a cell, or a stack of cells, looked: the mean over all that attend.

    Args:
      cell_state: An `AttentionWrapperState`, or a tuple with some.

    Raises:
      ValueError: There is none.
    """
    is_stack = isinstance(cell_state, tuple) and not isinstance(cell_state, AttentionWrapperState)
    cells = cell_state if is_stack else (cell_state,)
    means = [
        _mean(each.alignments if isinstance(each.alignments, tuple) else (each.alignments,))
        for each in cells
        if isinstance(each, AttentionWrapperState)
    ]
    if not means:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    return _mean(means)


def _mean(tensors: Any) -> tf.Tensor:
    return tensors[0] if len(tensors) == 1 else tf.reduce_mean(tf.stack(tensors, -1), -1)
