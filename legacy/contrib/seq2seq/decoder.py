"""Decoding step by step in a loop of the graph: contrib.seq2seq's.

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
    """What `dynamic_decode` runs."""

    @property
    def batch_size(self) -> Any:
        """The size of a batch."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """The sizes of a step's outputs."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """Their types."""
        raise NotImplementedError

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Returns which examples are finished, the first inputs and the first state."""

    @abc.abstractmethod
    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns outputs, next state, next inputs, and which examples are finished.

        Args:
          time: The step, from 0 on.
          inputs: Its inputs.
          state: The state.
          name: The name of the operations.
        """

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> tuple[Any, Any]:
        """Returns what is made of all outputs, time first, and of the last state."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether an example that was finished may be so no longer."""
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
      decoder: The decoder.
      output_time_major: Whether outputs are [time, batch, ...]; else [batch, time, ...].
      impute_finished: Whether of examples that are finished outputs are zeros and the state stays.
      maximum_iterations: The most steps.
      parallel_iterations: How many steps may run at once.
      swap_memory: Whether what gradients need may go to the CPU.
      scope: The variable scope; "decoder" by default.
      **kwargs: Not used.

    Returns:
      Outputs, the last state, and the number of steps of each example.

    Raises:
      TypeError: It is no decoder.
      ValueError: `maximum_iterations` is no scalar.
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with tf1.variable_scope(scope, "decoder") as opened:
        in_function = tf.executing_eagerly() or tf1.get_default_graph().building_function
        if opened.caching_device is None and not in_function:
            # Else each step would read the variables from where they are.
            opened.set_caching_device(lambda op: op.device)
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
        with contextlib.suppress(NotImplementedError):  # The decoder has nothing to add.
            outputs, state = decoder.finalize(outputs, state, lengths)
        if not output_time_major:
            outputs = tf.nest.map_structure(transpose_batch_time, outputs)
    return outputs, state, lengths


def _array(decoder: Decoder, size: Any, dtype: Any) -> tf.TensorArray:
    batch = tf.get_static_value(tf.convert_to_tensor(decoder.batch_size))
    shape = tf.TensorShape([batch, *_sizes(size)])
    return tf.TensorArray(dtype, size=0, dynamic_size=True, element_shape=shape)


def _body(decoder: Decoder, impute_finished: bool) -> Any:
    """Makes a step of the loop."""
    zeros = tf.nest.map_structure(
        lambda size, dtype: _zeros(size, decoder.batch_size, dtype),
        decoder.output_size,
        decoder.output_dtype,
    )

    def kept(new: Any, old: Any, finished: tf.Tensor) -> Any:
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
        new_lengths = tf.where(finished, lengths, tf.fill(tf.shape(lengths), time + 1))
        for one, other in ((state, new_state), (arrays, outputs), (inputs, new_inputs)):
            tf.nest.assert_same_structure(one, other)
        if impute_finished:
            outputs = tf.nest.map_structure(
                lambda out, zero: tf1.where(finished, zero, out), outputs, zeros
            )
            new_state = tf.nest.map_structure(
                lambda new, old: kept(new, old, finished), new_state, state
            )
        arrays = tf.nest.map_structure(lambda array, out: array.write(time, out), arrays, outputs)
        return time + 1, arrays, new_state, new_inputs, new_finished, new_lengths

    return body


def check_parts(cell: Any, output_layer: Any) -> None:
    """Checks what a decoder is made of.

    Raises:
      TypeError: The cell is none, or the layer for its output.
    """
    if not hasattr(cell, "output_size") or not hasattr(cell, "state_size"):
        raise TypeError(f"The argument 'cell' ({cell}) is not an RNNCell.")
    if output_layer is not None and not hasattr(output_layer, "compute_output_shape"):
        raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")


def size_of_outputs(cell: Any, output_layer: Any) -> Any:
    """Returns the size of what a cell puts out, or the layer behind it if there is one."""
    size = cell.output_size
    if output_layer is None:
        return size
    with_batch = tf.nest.map_structure(lambda each: tf.TensorShape([None]).concatenate(each), size)
    shape = output_layer.compute_output_shape(with_batch)
    return tf.nest.map_structure(lambda each: each[1:], shape)


class BasicDecoderOutput(collections.namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """The output of a step: of the cell, and what was sampled."""


class BasicDecoder(Decoder):
    """A cell, and a helper that says what its next input is."""

    def __init__(
        self, cell: Any, helper: Helper, initial_state: Any, output_layer: Any = None
    ) -> None:
        """Sets the parts.

        Args:
          cell: An RNNCell.
          helper: The helper.
          initial_state: The cell's first state.
          output_layer: A layer for the cell's output, before it is sampled from.

        Raises:
          TypeError: A part is of another type.
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
        """The size of a batch."""
        return self._helper.batch_size

    @property
    def output_size(self) -> BasicDecoderOutput:
        """The sizes of a step's outputs."""
        return BasicDecoderOutput(
            size_of_outputs(self._cell, self._output_layer), self._helper.sample_ids_shape
        )

    @property
    def output_dtype(self) -> BasicDecoderOutput:
        """Their types."""
        dtype = tf.nest.flatten(self._initial_state)[0].dtype
        types = tf.nest.map_structure(
            lambda _: dtype, size_of_outputs(self._cell, self._output_layer)
        )
        return BasicDecoderOutput(types, self._helper.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Returns which examples are finished, the first inputs and the first state."""
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """Returns outputs, next state, next inputs, and which examples are finished."""
        with tf1.name_scope(name, "BasicDecoderStep", (time, inputs, state)):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            ids = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, inputs, state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=ids
            )
        return BasicDecoderOutput(outputs, ids), state, inputs, finished
