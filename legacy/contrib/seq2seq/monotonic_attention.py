"""Monotonic attention of contrib.seq2seq (arXiv:1704.00784), which moves only forward.

mechanism = LuongMonotonicAttention(64, memory, score_bias_init=-4.0)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from legacy.contrib.seq2seq.attention import _Bahdanau, _Luong

tf1 = tf.compat.v1


def safe_cumprod(x: Any, *args: Any, **kwargs: Any) -> tf.Tensor:
    """Returns the cumulative product of numbers from 0 to 1, computed as a sum of logs.

    Args:
      x: Numbers from 0 to 1.
      *args: Arguments of `tf.cumsum`.
      **kwargs: Arguments of `tf.cumsum`.
    """
    with tf1.name_scope(None, "SafeCumprod", [x]):
        x = tf.convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny  # The logarithm of 0 would be infinite.
        return tf.exp(tf.cumsum(tf.math.log(tf.clip_by_value(x, tiny, 1)), *args, **kwargs))


def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: str) -> tf.Tensor:
    """Returns the probability that each memory position is attended to.

    Args:
      p_choose_i: Probability that a position is chosen once it is reached, of shape
        [batch, length].
      previous_attention: Result of the previous step, of shape [batch, length].
      mode: "recursive", which is exact. "parallel", which is faster, but inexact for probabilities
        near 0 or 1. Or "hard", for probabilities that are exactly 0 or 1.

    Raises:
      ValueError: The mode is unknown.
    """
    choose = tf.convert_to_tensor(p_choose_i, name="p_choose_i")
    previous = tf.convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        pass_probabilities = tf.concat([tf.ones_like(choose[:, :1]), 1 - choose[:, :-1]], 1)
        arrival_probabilities = tf.scan(
            lambda arrival, step: step[0] * arrival + step[1],
            [tf.transpose(pass_probabilities), tf.transpose(previous)],
            tf.zeros_like(choose[:, 0]),
        )
        return choose * tf.transpose(arrival_probabilities)
    if mode == "parallel":
        # The closed form of the recursion. Clipping avoids a division by 0, but is inexact.
        pass_probabilities = safe_cumprod(1 - choose, axis=1, exclusive=True)
        return (
            choose
            * pass_probabilities
            * tf.cumsum(previous / tf.clip_by_value(pass_probabilities, 1e-10, 1.0), axis=1)
        )
    if mode == "hard":
        choose *= tf.cumsum(previous, axis=1)
        return choose * tf.math.cumprod(1 - choose, axis=1, exclusive=True)
    raise ValueError(f"mode must be 'recursive', 'parallel', or 'hard', not {mode!r}.")


def _probabilities(
    noise: float, mode: str, seed: int | None
) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    def probabilities(scores: tf.Tensor, previous: tf.Tensor) -> tf.Tensor:
        if noise > 0:
            random_values = tf1.random_normal(tf.shape(scores), dtype=scores.dtype, seed=seed)
            scores += noise * random_values
        choice_probabilities = (
            tf.cast(scores > 0, scores.dtype) if mode == "hard" else tf.sigmoid(scores)
        )
        return monotonic_attention(choice_probabilities, previous, mode)

    return probabilities


class _Monotonic:
    """Mixin that adds a score bias, and begins at the first position."""

    _score_bias_init = 0.0

    def initial_alignments(self, batch_size: Any, dtype: Any) -> tf.Tensor:
        """Returns a one-hot encoding of the first position, of shape [batch, memory length]."""
        first_position = tf.zeros([batch_size], tf.int32)
        return tf.one_hot(first_position, self._alignments_size, dtype=dtype)

    def _score(self, query: tf.Tensor) -> tf.Tensor:
        scores = super()._score(query)
        initial_bias = tf.constant(self._score_bias_init, query.dtype)
        return scores + tf1.get_variable("attention_score_bias", initializer=initial_bias)


class LuongMonotonicAttention(_Monotonic, _Luong):
    """Monotonic attention whose scores are products of query and key."""

    _scope = "luong_monotonic_attention"

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "LuongMonotonicAttention",
    ) -> None:
        """Initializes the mechanism. See also `LuongAttention`.

        Args:
          num_units: Size of the keys. The queries must have the same size.
          memory: Memory of shape [batch, length, size], such as the outputs of an encoder.
          memory_sequence_length: Lengths of the memory's sequences, of shape [batch].
          scale: If true, multiplies the scores by a variable.
          score_mask_value: Score of the positions after the end of a sequence.
          sigmoid_noise: Standard deviation of the noise to add to the scores.
          sigmoid_noise_seed: Random seed of the noise.
          score_bias_init: Initial value of the score bias. A negative value favors later positions.
          mode: Mode of `monotonic_attention`.
          dtype: Type of the memory layer.
          name: Name scope of the operations.
        """
        self._scale = scale
        self._score_bias_init = score_bias_init
        super().__init__(
            num_units,
            memory,
            memory_sequence_length,
            False,
            _probabilities(sigmoid_noise, mode, sigmoid_noise_seed),
            score_mask_value,
            dtype,
            None,
            name,
        )


class BahdanauMonotonicAttention(_Monotonic, _Bahdanau):
    """Monotonic attention whose scores come from a tanh layer over query and key."""

    _scope = "bahdanau_monotonic_attention"

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "BahdanauMonotonicAttention",
    ) -> None:
        """Initializes the mechanism. See also `BahdanauAttention`.

        Args:
          num_units: Size of the layers for the query and the keys.
          memory: Memory of shape [batch, length, size], such as the outputs of an encoder.
          memory_sequence_length: Lengths of the memory's sequences, of shape [batch].
          normalize: If true, normalizes the weights of the scores.
          score_mask_value: Score of the positions after the end of a sequence.
          sigmoid_noise: Standard deviation of the noise to add to the scores.
          sigmoid_noise_seed: Random seed of the noise.
          score_bias_init: Initial value of the score bias. A negative value favors later positions.
          mode: Mode of `monotonic_attention`.
          dtype: Type of the layers.
          name: Name scope of the operations.
        """
        self._normalize = normalize
        self._score_bias_init = score_bias_init
        super().__init__(
            num_units,
            memory,
            memory_sequence_length,
            True,
            _probabilities(sigmoid_noise, mode, sigmoid_noise_seed),
            score_mask_value,
            dtype,
            None,
            name,
        )
