"""Decoders of contrib.seq2seq, and the graph loop that runs them step by step.

outputs, state, lengths = dynamic_decode(BasicDecoder(cell, helper, first_state))
"""

from __future__ import annotations

import abc
import collections
import contextlib
from typing import Any

import tensorflow as tf

from legacy.contrib.rnn import transpose_batch_time
from legacy.contrib.seq2seq.helper import Helper

tf1 = tf.compat.v1


class Decoder(abc.ABC):
    """Interface of the decoders that `dynamic_decode` runs."""

    @property
    def batch_size(self) -> Any:
        """Number of examples in a batch."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """Sizes of the outputs of a step, without the batch dimension."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """Types of the outputs of a step."""
        raise NotImplementedError

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Returns a mask of finished examples, the first inputs and the initial state."""

    @abc.abstractmethod
    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns the outputs, the next state, the next inputs and a mask of finished examples.

        Args:
          time: Number of the step, from 0 on.
          inputs: Inputs of the step.
          state: State before the step.
          name: Name scope of the operations.
        """

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Returns the final outputs and state.

        Args:
          outputs: Outputs of all steps, with time as the first dimension.
          final_state: State after the last step.
          sequence_lengths: Number of steps of each example.

        Raises:
          NotImplementedError: The decoder does not change the outputs and the state.
        """
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Returns True if a finished example may become unfinished in a later step."""
        return False


def _sizes(size: Any) -> list[int]:
    return [size] if isinstance(size, int) else tf.TensorShape(size).as_list()


def _zeros(size: Any, batch: Any, dtype: Any) -> tf.Tensor:
    sizes = _sizes(size)
    zeros = tf.zeros([batch, *sizes], dtype)
    zeros.set_shape([tf.get_static_value(tf.convert_to_tensor(batch)), *sizes])
    return zeros


def dynamic_decode(
    decoder: Decoder,
    output_time_major: bool = False,
    impute_finished: bool = False,
    maximum_iterations: Any = None,
    parallel_iterations: int = 32,
    swap_memory: bool = False,
    scope: Any = None,
    **kwargs: Any,
) -> tuple[Any, Any, tf.Tensor]:
    """Runs a decoder until all examples are finished.

    Args:
      decoder: Decoder to run.
      output_time_major: If true, the outputs have shape [time, batch, ...], else
        [batch, time, ...].
      impute_finished: If true, a finished example has zeros as outputs and keeps its state.
      maximum_iterations: Maximum number of steps.
      parallel_iterations: Number of steps that may run in parallel.
      swap_memory: If true, tensors for the gradients may be swapped to the CPU.
      scope: Variable scope. The default is "decoder".
      **kwargs: Unused.

    Returns:
      The outputs, the final state, and the number of steps of each example.

    Raises:
      TypeError: `decoder` is not a `Decoder`.
      ValueError: `maximum_iterations` is not a scalar.
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with tf1.variable_scope(scope, "decoder") as decoder_scope:
        in_function = tf.executing_eagerly() or tf1.get_default_graph().building_function
        if decoder_scope.caching_device is None and not in_function:
            # Without a caching device, each step would read the variables from their own device,
            # such as a parameter server.
            decoder_scope.set_caching_device(lambda op: op.device)
        if maximum_iterations is not None:
            maximum_iterations = tf.convert_to_tensor(maximum_iterations, tf.int32)
            if maximum_iterations.shape.rank != 0:
                raise ValueError("maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize()
        if maximum_iterations is not None:
            finished = tf.logical_or(finished, maximum_iterations <= 0)
        lengths = tf.zeros_like(finished, tf.int32)
        arrays = tf.nest.map_structure(
            lambda size, dtype: _array(decoder, size, dtype),
            decoder.output_size,
            decoder.output_dtype,
        )
        loop = tf1.while_loop(
            lambda time, arrays, state, inputs, finished, lengths: ~tf.reduce_all(finished),
            _body(decoder, impute_finished),
            (tf.constant(0), arrays, state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations,
            maximum_iterations=maximum_iterations,
            swap_memory=swap_memory,
        )
        _, arrays, state, _, _, lengths = loop
        outputs = tf.nest.map_structure(lambda array: array.stack(), arrays)
        with contextlib.suppress(NotImplementedError):  # `finalize` is optional.
            outputs, state = decoder.finalize(outputs, state, lengths)
        if not output_time_major:
            outputs = tf.nest.map_structure(transpose_batch_time, outputs)
    return outputs, state, lengths


def _array(decoder: Decoder, size: Any, dtype: Any) -> tf.TensorArray:
    batch = tf.get_static_value(tf.convert_to_tensor(decoder.batch_size))
    shape = tf.TensorShape([batch, *_sizes(size)])
    return tf.TensorArray(dtype, size=0, dynamic_size=True, element_shape=shape)


def _body(decoder: Decoder, impute_finished: bool) -> Any:
    """Returns the body of the loop, which runs one step."""
    zeros = tf.nest.map_structure(
        lambda size, dtype: _zeros(size, decoder.batch_size, dtype),
        decoder.output_size,
        decoder.output_dtype,
    )

    def keep_if_finished(new: Any, old: Any, finished: tf.Tensor) -> Any:
        if isinstance(old, tf.TensorArray):
            return new
        new.set_shape(old.shape)
        return new if new.shape.rank == 0 else tf1.where(finished, old, new)

    def body(
        time: Any, arrays: Any, state: Any, inputs: Any, finished: Any, lengths: Any
    ) -> tuple[Any, ...]:
        outputs, new_state, new_inputs, new_finished = decoder.step(time, inputs, state)
        if not decoder.tracks_own_finished:
            new_finished = tf.logical_or(new_finished, finished)
        # `finished` is the mask before this step: the step that finishes an example counts.
        new_lengths = tf.where(finished, lengths, tf.fill(tf.shape(lengths), time + 1))
        for old_structure, new_structure in (
            (state, new_state),
            (arrays, outputs),
            (inputs, new_inputs),
        ):
            tf.nest.assert_same_structure(old_structure, new_structure)
        if impute_finished:
            outputs = tf.nest.map_structure(
                lambda out, zero: tf1.where(finished, zero, out), outputs, zeros
            )
            new_state = tf.nest.map_structure(
                lambda new, old: keep_if_finished(new, old, finished), new_state, state
            )
        arrays = tf.nest.map_structure(lambda array, out: array.write(time, out), arrays, outputs)
        return time + 1, arrays, new_state, new_inputs, new_finished, new_lengths

    return body


def check_parts(cell: Any, output_layer: Any) -> None:
    """Raises an error if the cell or the output layer of a decoder is invalid.

    Raises:
      TypeError: `cell` is not an RNN cell, or `output_layer` is not a layer.
    """
    if not hasattr(cell, "output_size") or not hasattr(cell, "state_size"):
        raise TypeError(f"The argument 'cell' ({cell}) is not an RNNCell.")
    if output_layer is not None and not hasattr(output_layer, "compute_output_shape"):
        raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")


def size_of_outputs(cell: Any, output_layer: Any) -> Any:
    """Returns the size of the outputs of a cell, or of the output layer if it is not None."""
    size = cell.output_size
    if output_layer is None:
        return size
    with_batch = tf.nest.map_structure(
        lambda output_size: tf.TensorShape([None]).concatenate(output_size), size
    )
    shape = output_layer.compute_output_shape(with_batch)
    return tf.nest.map_structure(lambda output_shape: output_shape[1:], shape)


class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """Output of a step: the output of the cell, and the sampled ids."""


class BasicDecoder(Decoder):
    """Decoder with a cell, and a helper that chooses the cell's next inputs."""

    def __init__(
        self, cell: Any, helper: Helper, initial_state: Any, output_layer: Any = None
    ) -> None:
        """Initializes the decoder.

        Args:
          cell: RNN cell.
          helper: Helper that samples ids and returns the next inputs.
          initial_state: Initial state of the cell.
          output_layer: Layer to apply to the cell's output before sampling.

        Raises:
          TypeError: An argument has the wrong type.
        """
        check_parts(cell, output_layer)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        self._cell = cell
        self._helper = helper
        self._initial_state = initial_state
        self._output_layer = output_layer

    @property
    def batch_size(self) -> Any:
        """Number of examples in a batch."""
        return self._helper.batch_size

    @property
    def output_size(self) -> BasicDecoderOutput:
        """Sizes of the outputs of a step, without the batch dimension."""
        return BasicDecoderOutput(
            size_of_outputs(self._cell, self._output_layer), self._helper.sample_ids_shape
        )

    @property
    def output_dtype(self) -> BasicDecoderOutput:
        """Types of the outputs of a step."""
        dtype = tf.nest.flatten(self._initial_state)[0].dtype
        types = tf.nest.map_structure(
            lambda _: dtype, size_of_outputs(self._cell, self._output_layer)
        )
        return BasicDecoderOutput(types, self._helper.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Returns a mask of finished examples, the first inputs and the initial state."""
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns the outputs, the next state, the next inputs and a mask of finished examples."""
        with tf1.name_scope(name, "BasicDecoderStep", (time, inputs, state)):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            ids = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, inputs, state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=ids
            )
        return BasicDecoderOutput(outputs, ids), state, inputs, finished
