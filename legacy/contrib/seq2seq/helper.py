"""What a decoder's next input is when it runs by itself: contrib.seq2seq's helpers.

helper = GreedyEmbeddingHelper(embedding, start_tokens=tf.fill([batch], 1), end_token=2)
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class Helper(abc.ABC):
    """What samples from a step's output, and makes the next input of it."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """The size of a batch."""

    @property
    @abc.abstractmethod
    def sample_ids_shape(self) -> Any:
        """The shape of a sample, without the batch."""

    @property
    @abc.abstractmethod
    def sample_ids_dtype(self) -> Any:
        """Its type."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns which examples are finished, and the first inputs."""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns samples of a step's output."""

    @abc.abstractmethod
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """Returns which examples are finished, the next inputs and the next state."""


class CustomHelper(Helper):
    """A helper of functions."""

    def __init__(
        self,
        initialize_fn: Callable[[], Any],
        sample_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any],
        sample_ids_shape: Any = None,
        sample_ids_dtype: Any = None,
    ) -> None:
        """Sets the functions.

        Args:
          initialize_fn: Returns which examples are finished, and the first inputs.
          sample_fn: Of time, outputs and state; returns samples.
          next_inputs_fn: Of time, outputs, state and sample_ids; returns which examples are
            finished, the next inputs and the next state.
          sample_ids_shape: The shape of a sample; None is a scalar's.
          sample_ids_dtype: Its type; None is int32.
        """
        self._initialize_fn = initialize_fn
        self._sample_fn = sample_fn
        self._next_inputs_fn = next_inputs_fn
        self._batch_size: Any = None
        self._sample_ids_shape = tf.TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or tf.int32

    @property
    def batch_size(self) -> Any:
        """The size of a batch.

        Raises:
          ValueError: `initialize` was not called yet.
        """
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample, without the batch."""
        return self._sample_ids_shape

    @property
    def sample_ids_dtype(self) -> Any:
        """Its type."""
        return self._sample_ids_dtype

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns which examples are finished, and the first inputs."""
        with tf1.name_scope(name, f"{type(self).__name__}Initialize"):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = tf.size(finished)
        return finished, inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns samples of a step's output."""
        with tf1.name_scope(name, f"{type(self).__name__}Sample", (time, outputs, state)):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """Returns which examples are finished, the next inputs and the next state."""
        with tf1.name_scope(name, f"{type(self).__name__}NextInputs", (time, outputs, state)):
            return self._next_inputs_fn(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )


class HelperOfIds(Helper):
    """A helper whose samples are ids."""

    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample, without the batch."""
        return tf.TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        """Its type."""
        return tf.int32


def embedding_function(embedding: Any) -> Callable[[Any], tf.Tensor]:
    """Returns what looks ids up: a table may be given, or the function itself."""
    if callable(embedding):
        return embedding
    return lambda ids: tf1.nn.embedding_lookup(embedding, ids)


def start_and_end(start_tokens: Any, end_token: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the first ids and the last one as tensors.

    Raises:
      ValueError: `start_tokens` is no vector, or `end_token` no scalar.
    """
    start = tf.convert_to_tensor(start_tokens, tf.int32, name="start_tokens")
    end = tf.convert_to_tensor(end_token, tf.int32, name="end_token")
    if start.shape.rank != 1:
        raise ValueError("start_tokens must be a vector")
    if end.shape.rank != 0:
        raise ValueError("end_token must be a scalar")
    return start, end


def _single(outputs: Any) -> tf.Tensor:
    if not tf.is_tensor(outputs):
        raise TypeError(f"Expected outputs to be a single Tensor, got: {type(outputs)}")
    return outputs


def draw_categorical(logits: tf.Tensor, seed: int | None) -> tf.Tensor:
    """Draws an id for each row of logits."""
    drawn = tf1.random.categorical(logits, 1, dtype=tf.int32, seed=seed)
    return tf.squeeze(drawn, [1])


class GreedyEmbeddingHelper(HelperOfIds):
    """Embeds the id of the largest logit."""

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        """Sets where it begins and ends.

        Args:
          embedding: A table, or a function of ids.
          start_tokens: The first ids, of shape [batch].
          end_token: The id that finishes an example.

        Raises:
          ValueError: `start_tokens` is no vector, or `end_token` no scalar.
        """
        self._embedding_fn = embedding_function(embedding)
        self._start_tokens, self._end_token = start_and_end(start_tokens, end_token)
        self._batch_size = tf.size(start_tokens)
        self._start_inputs = self._embedding_fn(self._start_tokens)

    @property
    def batch_size(self) -> Any:
        """The size of a batch."""
        return self._batch_size

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns which examples are finished, and the first inputs."""
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns the id of the largest logit.

        Raises:
          TypeError: The output is no tensor.
        """
        return tf.argmax(_single(outputs), axis=-1, output_type=tf.int32)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """Returns which examples are finished, the next inputs and the next state."""
        finished = tf.equal(sample_ids, self._end_token)
        inputs = tf1.cond(
            tf.reduce_all(finished),
            lambda: self._start_inputs,
            lambda: self._embedding_fn(sample_ids),
        )
        return finished, inputs, state


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Embeds an id drawn by logits."""

    def __init__(
        self,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None:
        """Sets where it begins and ends.

        Args:
          embedding: As of `GreedyEmbeddingHelper`.
          start_tokens: As of `GreedyEmbeddingHelper`.
          end_token: As of `GreedyEmbeddingHelper`.
          softmax_temperature: What logits are divided by.
          seed: The random seed.
        """
        super().__init__(embedding, start_tokens, end_token)
        self._temperature = softmax_temperature
        self._seed = seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns drawn ids.

        Raises:
          TypeError: The output is no tensor.
        """
        logits = _single(outputs)
        return draw_categorical(
            logits if self._temperature is None else logits / self._temperature, self._seed
        )


class InferenceHelper(Helper):
    """Samples by a function."""

    def __init__(
        self,
        sample_fn: Callable[[Any], Any],
        sample_shape: Any,
        sample_dtype: Any,
        start_inputs: Any,
        end_fn: Callable[[Any], Any],
        next_inputs_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        """Sets the functions.

        Args:
          sample_fn: From outputs to samples.
          sample_shape: The shape of a sample, without the batch.
          sample_dtype: Its type.
          start_inputs: The first inputs, of shape [batch, ...].
          end_fn: From samples to which examples are finished.
          next_inputs_fn: From samples to the next inputs; None is the samples.
        """
        self._sample_fn = sample_fn
        self._sample_shape = tf.TensorShape(sample_shape)
        self._sample_dtype = sample_dtype
        self._end_fn = end_fn
        self._next_inputs_fn = next_inputs_fn
        self._start_inputs = tf.convert_to_tensor(start_inputs, name="start_inputs")
        self._batch_size = tf.shape(start_inputs)[0]

    @property
    def batch_size(self) -> Any:
        """The size of a batch."""
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        """The shape of a sample, without the batch."""
        return self._sample_shape

    @property
    def sample_ids_dtype(self) -> Any:
        """Its type."""
        return self._sample_dtype

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns which examples are finished, and the first inputs."""
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns samples of a step's output."""
        return self._sample_fn(outputs)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """Returns which examples are finished, the next inputs and the next state."""
        inputs = self._next_inputs_fn(sample_ids) if self._next_inputs_fn else sample_ids
        return self._end_fn(sample_ids), inputs, state
