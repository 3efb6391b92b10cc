"""Helpers of contrib.seq2seq for inference: each next input comes from the last output.

helper = GreedyEmbeddingHelper(embedding, start_tokens=tf.fill([batch], 1), end_token=2)
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class Helper(abc.ABC):
    """Interface of helpers, which sample from a step's outputs and return the next inputs."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """Number of examples in a batch."""

    @property
    @abc.abstractmethod
    def sample_ids_shape(self) -> Any:
        """Shape of a sample, without the batch dimension."""

    @property
    @abc.abstractmethod
    def sample_ids_dtype(self) -> Any:
        """Type of a sample."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns a mask of finished examples and the first inputs."""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns samples from the outputs of a step."""

    @abc.abstractmethod
    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """Returns a mask of finished examples, the next inputs and the next state."""


class CustomHelper(Helper):
    """Helper that calls functions."""

    def __init__(
        self,
        initialize_fn: Callable[[], Any],
        sample_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any],
        sample_ids_shape: Any = None,
        sample_ids_dtype: Any = None,
    ) -> None:
        """Initializes the functions.

        Args:
          initialize_fn: Function that returns a mask of finished examples and the first inputs.
          sample_fn: Function of `time`, `outputs` and `state` that returns samples.
          next_inputs_fn: Function of `time`, `outputs`, `state` and `sample_ids` that returns a
            mask of finished examples, the next inputs and the next state.
          sample_ids_shape: Shape of a sample. The default is a scalar.
          sample_ids_dtype: Type of a sample. The default is int32.
        """
        self._initialize_fn = initialize_fn
        self._sample_fn = sample_fn
        self._next_inputs_fn = next_inputs_fn
        self._batch_size: Any = None
        self._sample_ids_shape = tf.TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or tf.int32

    @property
    def batch_size(self) -> Any:
        """Number of examples in a batch.

        Raises:
          ValueError: `initialize` was not called yet.
        """
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        """Shape of a sample, without the batch dimension."""
        return self._sample_ids_shape

    @property
    def sample_ids_dtype(self) -> Any:
        """Type of a sample."""
        return self._sample_ids_dtype

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns a mask of finished examples and the first inputs."""
        with tf1.name_scope(name, f"{type(self).__name__}Initialize"):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = tf.size(finished)
        return finished, inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns samples from the outputs of a step."""
        with tf1.name_scope(name, f"{type(self).__name__}Sample", (time, outputs, state)):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """Returns a mask of finished examples, the next inputs and the next state."""
        with tf1.name_scope(name, f"{type(self).__name__}NextInputs", (time, outputs, state)):
            return self._next_inputs_fn(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )


class HelperOfIds(Helper):
    """Helper whose samples are ids."""

    @property
    def sample_ids_shape(self) -> Any:
        """Shape of a sample, without the batch dimension."""
        return tf.TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        """Type of a sample."""
        return tf.int32


def embedding_function(embedding: Any) -> Callable[[Any], tf.Tensor]:
    """Returns a lookup function for an embedding table. Returns a function unchanged."""
    if callable(embedding):
        return embedding
    return lambda ids: tf1.nn.embedding_lookup(embedding, ids)


def start_and_end(start_tokens: Any, end_token: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns the start tokens and the end token as int32 tensors.

    Raises:
      ValueError: `start_tokens` is not a vector, or `end_token` is not a scalar.
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
    """Draws an id from the distribution that each row of logits describes."""
    samples = tf1.random.categorical(logits, 1, dtype=tf.int32, seed=seed)
    return tf.squeeze(samples, [1])


class GreedyEmbeddingHelper(HelperOfIds):
    """Helper that embeds the id with the largest logit."""

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        """Initializes the embedding, the start tokens and the end token.

        Args:
          embedding: Embedding table, or a function of ids that returns their vectors.
          start_tokens: First ids, of shape [batch].
          end_token: Id that finishes an example.

        Raises:
          ValueError: `start_tokens` is not a vector, or `end_token` is not a scalar.
        """
        self._embedding_fn = embedding_function(embedding)
        self._start_tokens, self._end_token = start_and_end(start_tokens, end_token)
        self._batch_size = tf.size(start_tokens)
        self._start_inputs = self._embedding_fn(self._start_tokens)

    @property
    def batch_size(self) -> Any:
        """Number of examples in a batch."""
        return self._batch_size

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns a mask of finished examples and the first inputs."""
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns the id with the largest logit.

        Raises:
          TypeError: The output is not a single tensor.
        """
        return tf.argmax(_single(outputs), axis=-1, output_type=tf.int32)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """Returns a mask of finished examples, the next inputs and the next state."""
        finished = tf.equal(sample_ids, self._end_token)
        # No lookup after the last step, because no further step reads its inputs.
        inputs = tf1.cond(
            tf.reduce_all(finished),
            lambda: self._start_inputs,
            lambda: self._embedding_fn(sample_ids),
        )
        return finished, inputs, state


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Helper that draws an id from the distribution of the logits and embeds it."""

    def __init__(
        self,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        softmax_temperature: Any = None,
        seed: int | None = None,
    ) -> None:
        """Initializes the embedding, the start tokens and the end token.

        Args:
          embedding: See `GreedyEmbeddingHelper`.
          start_tokens: See `GreedyEmbeddingHelper`.
          end_token: See `GreedyEmbeddingHelper`.
          softmax_temperature: Divisor of the logits. A large value makes the ids more random.
          seed: Random seed.
        """
        super().__init__(embedding, start_tokens, end_token)
        self._temperature = softmax_temperature
        self._seed = seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns the drawn ids.

        Raises:
          TypeError: The output is not a single tensor.
        """
        logits = _single(outputs)
        return draw_categorical(
            logits if self._temperature is None else logits / self._temperature, self._seed
        )


class InferenceHelper(Helper):
    """Helper for any kind of samples, which calls functions."""

    def __init__(
        self,
        sample_fn: Callable[[Any], Any],
        sample_shape: Any,
        sample_dtype: Any,
        start_inputs: Any,
        end_fn: Callable[[Any], Any],
        next_inputs_fn: Callable[[Any], Any] | None = None,
    ) -> None:
        """Initializes the functions.

        Args:
          sample_fn: Function of the outputs that returns samples.
          sample_shape: Shape of a sample, without the batch dimension.
          sample_dtype: Type of a sample.
          start_inputs: First inputs, of shape [batch, ...].
          end_fn: Function of the samples that returns a mask of finished examples.
          next_inputs_fn: Function of the samples that returns the next inputs. The default uses the
            samples as inputs.
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
        """Number of examples in a batch."""
        return self._batch_size

    @property
    def sample_ids_shape(self) -> Any:
        """Shape of a sample, without the batch dimension."""
        return self._sample_shape

    @property
    def sample_ids_dtype(self) -> Any:
        """Type of a sample."""
        return self._sample_dtype

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns a mask of finished examples and the first inputs."""
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns samples from the outputs of a step."""
        return self._sample_fn(outputs)

    def next_inputs(
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> tuple[Any, Any, Any]:
        """Returns a mask of finished examples, the next inputs and the next state."""
        inputs = self._next_inputs_fn(sample_ids) if self._next_inputs_fn else sample_ids
        return self._end_fn(sample_ids), inputs, state
