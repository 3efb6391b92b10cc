"""Sequence losses and tensor functions of contrib.seq2seq.

loss = sequence_loss(logits, targets, tf.sequence_mask(lengths, dtype=tf.float32))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def sequence_loss(
    logits: tf.Tensor,
    targets: tf.Tensor,
    weights: tf.Tensor,
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    sum_over_timesteps: bool = False,
    sum_over_batch: bool = False,
    softmax_loss_function: Callable[..., tf.Tensor] | None = None,
    name: str | None = None,
) -> tf.Tensor:
    """Returns the weighted cross entropy of sequences.

    Args:
      logits: Logits of shape [batch, length, classes].
      targets: Class ids, integers of shape [batch, length].
      weights: Weights of shape [batch, length].
      average_across_timesteps: If true, sums over time and divides by the sum of the weights.
      average_across_batch: If true, sums over the batch and divides by the sum of the weights.
      sum_over_timesteps: If true, sums over time and divides by the number of nonzero weights.
      sum_over_batch: If true, sums over the batch and divides by the number of nonzero weights.
      softmax_loss_function: Function of `labels` and `logits` to use instead of the cross entropy.
      name: Name scope of the operations.

    Returns:
      A scalar if both dimensions are reduced, else a tensor of shape [batch], [length] or
      [batch, length].

    Raises:
      ValueError: A tensor has the wrong rank, or a dimension is both averaged and summed.
    """
    for message, tensor, rank in (
        ("Logits must be a [batch_size x sequence_length x logits] tensor", logits, 3),
        ("Targets must be a [batch_size x sequence_length] tensor", targets, 2),
        ("Weights must be a [batch_size x sequence_length] tensor", weights, 2),
    ):
        if tensor.shape.rank != rank:
            raise ValueError(message)
    for axis, is_averaged, is_summed in (
        ("timesteps", average_across_timesteps, sum_over_timesteps),
        ("batch", average_across_batch, sum_over_batch),
    ):
        if is_averaged and is_summed:
            raise ValueError(
                f"average_across_{axis} and sum_over_{axis} cannot be set to True at same time."
            )
    with tf1.name_scope(name, "sequence_loss", [logits, targets, weights]):
        entropy = softmax_loss_function or tf.nn.sparse_softmax_cross_entropy_with_logits
        losses = entropy(
            labels=tf.reshape(targets, [-1]),
            logits=tf.reshape(logits, [-1, tf.shape(logits)[2]]),
        )
        losses = tf.reshape(losses, tf.shape(logits)[:2]) * weights

        def divide(axes: list[int], by_weight: bool) -> tf.Tensor:
            counts = weights if by_weight else tf.cast(tf.not_equal(weights, 0), losses.dtype)
            total = tf.reduce_sum(losses, axes)
            return tf.math.divide_no_nan(total, tf.reduce_sum(counts, axes))

        if average_across_timesteps and average_across_batch:
            return divide([0, 1], by_weight=True)
        if sum_over_timesteps and sum_over_batch:
            return divide([0, 1], by_weight=False)
        if average_across_timesteps or average_across_batch:
            return divide([0] if average_across_batch else [1], by_weight=True)
        if sum_over_timesteps or sum_over_batch:
            return divide([0] if sum_over_batch else [1], by_weight=False)
        return losses


def tile_batch(t: Any, multiplier: int, name: str | None = None) -> Any:
    """Repeats each example of a batch, as `BeamSearchDecoder` requires.

    Args:
      t: Tensor of shape [batch, ...], or a nested structure of such tensors.
      multiplier: Number of copies.
      name: Name scope of the operations.

    Returns:
      The same structure with tensors of shape [batch * multiplier, ...].

    Raises:
      ValueError: A tensor is a scalar or has an unknown rank.
    """

    def tile(tensor: Any) -> tf.Tensor:
        tensor = tf.convert_to_tensor(tensor, name="t")
        if not tensor.shape.rank:
            raise ValueError("t must have statically known rank")
        result = tf.repeat(tensor, multiplier, axis=0)
        batch, *rest = tensor.shape.as_list()
        static_multiplier = tf.get_static_value(tf.convert_to_tensor(multiplier))
        result.set_shape(
            [None if None in (batch, static_multiplier) else batch * int(static_multiplier), *rest]
        )
        return result

    with tf1.name_scope(name, "tile_batch", [*tf.nest.flatten(t), multiplier]):
        return tf.nest.map_structure(tile, t)


def hardmax(logits: Any, name: str | None = None) -> tf.Tensor:
    """Returns a one-hot encoding of the largest element along the last dimension."""
    with tf1.name_scope(name, "Hardmax", [logits]):
        logits = tf.convert_to_tensor(logits, name="logits")
        depth = logits.shape.as_list()[-1] or tf.shape(logits)[-1]
        return tf.one_hot(tf.argmax(logits, -1), depth, dtype=logits.dtype)


def gather_tree(
    step_ids: Any,
    parent_ids: Any,
    max_sequence_lengths: Any,
    end_token: Any,
    name: str | None = None,
) -> tf.Tensor:
    """Traces each beam from its last step back to its first, and returns its ids.

    Args:
      step_ids: Ids of each step, int32 of shape [length, batch, beams].
      parent_ids: Beam of the previous step that each beam continues, of the same shape.
      max_sequence_lengths: Lengths of shape [batch]. Later ids become `end_token`.
      end_token: Id that ends a beam. All ids after it become `end_token`.
      name: Name scope of the operations.

    Returns:
      The ids of the complete beams, of shape [length, batch, beams].
    """
    with tf1.name_scope(name, "GatherTree", [step_ids, parent_ids]):
        step_ids, parent_ids = (
            tf.convert_to_tensor(ids_tensor, tf.int32) for ids_tensor in (step_ids, parent_ids)
        )
        end = tf.convert_to_tensor(end_token, tf.int32)
        length, batch, beams = tf.unstack(tf.shape(step_ids))
        lengths = tf.minimum(tf.convert_to_tensor(max_sequence_lengths, tf.int32), length)
        inside = tf.transpose(tf.sequence_mask(lengths, length))[:, :, None]
        own_beams = tf.tile(tf.range(beams)[None], [batch, 1])

        def back(beam: tf.Tensor, step: Any) -> tf.Tensor:
            parents, is_inside = step
            return tf.where(is_inside, tf.gather(parents, beam, batch_dims=1), own_beams)

        # parents[t] is the beam of step t that each beam of step t + 1 continues. The last step
        # continues itself: the loop then has at least one step, and so a result with a shape. The
        # slice drops this step if the length is 0.
        parents = tf.concat([parent_ids[1:], own_beams[None]], 0)
        is_after = tf.concat([inside[1:], tf.zeros([1, batch, 1], tf.bool)], 0)
        beams_of = tf.scan(back, (parents, is_after), own_beams, reverse=True)[:length]
        ids = tf.where(inside, tf.gather(step_ids, beams_of, batch_dims=2), end)
        is_after_end = tf.cumsum(tf.cast(tf.equal(ids, end), tf.int32), axis=0, exclusive=True) > 0
        result = tf.where(is_after_end, end, ids)
        result.set_shape(step_ids.shape)
        return result


def gather_tree_from_array(t: tf.Tensor, parent_ids: tf.Tensor, sequence_length: Any) -> tf.Tensor:
    """Reorders the recorded values of each step, so that they follow the final beams.

    Args:
      t: Values of shape [length, batch * beams, ...] or [length, batch, beams, ...].
      parent_ids: Beam of the previous step that each beam continues, of shape
        [length, batch, beams].
      sequence_length: Lengths of shape [batch, beams]. Later values keep their positions.

    Returns:
      A tensor with the shape of `t`.
    """
    length, batch, beams = tf.unstack(tf.shape(parent_ids))
    own_beams = tf.tile(tf.range(beams)[None, None], [length, batch, 1])
    longest = tf.cast(tf.reduce_max(sequence_length, axis=1), tf.int32)
    ancestors = gather_tree(own_beams, parent_ids, longest, end_token=beams + 1)
    is_inside = tf.transpose(tf.sequence_mask(sequence_length, length), [2, 0, 1])
    beams_of = tf.where(is_inside, ancestors, own_beams)
    by_beam = tf.reshape(t, tf.concat([tf.shape(parent_ids), [-1]], 0))
    result = tf.reshape(tf.gather(by_beam, beams_of, batch_dims=2), tf.shape(t))
    result.set_shape(t.shape)
    return result
