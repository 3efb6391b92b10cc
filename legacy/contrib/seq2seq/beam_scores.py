"""Length and coverage penalties of `BeamSearchDecoder` (arXiv:1609.08144).

scores = log_probs / length_penalty(lengths, 0.6)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.seq2seq.attention_wrapper import AttentionWrapperState


def length_penalty(lengths: tf.Tensor, weight: Any) -> tf.Tensor | None:
    """Returns ((5 + length) / 6) ** weight, or None if the weight is statically 0.

    Args:
      lengths: Lengths of the beams, integers of any shape.
      weight: Scalar weight of the penalty.

    Raises:
      ValueError: The weight is not a scalar.
    """
    weight = _scalar(weight, "length_penalty_weight")
    if tf.get_static_value(weight) == 0:
        return None
    return tf.pow((5.0 + tf.cast(lengths, tf.float32)) / 6.0, weight)


def coverage_penalty(attention: tf.Tensor, weight: Any) -> tf.Tensor | None:
    """Returns weight * sum(log(min(attention, 1))), or None if the weight is statically 0.

    Args:
      attention: Accumulated attention to each memory position, of shape [batch, beams, length].
        Positions with the value 0 do not count, because they are padding.
      weight: Scalar weight of the penalty.

    Returns:
      A tensor of shape [batch, beams]. With a positive weight, its values are at most 0.

    Raises:
      ValueError: The weight is not a scalar.
    """
    weight = _scalar(weight, "coverage_penalty_weight")
    if tf.get_static_value(weight) == 0:
        return None
    coverage = tf.where(tf.equal(attention, 0), tf.ones_like(attention), tf.minimum(attention, 1))
    return tf.cast(weight, attention.dtype) * tf.reduce_sum(tf.math.log(coverage), 2)


def _scalar(weight: Any, name: str) -> tf.Tensor:
    weight = tf.cast(weight, tf.float32)
    if weight.shape.rank != 0:
        raise ValueError(f"{name} should be a scalar, but saw shape: {weight.shape}")
    return weight


def has_coverage(weight: Any) -> bool:
    """Returns False if the weight is a Python 0. A tensor may turn out to be nonzero."""
    return tf.is_tensor(weight) or bool(weight != 0)


def mean_alignments(cell_state: Any) -> tf.Tensor:
    """Returns the mean alignments of the attention cells in a cell or a stack of cells.

    Args:
      cell_state: `AttentionWrapperState`, or a tuple that contains at least one.

    Raises:
      ValueError: No state is an `AttentionWrapperState`.
    """
    is_stack = isinstance(cell_state, tuple) and not isinstance(cell_state, AttentionWrapperState)
    cells = cell_state if is_stack else (cell_state,)
    means = [
        _mean(
            cell_state.alignments
            if isinstance(cell_state.alignments, tuple)
            else (cell_state.alignments,)
        )
        for cell_state in cells
        if isinstance(cell_state, AttentionWrapperState)
    ]
    if not means:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    return _mean(means)


def _mean(tensors: Any) -> tf.Tensor:
    return tensors[0] if len(tensors) == 1 else tf.reduce_mean(tf.stack(tensors, -1), -1)
