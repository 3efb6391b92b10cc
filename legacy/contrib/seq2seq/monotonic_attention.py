"""Attention that only moves forward: contrib.seq2seq's (arXiv:1704.00784).

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
    """Returns the running product of numbers from 0 to 1, as the exp of a sum of logs.

    Args:
      x: The numbers.
      *args: As of `tf.cumsum`.
      **kwargs: As of `tf.cumsum`.
    """
    with tf1.name_scope(None, "SafeCumprod", [x]):
        x = tf.convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return tf.exp(tf.cumsum(tf.math.log(tf.clip_by_value(x, tiny, 1)), *args, **kwargs))


def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: str) -> tf.Tensor:
    """Returns how likely it is that each place is the one looked at.

    Args:
      p_choose_i: How likely a place is chosen when it is come to, of shape [batch, length].
      previous_attention: What this returned before.
      mode: "recursive", which is exact; "parallel", which is faster and not where a probability is
        near 0 or 1; or "hard", for probabilities that are 0 or 1.

    Raises:
      ValueError: The mode is another.
    """
    choose = tf.convert_to_tensor(p_choose_i, name="p_choose_i")
    previous = tf.convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        passed = tf.concat([tf.ones_like(choose[:, :1]), 1 - choose[:, :-1]], 1)
        arrived = tf.scan(
            lambda last, each: each[0] * last + each[1],
            [tf.transpose(passed), tf.transpose(previous)],
            tf.zeros_like(choose[:, 0]),
        )
        return choose * tf.transpose(arrived)
    if mode == "parallel":
        passed = safe_cumprod(1 - choose, axis=1, exclusive=True)
        return choose * passed * tf.cumsum(previous / tf.clip_by_value(passed, 1e-10, 1.0), axis=1)
    if mode == "hard":
        choose *= tf.cumsum(previous, axis=1)
        return choose * tf.math.cumprod(1 - choose, axis=1, exclusive=True)
    raise ValueError(f"mode must be 'recursive', 'parallel', or 'hard', not {mode!r}.")


def _probabilities(
    noise: float, mode: str, seed: int | None
) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    def probabilities(scores: tf.Tensor, previous: tf.Tensor) -> tf.Tensor:
        if noise > 0:
            drawn = tf1.random_normal(tf.shape(scores), dtype=scores.dtype, seed=seed)
            scores += noise * drawn
        chosen = tf.cast(scores > 0, scores.dtype) if mode == "hard" else tf.sigmoid(scores)
        return monotonic_attention(chosen, previous, mode)

    return probabilities


class _Monotonic:
    """What both kinds add: a bias of scores, and a first place."""

    _score_bias_init = 0.0

    def initial_alignments(self, batch_size: Any, dtype: Any) -> tf.Tensor:
        """Returns 1 at the first place, of shape [batch, length of the memory]."""
        first = tf.zeros([batch_size], tf.int32)
        return tf.one_hot(first, self._alignments_size, dtype=dtype)

    def _score(self, query: tf.Tensor) -> tf.Tensor:
        scores = super()._score(query)
        first = tf.constant(self._score_bias_init, query.dtype)
        return scores + tf1.get_variable("attention_score_bias", initializer=first)


class LuongMonotonicAttention(_Monotonic, _Luong):
    """Monotonic attention by the product of query and key."""

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
        """Sets the memory; arguments as of `LuongAttention`, but for the following.

        Args:
          num_units: The size of keys, and so of queries.
          memory: Of shape [batch, length, size].
          memory_sequence_length: Of shape [batch].
          scale: Whether scores are multiplied by a variable.
          score_mask_value: The score of what lies beyond the length.
          sigmoid_noise: The standard deviation of noise that is added to scores.
          sigmoid_noise_seed: Its random seed.
          score_bias_init: The first bias of scores.
          mode: As of `monotonic_attention`.
          dtype: The type of the memory's layer.
          name: The name of the operations.
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
    """Monotonic attention by a layer of tanh over query and key."""

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
        """Sets the memory; arguments as of `LuongMonotonicAttention`, but for the following.

        Args:
          num_units: The size in which query and keys are compared.
          memory: Of shape [batch, length, size].
          memory_sequence_length: Of shape [batch].
          normalize: Whether weights are normalized.
          score_mask_value: The score of what lies beyond the length.
          sigmoid_noise: The standard deviation of noise that is added to scores.
          sigmoid_noise_seed: Its random seed.
          score_bias_init: The first bias of scores.
          mode: As of `monotonic_attention`.
          dtype: The type of layers.
          name: The name of the operations.
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
