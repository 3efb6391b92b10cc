"""Recurrent layers with the weights and the arguments of `tf.nn.rnn_cell` and `dynamic_rnn`.

>>> import tensorflow as tf
>>> rnn = RNN(LSTMCell(2, kernel_initializer="zeros"))
>>> outputs, state = rnn(tf.ones([1, 3, 4]), sequence_length=[2])
>>> outputs.shape, state.h.shape
(TensorShape([1, 3, 2]), TensorShape([1, 2]))

Keras' LSTM and GRU have two kernels, and their gates in another order. With these cells, each
weight of an old checkpoint is one weight of the new model. Ported programs import these layers.
"""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras

LSTMState = collections.namedtuple("LSTMState", ("c", "h"))


class RNNCell(keras.layers.Layer):
    """A cell that computes `tanh(W [inputs, state] + b)`. The base class of the other cells.

    Args:
      units: Size of the state.
      activation: Activation function of the new state.
      kernel_initializer: Initializer of the kernels.
      **kwargs: Arguments of `keras.layers.Layer`.

    Attributes:
      units: Size of the output.
    """

    def __init__(
        self,
        units: int,
        activation: Any = None,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.units = units
        self.activation = keras.activations.get(activation or "tanh")
        self._initializer = kernel_initializer or "glorot_uniform"

    def build(self, input_shape: Any) -> None:
        """Creates the kernel and the bias."""
        self.kernel, self.bias = self._weights("", input_shape, self.units, "zeros")

    def _weights(self, prefix: str, input_shape: Any, size: int, bias: str) -> tuple[Any, Any]:
        shape = (input_shape[-1] + self.units, size)
        return (
            self.add_weight(name=f"{prefix}kernel", shape=shape, initializer=self._initializer),
            self.add_weight(name=f"{prefix}bias", shape=(size,), initializer=bias),
        )

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the state before the first step."""
        return tf.zeros([batch_size, self.units], dtype)

    def call(self, inputs: Any, state: Any, training: Any = None) -> tuple[Any, Any]:
        """Returns the output and the next state."""
        output = self.activation(tf.matmul(tf.concat([inputs, state], 1), self.kernel) + self.bias)
        return output, output


class LSTMCell(RNNCell):
    """A cell with one kernel for all gates, in the order: input, new value, forget, output.

    Args:
      units: Size of the state.
      forget_bias: Added to the bias of the forget gate.
      activation: Activation function of the new values and of the state.
      kernel_initializer: Initializer of the kernel.
      **kwargs: Arguments of `keras.layers.Layer`.
    """

    def __init__(
        self,
        units: int,
        forget_bias: float = 1.0,
        activation: Any = None,
        kernel_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(units, activation, kernel_initializer, **kwargs)
        self._forget_bias = forget_bias

    def build(self, input_shape: Any) -> None:
        """Creates the kernel and the bias."""
        self.kernel, self.bias = self._weights("", input_shape, 4 * self.units, "zeros")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the state before the first step."""
        zeros = super().zero_state(batch_size, dtype)
        return LSTMState(zeros, zeros)

    def call(self, inputs: Any, state: Any, training: Any = None) -> tuple[Any, Any]:
        """Returns the output and the next state."""
        c, h = state
        gates = tf.matmul(tf.concat([inputs, h], 1), self.kernel) + self.bias
        i, j, f, o = tf.split(gates, 4, axis=1)
        c = c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * self.activation(j)
        h = self.activation(c) * tf.sigmoid(o)
        return h, LSTMState(c, h)


class GRUCell(RNNCell):
    """A cell with a kernel for the gates (reset, update), and one for the candidate."""

    def build(self, input_shape: Any) -> None:
        """Creates the kernels and the biases."""
        self._gates = self._weights("gates/", input_shape, 2 * self.units, "ones")
        self._candidate = self._weights("candidate/", input_shape, self.units, "zeros")

    def call(self, inputs: Any, state: Any, training: Any = None) -> tuple[Any, Any]:
        """Returns the output and the next state."""
        kernel, bias = self._gates
        gates = tf.sigmoid(tf.matmul(tf.concat([inputs, state], 1), kernel) + bias)
        r, u = tf.split(gates, 2, axis=1)
        kernel, bias = self._candidate
        candidate = tf.matmul(tf.concat([inputs, r * state], 1), kernel) + bias
        output = u * state + (1 - u) * self.activation(candidate)
        return output, output


class StackedCells(keras.layers.Layer):
    """A stack of cells, each of which reads the output of the previous one.

    Its state is the tuple of their states.

    Args:
      cells: The cells.
      **kwargs: Arguments of `keras.layers.Layer`.

    Attributes:
      cells: The cells.
      units: Size of the output.
    """

    def __init__(self, cells: Sequence[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cells = [*cells]
        self.units = self.cells[-1].units

    def build(self, input_shape: Any) -> None:
        """Builds the cells."""
        for i, cell in enumerate(self.cells):
            _build(cell, input_shape, f"cell_{i}/{cell.name}")
            input_shape = [*input_shape[:-1], cell.units]

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the states before the first step."""
        return tuple(cell.zero_state(batch_size, dtype) for cell in self.cells)

    def call(self, inputs: Any, state: Any, training: Any = None) -> tuple[Any, Any]:
        """Returns the output and the next states."""
        states = []
        for cell, cell_state in zip(self.cells, state, strict=True):
            inputs, cell_state = cell(inputs, cell_state, training=training)
            states.append(cell_state)
        return inputs, tuple(states)


class DropoutCell(keras.layers.Layer):
    """A cell that drops values of another cell, as `tf.nn.rnn_cell.DropoutWrapper` did.

    Each step drops other values. The memory `c` of an LSTM is never dropped.

    Args:
      cell: The other cell. Its variables keep their names.
      input_keep_prob: Probability to keep a value of the inputs.
      output_keep_prob: Probability to keep a value of the output.
      state_keep_prob: Probability to keep a value of the next state.
      in_training_only: If true, evaluations and predictions drop nothing.
      **kwargs: Arguments of `keras.layers.Layer`.

    Attributes:
      cell: The other cell.
      units: Size of the output.
    """

    def __init__(
        self,
        cell: Any,
        input_keep_prob: float = 1.0,
        output_keep_prob: float = 1.0,
        state_keep_prob: float = 1.0,
        in_training_only: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**{"name": cell.name, **kwargs})
        self.cell = cell
        self.units = cell.units
        self._input_keep_prob, self._output_keep_prob = input_keep_prob, output_keep_prob
        self._state_keep_prob, self._in_training_only = state_keep_prob, in_training_only

    def build(self, input_shape: Any) -> None:
        """Builds the other cell."""
        _build(self.cell, input_shape, "")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the state before the first step."""
        return self.cell.zero_state(batch_size, dtype)

    def call(self, inputs: Any, state: Any, training: Any = None) -> tuple[Any, Any]:
        """Returns the output and the next state."""
        is_active = True if not self._in_training_only else training or False
        inputs = _dropped(inputs, self._input_keep_prob, is_active)
        output, next_state = self.cell(inputs, state, training=training)
        next_state = _dropped(next_state, self._state_keep_prob, is_active)
        return _dropped(output, self._output_keep_prob, is_active), next_state


class ResidualCell(keras.layers.Layer):
    """A cell that adds the inputs of another cell to its output, as `ResidualWrapper` did.

    Args:
      cell: The other cell. Its variables keep their names.
      **kwargs: Arguments of `keras.layers.Layer`.

    Attributes:
      cell: The other cell.
      units: Size of the output.
    """

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**{"name": cell.name, **kwargs})
        self.cell = cell
        self.units = cell.units

    def build(self, input_shape: Any) -> None:
        """Builds the other cell."""
        _build(self.cell, input_shape, "")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the state before the first step."""
        return self.cell.zero_state(batch_size, dtype)

    def call(self, inputs: Any, state: Any, training: Any = None) -> tuple[Any, Any]:
        """Returns the output and the next state."""
        output, next_state = self.cell(inputs, state, training=training)
        return inputs + output, next_state


class RNN(keras.layers.Layer):
    """Runs a cell over the steps of a batch of sequences, as `tf.nn.dynamic_rnn` did.

    Beyond the length of a sequence, its outputs are zero and its state stays.

    Args:
      cell: The cell.
      time_major: If true, inputs and outputs have the shape (steps, batch, size).
      **kwargs: Arguments of `keras.layers.Layer`.

    Attributes:
      cell: The cell.
    """

    def __init__(self, cell: Any, time_major: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cell = cell
        self._time_major = time_major

    def build(self, input_shape: Any) -> None:
        """Builds the cell."""
        _build(self.cell, [input_shape[0], input_shape[-1]], self.cell.name)
        super().build(input_shape)

    def call(
        self,
        inputs: Any,
        sequence_length: Any = None,
        initial_state: Any = None,
        training: Any = None,
    ) -> tuple[Any, Any]:
        """Returns the outputs of all steps, and the last state.

        Args:
          inputs: Sequences of the shape (batch, steps, size).
          sequence_length: Number of steps of each sequence, or None if all have the same.
          initial_state: State before the first step. By default it is zero.
          training: Whether the model trains.
        """
        return _run(self.cell, inputs, sequence_length, initial_state, self._time_major, training)


class StaticRNN(RNN):
    """Runs a cell over a list of steps, as `tf.nn.static_rnn` did."""

    def build(self, input_shape: Any) -> None:
        """Builds the cell."""
        super().build(input_shape[0])

    def call(
        self,
        inputs: Any,
        sequence_length: Any = None,
        initial_state: Any = None,
        training: Any = None,
    ) -> tuple[Any, Any]:
        """Returns the list of the outputs of all steps, and the last state.

        Args:
          inputs: Inputs of all steps, each of the shape (batch, size).
          sequence_length: Number of steps of each sequence, or None if all have the same.
          initial_state: State before the first step. By default it is zero.
          training: Whether the model trains.
        """
        sequences = tf.stack(inputs, 1)
        outputs, state = super().call(sequences, sequence_length, initial_state, training)
        return tf.unstack(outputs, len(inputs), 1), state


class BidirectionalRNN(keras.layers.Layer):
    """Runs a cell forward and another one backward, as `tf.nn.bidirectional_dynamic_rnn` did.

    Args:
      cell_fw: Cell that reads each sequence from its start.
      cell_bw: Cell that reads each sequence from its end.
      **kwargs: Arguments of `keras.layers.Layer`.

    Attributes:
      cell_fw: Cell that reads each sequence from its start.
      cell_bw: Cell that reads each sequence from its end.
    """

    def __init__(self, cell_fw: Any, cell_bw: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cell_fw, self.cell_bw = cell_fw, cell_bw

    def build(self, input_shape: Any) -> None:
        """Builds the cells."""
        for scope, cell in (("fw", self.cell_fw), ("bw", self.cell_bw)):
            _build(cell, [input_shape[0], input_shape[-1]], f"{scope}/{cell.name}")
        super().build(input_shape)

    def call(
        self, inputs: Any, sequence_length: Any = None, training: Any = None
    ) -> tuple[Any, Any]:
        """Returns the pairs of outputs and of last states, forward and backward.

        Args:
          inputs: Sequences of the shape (batch, steps, size).
          sequence_length: Number of steps of each sequence, or None if all have the same.
          training: Whether the model trains.
        """
        forward, state_fw = _run(self.cell_fw, inputs, sequence_length, training=training)
        backward_inputs = _reverse(inputs, sequence_length)
        backward, state_bw = _run(self.cell_bw, backward_inputs, sequence_length, training=training)
        return (forward, _reverse(backward, sequence_length)), (state_fw, state_bw)


class StaticBidirectionalRNN(BidirectionalRNN):
    """Runs two cells over a list of steps, as `tf.nn.static_bidirectional_rnn` did."""

    def build(self, input_shape: Any) -> None:
        """Builds the cells."""
        super().build(input_shape[0])

    def call(self, inputs: Any, sequence_length: Any = None, training: Any = None) -> Any:
        """Returns the joined outputs of all steps, and the last states, forward and backward.

        Args:
          inputs: Inputs of all steps, each of the shape (batch, size).
          sequence_length: Number of steps of each sequence, or None if all have the same.
          training: Whether the model trains.
        """
        outputs, states = super().call(tf.stack(inputs, 1), sequence_length, training)
        return tf.unstack(tf.concat(outputs, 2), len(inputs), 1), *states


def _build(cell: Any, input_shape: Any, scope: str) -> None:
    """Builds a cell outside of the loop over steps, because a loop cannot create variables."""
    if not cell.built:
        with tf.name_scope(scope) if scope else contextlib.nullcontext():
            cell.build(input_shape)
        cell.built = True


def _dropped(values: Any, keep_prob: Any, is_active: Any) -> Any:
    """Returns values with dropout, in the structure of an output or a state."""
    if isinstance(keep_prob, (float, int)) and keep_prob >= 1:
        return values
    if isinstance(values, LSTMState):
        return values._replace(h=_dropped(values.h, keep_prob, is_active))
    if isinstance(values, tuple):
        return tuple(_dropped(value, keep_prob, is_active) for value in values)
    if isinstance(is_active, (bool, int)):
        return tf.nn.dropout(values, 1 - keep_prob) if is_active else values
    return tf.cond(is_active, lambda: tf.nn.dropout(values, 1 - keep_prob), lambda: values)


def _run(
    cell: Any,
    inputs: Any,
    lengths: Any,
    state: Any = None,
    time_major: bool = False,
    training: Any = None,
) -> tuple[Any, Any]:
    """Returns the outputs of a cell over all steps, and its last state."""
    batch_axis, step_axis = (1, 0) if time_major else (0, 1)
    if state is None:
        state = cell.zero_state(tf.shape(inputs)[batch_axis], inputs.dtype)

    def step(at_step: Any, flat: Any) -> tuple[Any, list[Any]]:
        step_state = tf.nest.pack_sequence_as(state, flat[: len(tf.nest.flatten(state))])
        output, next_state = cell(at_step, step_state, training=training)
        return output, tf.nest.flatten(next_state)

    mask = None if lengths is None else tf.sequence_mask(lengths, tf.shape(inputs)[step_axis])
    mask = tf.transpose(mask) if mask is not None and time_major else mask
    _, outputs, last = keras.backend.rnn(
        step,
        inputs,
        tf.nest.flatten(state),
        mask=mask,
        time_major=time_major,
        zero_output_for_mask=True,
    )
    return outputs, tf.nest.pack_sequence_as(state, last)


def _reverse(sequences: Any, lengths: Any) -> Any:
    if lengths is None:
        return tf.reverse(sequences, [1])
    return tf.reverse_sequence(sequences, lengths, seq_axis=1, batch_axis=0)
