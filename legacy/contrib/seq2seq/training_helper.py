"""Helpers of contrib.seq2seq for training: the inputs come from the targets.

helper = TrainingHelper(embedded_targets, target_lengths)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib.rnn import transpose_batch_time
from legacy.contrib.seq2seq.helper import HelperOfIds, draw_categorical, embedding_function

tf1 = tf.compat.v1


class TrainingHelper(HelperOfIds):
    """Helper that reads all inputs from a tensor and ignores the outputs."""

    def __init__(
        self,
        inputs: Any,
        sequence_length: Any,
        time_major: bool = False,
        name: str | None = None,
    ) -> None:
        """Initializes the inputs.

        Args:
          inputs: Inputs of shape [batch, time, ...].
          sequence_length: Lengths of shape [batch].
          time_major: If true, the inputs have shape [time, batch, ...].
          name: Name scope of the operations.

        Raises:
          ValueError: `sequence_length` is not a vector.
        """
        with tf1.name_scope(name, "TrainingHelper", [inputs, sequence_length]):
            self._inputs = inputs = tf.convert_to_tensor(inputs, name="inputs")
            self._sequence_length = tf.convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.shape.rank != 1:
                raise ValueError(
                    "Expected sequence_length to be a vector, but received shape: "
                    f"{self._sequence_length.shape}"
                )
            if not time_major:
                inputs = transpose_batch_time(inputs)
            self._steps = _array_of(inputs)
            self._zero_inputs = tf.zeros_like(inputs[0])
            self._batch_size = tf.size(sequence_length)

    @property
    def inputs(self) -> tf.Tensor:
        """Inputs of all steps."""
        return self._inputs

    @property
    def sequence_length(self) -> tf.Tensor:
        """Length of each sequence."""
        return self._sequence_length

    @property
    def batch_size(self) -> Any:
        """Number of examples in a batch."""
        return self._batch_size

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns a mask of finished examples and the first inputs."""
        with tf1.name_scope(name, "TrainingHelperInitialize"):
            finished = tf.equal(0, self._sequence_length)
            return finished, self._read_step(0, finished)

    def _read_step(self, time: Any, finished: tf.Tensor) -> tf.Tensor:
        return tf1.cond(
            tf.reduce_all(finished), lambda: self._zero_inputs, lambda: self._steps.read(time)
        )

    def sample(
        self, time: Any, outputs: Any, state: Any = None, name: str | None = None, **_: Any
    ) -> Any:
        """Returns the id with the largest logit."""
        with tf1.name_scope(name, "TrainingHelperSample", [time, outputs]):
            return tf.argmax(outputs, axis=-1, output_type=tf.int32)

    def next_inputs(
        self,
        time: Any,
        outputs: Any,
        state: Any,
        sample_ids: Any = None,
        name: str | None = None,
        **_: Any,
    ) -> tuple[Any, Any, Any]:
        """Returns a mask of finished examples, the next inputs and the next state."""
        with tf1.name_scope(name, "TrainingHelperNextInputs", [time, outputs, state]):
            finished = time + 1 >= self._sequence_length
            return finished, self._read_step(time + 1, finished), state


def _array_of(steps: tf.Tensor) -> tf.TensorArray:
    array = tf.TensorArray(
        steps.dtype, size=tf.shape(steps)[0], element_shape=steps.shape[1:], clear_after_read=False
    )
    return array.unstack(steps)


def _check_probability(probability: tf.Tensor) -> tf.Tensor:
    if probability.shape.rank not in (0, 1):
        raise ValueError(
            "sampling_probability must be either a scalar or a vector. saw shape: "
            f"{probability.shape}"
        )
    return probability


def _draw(probability: tf.Tensor, batch: Any, seed: int | None) -> tf.Tensor:
    """Draws a boolean for each example, which is true with the specified probability."""
    return tf1.random_uniform([batch], seed=seed, dtype=probability.dtype) < probability


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Helper that reads inputs, and replaces some of them with embeddings of sampled ids."""

    def __init__(
        self,
        inputs: Any,
        sequence_length: Any,
        embedding: Any,
        sampling_probability: Any,
        time_major: bool = False,
        seed: int | None = None,
        scheduling_seed: int | None = None,
        name: str | None = None,
    ) -> None:
        """Initializes the inputs.

        Args:
          inputs: See `TrainingHelper`.
          sequence_length: See `TrainingHelper`.
          embedding: Embedding table, or a function of ids that returns their vectors.
          sampling_probability: Probability that an input is replaced, a scalar or of shape [batch].
          time_major: See `TrainingHelper`.
          seed: Random seed of the samples.
          scheduling_seed: Random seed of the choice of inputs to replace.
          name: Name scope of the operations.

        Raises:
          ValueError: `sampling_probability` or `sequence_length` has the wrong rank.
        """
        values = [embedding, sampling_probability]
        with tf1.name_scope(name, "ScheduledEmbeddingSamplingWrapper", values):
            self._embedding_fn = embedding_function(embedding)
            self._probability = _check_probability(tf.convert_to_tensor(sampling_probability))
            self._seed = seed
            self._scheduling_seed = scheduling_seed
            super().__init__(inputs, sequence_length, time_major, name)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None, **_: Any) -> Any:
        """Returns samples, or -1 for an example whose input is kept."""
        values = [time, outputs, state]
        with tf1.name_scope(name, "ScheduledEmbeddingTrainingHelperSample", values):
            is_sampled = _draw(self._probability, self.batch_size, self._scheduling_seed)
            input_marks = tf.fill([self.batch_size], -1)
            return tf.where(is_sampled, draw_categorical(outputs, self._seed), input_marks)

    def next_inputs(
        self,
        time: Any,
        outputs: Any,
        state: Any,
        sample_ids: Any,
        name: str | None = None,
        **_: Any,
    ) -> tuple[Any, Any, Any]:
        """Returns a mask of finished examples, the next inputs and the next state."""
        values = [time, outputs, state, sample_ids]
        with tf1.name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs", values):
            finished, next_input, state = super().next_inputs(
                time, outputs, state, sample_ids, name
            )
            inputs = tf1.cond(
                tf.reduce_all(finished),
                lambda: next_input,
                lambda: self._mix(next_input, sample_ids),
            )
            return finished, inputs, state

    def _mix(self, next_input: tf.Tensor, ids: tf.Tensor) -> tf.Tensor:
        sampled_rows = tf.where(ids > -1)
        return tf.tensor_scatter_nd_update(
            next_input, sampled_rows, self._embedding_fn(tf.gather_nd(ids, sampled_rows))
        )
