"""Cells that take a whole sequence: contrib.rnn's.

backward = TimeReversedFusedRNN(LSTMBlockFusedCell(64))
outputs, state = backward(inputs, dtype=tf.float32, sequence_length=lengths)
"""

from __future__ import annotations

import abc
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class FusedRNNCell(abc.ABC):
    """What takes a sequence and returns all outputs and the last state."""

    @abc.abstractmethod
    def __call__(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
        scope: Any = None,
    ) -> tuple[Any, Any]:
        """Runs over a sequence.

        Args:
          inputs: Of shape [time, batch, size]; or a list of [batch, size].
          initial_state: The first state; None is zeros.
          dtype: Their type, where there is no first state.
          sequence_length: Of shape [batch].
          scope: The variable scope.

        Returns:
          Outputs, like the inputs, and the last state.
        """


class FusedRNNCellAdaptor(FusedRNNCell):
    """Makes a FusedRNNCell of a cell."""

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        """Wraps a cell.

        Args:
          cell: The cell.
          use_dynamic_rnn: Whether it is a loop in the graph, or the graph has the cell once for
            each step.
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
        """Runs over a sequence; see `FusedRNNCell`."""
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
    """Runs a FusedRNNCell from the end to the beginning."""

    def __init__(self, cell: Any) -> None:
        """Wraps a FusedRNNCell.

        Args:
          cell: The FusedRNNCell.
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
        """Runs over a sequence; see `FusedRNNCell`. Outputs are in the order of the inputs."""
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
