"""Attention mechanisms of contrib.seq2seq, which weight the positions of a memory by a query.

mechanism = LuongAttention(64, memory, memory_sequence_length=lengths)
alignments, state = mechanism(query, previous_alignments)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
_Probabilities = Callable[[tf.Tensor], tf.Tensor] | None


class AttentionMechanism:
    """Interface of the mechanisms that `AttentionWrapper` uses."""

    @property
    def alignments_size(self) -> Any:
        """Number of positions in the memory."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """Size of the state."""
        raise NotImplementedError


class _Attention(AttentionMechanism):
    """Attention to a memory. The state is the alignments of the previous step."""

    _scope: str

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any,
        has_query_layer: bool,
        probability_fn: Callable[[tf.Tensor, tf.Tensor], tf.Tensor],
        score_mask_value: Any,
        dtype: Any,
        custom_key_value_fn: Callable[[Any, Any], tuple[Any, Any]] | None,
        name: str,
    ) -> None:
        def layer(name: str) -> Any:
            return tf1.layers.Dense(num_units, name=name, use_bias=False, dtype=dtype)

        dtype = tf.as_dtype(dtype or tf.float32)
        self.dtype = dtype
        self._num_units = num_units
        self._name = name
        self._query_layer = layer("query_layer") if has_query_layer else None
        self._memory_layer = layer("memory_layer")
        self._probability_fn = probability_fn
        self._lengths = memory_sequence_length
        mask_value = dtype.as_numpy_dtype(-np.inf) if score_mask_value is None else score_mask_value
        self._mask_value = mask_value
        with tf1.name_scope(name, "BaseAttentionMechanismInit", [memory]):
            self._values = _masked_memory(memory, memory_sequence_length)
            self._keys = self._memory_layer(self._values)
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            batch, length = self._keys.shape.as_list()[:2]
            self._batch_size = batch or tf.shape(self._keys)[0]
            self._alignments_size = length or tf.shape(self._keys)[1]

    @property
    def memory_layer(self) -> Any:
        """Layer that turns the memory into keys."""
        return self._memory_layer

    @property
    def query_layer(self) -> Any:
        """Layer that transforms the queries, or None."""
        return self._query_layer

    @property
    def values(self) -> tf.Tensor:
        """Values that attention averages."""
        return self._values

    @property
    def keys(self) -> tf.Tensor:
        """Keys that the queries are compared with."""
        return self._keys

    @property
    def batch_size(self) -> Any:
        """Number of examples in a batch."""
        return self._batch_size

    @property
    def alignments_size(self) -> Any:
        """Number of positions in the memory."""
        return self._alignments_size

    @property
    def state_size(self) -> Any:
        """Size of the state."""
        return self._alignments_size

    def initial_alignments(self, batch_size: Any, dtype: Any) -> tf.Tensor:
        """Returns zeros of shape [batch, memory length]."""
        return tf.zeros([batch_size, self._alignments_size], dtype)

    def initial_state(self, batch_size: Any, dtype: Any) -> tf.Tensor:
        """Returns the initial state."""
        return self.initial_alignments(batch_size, dtype)

    def __call__(self, query: tf.Tensor, state: Any) -> tuple[tf.Tensor, tf.Tensor]:
        """Returns the alignments of a query, and the new state, which is the same tensor.

        Args:
          query: Query of shape [batch, size].
          state: Previous alignments, of shape [batch, memory length].
        """
        with tf1.variable_scope(None, self._scope, [query]):
            scores = self._score(query)
        alignments = self._probability_fn(self._mask_scores(scores), state)
        return alignments, alignments

    def _score(self, query: tf.Tensor) -> tf.Tensor:
        raise NotImplementedError

    def _mask_scores(self, scores: tf.Tensor) -> tf.Tensor:
        if self._lengths is None:
            return scores
        message = "All values in memory_sequence_length must be greater than zero."
        with tf.control_dependencies([tf1.assert_positive(self._lengths, message=message)]):
            mask = tf.sequence_mask(self._lengths, maxlen=tf.shape(scores)[1])
        return tf.where(mask, scores, self._mask_value * tf.ones_like(scores))


def _masked_memory(memory: Any, lengths: Any) -> tf.Tensor:
    memory = tf.convert_to_tensor(memory, name="memory")
    if not memory.shape[2:].is_fully_defined():
        raise ValueError(
            f"Expected memory {memory.name} to have fully defined inner dims, but saw shape: "
            f"{memory.shape}"
        )
    if lengths is None:
        return memory
    mask = tf.sequence_mask(lengths, maxlen=tf.shape(memory)[1], dtype=memory.dtype)
    inner = [1] * (memory.shape.rank - 2)
    return memory * tf.reshape(mask, tf.concat([tf.shape(mask), inner], 0))


class _Luong(_Attention):
    """Attention whose scores are products of query and key."""

    _scale = False

    def _score(self, query: tf.Tensor) -> tf.Tensor:
        size, key_size = query.shape.as_list()[-1], self._keys.shape.as_list()[-1]
        if size != key_size:
            raise ValueError(
                f"Incompatible or unknown inner dimensions between query and keys.  Query ({query})"
                f" has units: {size}.  Keys ({self._keys}) have units: {key_size}.  Perhaps you "
                f"need to set num_units to the keys' dimension ({key_size})?"
            )
        scale = 1.0
        if self._scale:
            ones_initializer = tf1.ones_initializer()
            scale = tf1.get_variable("attention_g", [], query.dtype, initializer=ones_initializer)
        products = tf.matmul(tf.expand_dims(query, 1), self._keys, transpose_b=True)
        return scale * tf.squeeze(products, [1])


class _Bahdanau(_Attention):
    """Attention whose scores come from a tanh layer over query and key."""

    _normalize = False

    def _score(self, query: tf.Tensor) -> tf.Tensor:
        activations = self._keys + tf.expand_dims(self._query_layer(query), 1)
        v = tf1.get_variable("attention_v", [self._num_units], query.dtype)
        if self._normalize:
            length = tf1.constant_initializer(math.sqrt(1.0 / self._num_units))
            g = tf1.get_variable("attention_g", [], query.dtype, initializer=length)
            b = tf1.get_variable(
                "attention_b", [self._num_units], query.dtype, initializer=tf1.zeros_initializer()
            )
            v = g * v * tf.math.rsqrt(tf.reduce_sum(tf.square(v)))
            activations += b
        return tf.reduce_sum(v * tf.tanh(activations), [2])


def _softmax(probability_fn: _Probabilities) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    function = probability_fn or tf.nn.softmax
    return lambda scores, _: function(scores)


class LuongAttention(_Luong):
    """Attention whose scores are products of query and key (arXiv:1508.04025)."""

    _scope = "luong_attention"

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        probability_fn: _Probabilities = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Callable[[Any, Any], tuple[Any, Any]] | None = None,
        name: str = "LuongAttention",
    ) -> None:
        """Initializes the mechanism.

        Args:
          num_units: Size of the keys. The queries must have the same size.
          memory: Memory of shape [batch, length, size], such as the outputs of an encoder.
          memory_sequence_length: Lengths of the memory's sequences, of shape [batch]. Later
            positions get no attention.
          scale: If true, multiplies the scores by a variable.
          probability_fn: Function that turns scores into alignments. The default is a softmax.
          score_mask_value: Score of the positions after the end of a sequence. The default is minus
            infinity.
          dtype: Type of the memory layer. The default is float32.
          custom_key_value_fn: Function of the keys and the values that returns new keys and values.
          name: Name scope of the operations.

        Raises:
          ValueError: The inner dimensions of the memory are unknown.
        """
        self._scale = scale
        super().__init__(
            num_units,
            memory,
            memory_sequence_length,
            False,
            _softmax(probability_fn),
            score_mask_value,
            dtype,
            custom_key_value_fn,
            name,
        )


class BahdanauAttention(_Bahdanau):
    """Attention whose scores come from a tanh layer over query and key (arXiv:1409.0473)."""

    _scope = "bahdanau_attention"

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        probability_fn: _Probabilities = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Callable[[Any, Any], tuple[Any, Any]] | None = None,
        name: str = "BahdanauAttention",
    ) -> None:
        """Initializes the mechanism. See also `LuongAttention`.

        Args:
          num_units: Size of the layers for the query and the keys.
          memory: Memory of shape [batch, length, size], such as the outputs of an encoder.
          memory_sequence_length: Lengths of the memory's sequences, of shape [batch].
          normalize: If true, normalizes the weights of the scores (arXiv:1602.07868).
          probability_fn: Function that turns scores into alignments. The default is a softmax.
          score_mask_value: Score of the positions after the end of a sequence.
          dtype: Type of the layers.
          custom_key_value_fn: Function of the keys and the values that returns new keys and values.
          name: Name scope of the operations.
        """
        self._normalize = normalize
        super().__init__(
            num_units,
            memory,
            memory_sequence_length,
            True,
            _softmax(probability_fn),
            score_mask_value,
            dtype,
            custom_key_value_fn,
            name,
        )
