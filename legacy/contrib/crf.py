"""tf.contrib.crf: linear-chain conditional random fields.

    log_likelihood, transitions = crf.crf_log_likelihood(logits, tags, lengths)
    loss = -tf.reduce_mean(log_likelihood)
    best_tags, best_score = crf.crf_decode(logits, transitions, lengths)

Tag scores are tensors of shape [batch, length, tags]. Transition scores are of shape [tags, tags].
Element [i, j] is the score of a transition from tag i to tag j. Sequence lengths are of shape
[batch]. Sequences of length 0 have score 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1
_RNNCell = tf1.nn.rnn_cell.RNNCell


def crf_sequence_score(
    inputs: tf.Tensor, tag_indices: tf.Tensor, sequence_lengths: tf.Tensor, transition_params: Any
) -> tf.Tensor:
    """Returns the unnormalized score of tag sequences.

    Args:
      inputs: Tag scores, of shape [batch, length, tags].
      tag_indices: Tags, integers of shape [batch, length].
      sequence_lengths: Sequence lengths, of shape [batch].
      transition_params: Transition scores, of shape [tags, tags].

    Returns:
      A tensor of shape [batch].
    """

    def of_one() -> tf.Tensor:
        scores = tf.gather(tf.squeeze(inputs, [1]), tf.squeeze(tag_indices, [1]), batch_dims=1)
        return _zero_where_empty(scores, sequence_lengths)

    def of_many() -> tf.Tensor:
        return crf_unary_score(tag_indices, sequence_lengths, inputs) + crf_binary_score(
            tag_indices, sequence_lengths, transition_params
        )

    return _by_length(inputs, of_one, of_many)


def crf_multitag_sequence_score(
    inputs: tf.Tensor, tag_bitmap: tf.Tensor, sequence_lengths: tf.Tensor, transition_params: Any
) -> tf.Tensor:
    """Returns the unnormalized score of all tag sequences that a mask allows.

    Args:
      inputs: Tag scores, of shape [batch, length, tags].
      tag_bitmap: Mask of the allowed tags, booleans of the same shape as `inputs`.
      sequence_lengths: Sequence lengths, of shape [batch].
      transition_params: Transition scores, of shape [tags, tags].

    Returns:
      A tensor of shape [batch].
    """
    allowed = tf.where(tag_bitmap, inputs, tf.fill(tf.shape(inputs), float("-inf")))
    return _by_length(
        inputs,
        lambda: tf.reduce_logsumexp(allowed, axis=[1, 2]),
        lambda: crf_log_norm(allowed, sequence_lengths, transition_params),
    )


def crf_log_norm(
    inputs: tf.Tensor, sequence_lengths: tf.Tensor, transition_params: Any
) -> tf.Tensor:
    """Returns the log of the sum over all tag sequences (the partition function).

    Args:
      inputs: Tag scores, of shape [batch, length, tags].
      sequence_lengths: Sequence lengths, of shape [batch].
      transition_params: Transition scores, of shape [tags, tags].

    Returns:
      A tensor of shape [batch].
    """
    first_scores = tf.squeeze(inputs[:, :1], [1])

    def of_many() -> tf.Tensor:
        _, last_scores = tf1.nn.dynamic_rnn(
            CrfForwardRnnCell(transition_params),
            inputs[:, 1:],  # The first step is the initial state.
            sequence_length=_one_less(sequence_lengths),
            initial_state=first_scores,
            dtype=tf.float32,
        )
        return last_scores

    scores_at_end = _by_length(inputs, lambda: first_scores, of_many)
    return _zero_where_empty(tf.reduce_logsumexp(scores_at_end, [1]), sequence_lengths)


def crf_log_likelihood(
    inputs: tf.Tensor,
    tag_indices: tf.Tensor,
    sequence_lengths: tf.Tensor,
    transition_params: Any = None,
) -> tuple[tf.Tensor, Any]:
    """Returns the log likelihood of tag sequences.

    Args:
      inputs: Tag scores, of shape [batch, length, tags].
      tag_indices: Tags, integers of shape [batch, length].
      sequence_lengths: Sequence lengths, of shape [batch].
      transition_params: Transition scores, of shape [tags, tags]. None creates the variable
        "transitions".

    Returns:
      A tensor of shape [batch], and the transition scores.
    """
    tags = inputs.shape.as_list()[2]
    if transition_params is None:
        transition_params = tf1.get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    return scores - crf_log_norm(inputs, sequence_lengths, transition_params), transition_params


def crf_unary_score(
    tag_indices: tf.Tensor, sequence_lengths: tf.Tensor, inputs: tf.Tensor
) -> tf.Tensor:
    """Returns the sum of the tag scores along each sequence.

    Args:
      tag_indices: Tags, integers of shape [batch, length].
      sequence_lengths: Sequence lengths, of shape [batch].
      inputs: Tag scores, of shape [batch, length, tags].

    Returns:
      A tensor of shape [batch].
    """
    scores = tf.gather(inputs, tag_indices, batch_dims=2)
    return tf.reduce_sum(scores * _mask(tag_indices, sequence_lengths), 1)


def crf_binary_score(
    tag_indices: tf.Tensor, sequence_lengths: tf.Tensor, transition_params: Any
) -> tf.Tensor:
    """Returns the sum of the transition scores along each sequence.

    Args:
      tag_indices: Tags, integers of shape [batch, length].
      sequence_lengths: Sequence lengths, of shape [batch].
      transition_params: Transition scores, of shape [tags, tags].

    Returns:
      A tensor of shape [batch].
    """
    places = tf.stack([tag_indices[:, :-1], tag_indices[:, 1:]], axis=-1)
    scores = tf.gather_nd(tf.convert_to_tensor(transition_params), places)
    return tf.reduce_sum(scores * _mask(tag_indices, sequence_lengths)[:, 1:], 1)


def viterbi_decode(score: np.ndarray, transition_params: np.ndarray) -> tuple[list[int], Any]:
    """Returns the best tag sequence, computed in NumPy.

    Args:
      score: Tag scores, of shape [length, tags].
      transition_params: Transition scores, of shape [tags, tags].

    Returns:
      The tags, and the score of the sequence.
    """
    best, pointers = score[0], []
    for step in score[1:]:
        candidates = best[:, None] + transition_params
        pointers.append(np.argmax(candidates, 0))
        best = step + np.max(candidates, 0)
    tags = [np.argmax(best)]
    for pointer in reversed(pointers):
        tags.append(pointer[tags[-1]])
    return tags[::-1], np.max(best)


def crf_decode(
    potentials: tf.Tensor, transition_params: Any, sequence_length: tf.Tensor
) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the best tag sequences.

    Args:
      potentials: Tag scores, of shape [batch, length, tags].
      transition_params: Transition scores, of shape [tags, tags].
      sequence_length: Sequence lengths, of shape [batch].

    Returns:
      Tags, int32 of shape [batch, length], with 0 after the end of a sequence, and the scores of
      the sequences, of shape [batch].
    """

    def of_one() -> tuple[tf.Tensor, tf.Tensor]:
        scores = tf.squeeze(potentials, [1])
        tags = tf.argmax(scores, axis=1, output_type=tf.int32)
        return tags[:, None], tf.reduce_max(scores, axis=1)

    def of_many() -> tuple[tf.Tensor, tf.Tensor]:
        lengths = _one_less(sequence_length)
        pointers, last_scores = tf1.nn.dynamic_rnn(
            CrfDecodeForwardRnnCell(transition_params),
            potentials[:, 1:],
            sequence_length=lengths,
            initial_state=tf.squeeze(potentials[:, :1], [1]),
            dtype=tf.int32,
        )
        end = tf.argmax(last_scores, axis=1, output_type=tf.int32)[:, None]
        # Follows the pointers from the end of each sequence to its beginning, then reverses the
        # tags.
        tags, _ = tf1.nn.dynamic_rnn(
            CrfDecodeBackwardRnnCell(potentials.shape.as_list()[2]),
            tf.reverse_sequence(pointers, lengths, seq_axis=1),
            sequence_length=lengths,
            initial_state=end,
            dtype=tf.int32,
        )
        tags = tf.concat([end, tf.squeeze(tags, [2])], axis=1)
        tags = tf.reverse_sequence(tags, sequence_length, seq_axis=1)
        return tags, tf.reduce_max(last_scores, axis=1)

    return _by_length(potentials, of_one, of_many)


