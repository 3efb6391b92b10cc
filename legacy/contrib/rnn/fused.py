"""Cells of contrib.rnn that run over whole sequences.

backward = TimeReversedFusedRNN(LSTMBlockFusedCell(64))
outputs, state = backward(inputs, dtype=tf.float32, sequence_length=lengths)
"""

from __future__ import annotations

import abc
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class FusedRNNCell(abc.ABC):
    """Interface of cells that run over a sequence and return all outputs and the final state."""

    @abc.abstractmethod
    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        """Runs the cell over a sequence.

        Args:
          inputs: Tensor of shape [time, batch, size], or a list of tensors of shape [batch, size].
          initial_state: Initial state. The default is zeros.
          dtype: Type of the zeros, if `initial_state` is None.
          sequence_length: Lengths of shape [batch].
          scope: Variable scope.

        Returns:
          The outputs, as a tensor or a list like the inputs, and the final state.
        """


class FusedRNNCellAdaptor(FusedRNNCell):
    """Adapter that makes a FusedRNNCell from an RNN cell."""

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        """Initializes the wrapper.

        Args:
          cell: RNN cell to wrap.
          use_dynamic_rnn: If true, runs the cell in a loop of the graph. If false, adds the cell to
            the graph once for each step.
        """
        self._cell = cell
        self._dynamic = use_dynamic_rnn

    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        """Runs the cell over a sequence. See `FusedRNNCell`."""
        is_list = isinstance(inputs, list)
        common = {
            "initial_state": initial_state,
            "dtype": dtype,
            "sequence_length": sequence_length,
            "scope": scope,
        }
        if self._dynamic:
            inputs = tf.stack(inputs) if is_list else inputs
            outputs, state = tf1.nn.dynamic_rnn(self._cell, inputs, time_major=True, **common)
            return (tf.unstack(outputs) if is_list else outputs), state
        inputs = inputs if is_list else tf.unstack(inputs)
        outputs, state = tf1.nn.static_rnn(self._cell, inputs, **common)
        return (outputs if is_list else tf.stack(outputs)), state


class TimeReversedFusedRNN(FusedRNNCell):
    """Wrapper that runs a FusedRNNCell from the last step to the first."""

    def __init__(self, cell: Any) -> None:
        """Initializes the wrapper.

        Args:
          cell: FusedRNNCell to wrap.
        """
        self._cell = cell

    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        """Runs the cell over the reversed sequence, and returns the outputs in input order."""
        outputs, state = self._cell(
            _reverse(inputs, sequence_length),
            initial_state=initial_state,
            dtype=dtype,
            sequence_length=sequence_length,
            scope=scope,
        )
        return _reverse(outputs, sequence_length), state


def _reverse(sequence: Any, lengths: Any) -> Any:
    if isinstance(sequence, list):
        return sequence[::-1]
    if lengths is None:
        return tf.reverse(sequence, [0])
    return tf.reverse_sequence(sequence, lengths, seq_axis=0, batch_axis=1)
