"""tf.contrib.cudnn_rnn: the LSTM of cuDNN, and the cell that reads its checkpoints.

    lstm = CudnnLSTM(num_layers=2, num_units=64, dropout=0.5)
    outputs, (h, c) = lstm(inputs, training=True)       # inputs: [time, batch, depth]

The original kept all weights in one variable, ran on GPUs only, and saved a checkpoint with the
variables of `CudnnCompatibleLSTMCell`. Here the layer has these variables. It runs on all devices,
and its checkpoints have the same names and values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing
from legacy.contrib import rnn as contrib_rnn
from legacy.contrib._as_written import as_written

tf1 = tf.compat.v1

_DIRECTIONS = ("unidirectional", "bidirectional")
_NUM_GATES = 4


class CudnnCompatibleLSTMCell(contrib_rnn.LSTMBlockCell):
    """An LSTM cell with the computation and the checkpoints of CudnnLSTM."""

    def __init__(self, num_units: int, reuse: bool | None = None) -> None:
        """Initializes the cell.

        Args:
          num_units: Number of units.
          reuse: If true, uses existing variables.
        """
        super().__init__(num_units, forget_bias=0, reuse=reuse, name="cudnn_compatible_lstm_cell")


class CudnnLSTM(tf1.layers.Layer):
    """Layers of LSTMs over whole sequences."""

    def __init__(
        self,
        num_layers: int,
        num_units: int,
        input_mode: str = "linear_input",
        direction: str = "unidirectional",
        dropout: float = 0.0,
        seed: int | None = None,
        dtype: Any = tf.float32,
        kernel_initializer: Callable[..., Any] | None = None,
        bias_initializer: Callable[..., Any] | None = None,
        name: str | None = None,
    ) -> None:
        """Initializes the layers.

        Args:
          num_layers: Number of layers.
          num_units: Number of units of each layer and direction.
          input_mode: "linear_input" or "auto_select". Both multiply the inputs by weights.
          direction: "unidirectional" or "bidirectional".
          dropout: Rate of the dropout between layers in training.
          seed: Random seed of the dropout, or None.
          dtype: Type of the weights.
          kernel_initializer: Initializer of each gate's weights. Defaults to `glorot_uniform`.
          bias_initializer: Initializer of the biases. Defaults to zeros.
          name: Name of the layer.

        Raises:
          ValueError: `direction` or `input_mode` is unknown or not provided.
        """
        super().__init__(dtype=dtype, name=name)
        if direction not in _DIRECTIONS:
            raise ValueError(f"direction={direction!r}: use one of {', '.join(_DIRECTIONS)}.")
        if input_mode not in ("linear_input", "auto_select"):
            raise ValueError(f"input_mode={input_mode!r}: only 'linear_input' is provided.")
        self.num_layers, self.num_units = num_layers, num_units
        self.input_mode, self.direction = input_mode, direction
        self.num_dirs = 1 + _DIRECTIONS.index(direction)
        self._dropout, self._seed = dropout, seed
        self._kernel_initializer = kernel_initializer or tf1.glorot_uniform_initializer()
        self._bias_initializer = bias_initializer or tf1.zeros_initializer()
        self._created: list[Any] = []

    def state_shape(self, batch_size: int) -> tuple[list[int], list[int]]:
        """Returns the shapes of the states h and c.

        Args:
          batch_size: Number of sequences.
        """
        shape = [self.num_layers * self.num_dirs, batch_size, self.num_units]
        return shape, list(shape)

    @as_written
    def call(
        self,
        inputs: Any,
        initial_state: tuple[Any, Any] | None = None,
        sequence_lengths: Any = None,
        time_major: bool = True,
        training: bool = True,
    ) -> tuple[Any, tuple[Any, Any]]:
        """Returns the outputs and the last states (h, c).

        Args:
          inputs: Sequences, [time, batch, depth].
          initial_state: States h and c, [num_layers * num_dirs, batch, num_units]. None is zeros.
          sequence_lengths: Length of each sequence, or None if all have the length of `inputs`.
          time_major: If false, inputs and outputs are [batch, time, depth].
          training: If true, applies the dropout.
        """
        before = len(tf1.global_variables())
        with tf1.variable_scope(tf1.get_variable_scope(), custom_getter=self._get_variable):
            run = self._forward if self.num_dirs == 1 else self._in_both_directions
            outputs, states = run(
                inputs, self._states(initial_state), sequence_lengths, time_major, training
            )
        self._created.extend(tf1.global_variables()[before:])
        return outputs, (tf.stack([s.h for s in states]), tf.stack([s.c for s in states]))

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables of the cells."""
        return list(self._created)

    def _forward(
        self, inputs: Any, states: Any, lengths: Any, time_major: bool, training: bool
    ) -> tuple[Any, Sequence[Any]]:
        return tf1.nn.dynamic_rnn(
            contrib_rnn.MultiRNNCell(self._cells(training)),
            inputs,
            sequence_length=lengths,
            initial_state=states and tuple(states),
            dtype=self.dtype,
            time_major=time_major,
        )

    def _in_both_directions(
        self, inputs: Any, states: Any, lengths: Any, time_major: bool, training: bool
    ) -> tuple[Any, Sequence[Any]]:
        outputs, forward, backward = contrib_rnn.stack_bidirectional_dynamic_rnn(
            self._cells(training),
            self._cells(training),
            inputs,
            initial_states_fw=states and states[0::2],
            initial_states_bw=states and states[1::2],
            dtype=self.dtype,
            sequence_length=lengths,
            time_major=time_major,
        )
        # The states of a layer are next to each other.
        pairs = zip(forward, backward, strict=True)
        return outputs, [state for pair in pairs for state in pair]

    def _cells(self, training: bool) -> list[Any]:
        cells = [CudnnCompatibleLSTMCell(self.num_units) for _ in range(self.num_layers)]
        if not training or not self._dropout:
            return cells
        dropped = [
            contrib_rnn.DropoutWrapper(
                cell, output_keep_prob=1 - self._dropout, seed=self._seed, dtype=self.dtype
            )
            for cell in cells[:-1]
        ]
        return [*dropped, cells[-1]]

    def _states(self, initial_state: tuple[Any, Any] | None) -> list[Any] | None:
        if initial_state is None:
            return None
        h, c = map(tf.unstack, initial_state)
        return [contrib_rnn.LSTMStateTuple(*pair) for pair in zip(c, h, strict=True)]

    def _get_variable(self, getter: Callable[..., Any], name: str, **kwargs: Any) -> Any:
        is_kernel = name.endswith("kernel")
        initializer = self._all_gates if is_kernel else self._bias_initializer
        return getter(name, **{**kwargs, "initializer": initializer})

    def _all_gates(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        """Draws the weights of each gate, because their number determines their size."""
        depth = int(shape[0]) - self.num_units

        def draw(rows: int) -> list[Any]:
            return [
                self._kernel_initializer([rows, self.num_units], dtype=dtype)
                for _ in range(_NUM_GATES)
            ]

        return tf.concat(
            [tf.concat(draw(rows), axis=1) for rows in (depth, self.num_units)], axis=0
        )


__getattr__ = _missing.attribute_of("cudnn_rnn")

__all__ = ["CudnnCompatibleLSTMCell", "CudnnLSTM"]


def __dir__() -> list[str]:
    """Returns the public names."""
    return __all__