class _TagsCell(_RNNCell):
    """An RNN cell whose state holds a score for each tag."""

    def __init__(self, transition_params: Any) -> None:
        """Sets the transition scores.

        Args:
          transition_params: Transition scores, of shape [tags, tags].
        """
        super().__init__()
        self._transitions = tf.expand_dims(transition_params, 0)

    @property
    def state_size(self) -> int:
        """The number of tags."""
        return self._transitions.shape.as_list()[1]

    @property
    def output_size(self) -> int:
        """The number of tags."""
        return self._transitions.shape.as_list()[1]

    def _candidate_scores(self, state: tf.Tensor) -> tf.Tensor:
        return state[:, :, None] + self._transitions


class CrfForwardRnnCell(_TagsCell):
    """A step of the forward algorithm. Its output and state are logs of sums over tag sequences."""

    def __call__(self, inputs: tf.Tensor, state: tf.Tensor, scope: Any = None) -> Any:
        """Returns the new logs of sums, as output and as state."""
        new = inputs + tf.reduce_logsumexp(self._candidate_scores(state), [1])
        return new, new


class CrfDecodeForwardRnnCell(_TagsCell):
    """A forward step of the Viterbi algorithm. Its output is the best previous tag of each tag."""

    def __call__(self, inputs: tf.Tensor, state: tf.Tensor, scope: Any = None) -> Any:
        """Returns the best previous tags, and the best scores as state."""
        candidates = self._candidate_scores(state)
        previous_tags = tf.argmax(candidates, 1, output_type=tf.int32)
        return previous_tags, inputs + tf.reduce_max(candidates, [1])


class CrfDecodeBackwardRnnCell(_RNNCell):
    """A backward step of the Viterbi algorithm, along the best tag sequence."""

    def __init__(self, num_tags: int) -> None:
        """Sets the number of tags.

        Args:
          num_tags: Number of tags.
        """
        super().__init__()
        self._num_tags = num_tags

    @property
    def state_size(self) -> int:
        """The size of the state: 1, a single tag."""
        return 1

    @property
    def output_size(self) -> int:
        """The size of the output: 1, a single tag."""
        return 1

    def __call__(self, inputs: tf.Tensor, state: tf.Tensor, scope: Any = None) -> Any:
        """Returns the previous tag, as output and as state."""
        tag = tf.gather(inputs, state, batch_dims=1)
        return tag, tag


def _by_length(inputs: tf.Tensor, of_one: Callable[[], Any], of_many: Callable[[], Any]) -> Any:
    """Calls `of_one` for sequences of one step, and `of_many` for longer ones."""
    length = inputs.shape.as_list()[1]
    if length is not None:
        return of_one() if length == 1 else of_many()
    return tf1.cond(tf.equal(tf.shape(inputs)[1], 1), of_one, of_many)


def _zero_where_empty(values: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    return tf.where(lengths <= 0, tf.zeros_like(values), values)


def _one_less(lengths: tf.Tensor) -> tf.Tensor:
    return tf.maximum(lengths - 1, 0)


def _mask(tag_indices: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    return tf.sequence_mask(lengths, maxlen=tf.shape(tag_indices)[1], dtype=tf.float32)


__getattr__ = _missing.attribute_of("crf")
