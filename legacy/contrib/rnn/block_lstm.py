"""LSTM cells of contrib.rnn that run as one operation.

outputs, state = LSTMBlockFusedCell(64)(inputs, dtype=tf.float32)  # inputs: [time, batch, size]
"""

from __future__ import annotations

import abc
from typing import Any

import tensorflow as tf

from legacy.contrib._as_written import as_written
from legacy.contrib.rnn.cells import LayerRNNCell

tf1 = tf.compat.v1
_LSTMStateTuple = tf1.nn.rnn_cell.LSTMStateTuple
_PEEPHOLES = {"wci": "w_i_diag", "wcf": "w_f_diag", "wco": "w_o_diag"}


def _weights(layer: Any, input_size: int, num_units: int, peephole: bool) -> dict[str, Any]:
    """Creates the variables of an LSTM, and returns them by argument name of the operation."""
    weights = {
        "w": layer.add_weight("kernel", [input_size + num_units, num_units * 4]),
        "b": layer.add_weight("bias", [num_units * 4], initializer=tf1.zeros_initializer()),
    }
    if peephole:
        weights |= {key: layer.add_weight(name, [num_units]) for key, name in _PEEPHOLES.items()}
    return weights


def _run(
    inputs: tf.Tensor,
    state: Any,
    weights: dict[str, Any],
    steps: Any,
    num_units: int,
    forget_bias: float,
    cell_clip: float,
    use_peephole: bool,
) -> tuple[tf.Tensor, tf.Tensor]:
    """Returns c and h after each step, each of shape [time, batch, num_units]."""
    # The operation requires peephole weights even if it does not use them.
    no_peephole = tf.zeros([num_units], inputs.dtype)
    outputs = tf.raw_ops.BlockLSTM(
        seq_len_max=tf.cast(steps, tf.int64),
        x=inputs,
        cs_prev=state[0],
        h_prev=state[1],
        forget_bias=forget_bias,
        cell_clip=cell_clip,
        use_peephole=use_peephole,
        **{**dict.fromkeys(_PEEPHOLES, no_peephole), **weights},
    )
    return outputs.cs, outputs.h


class LSTMBlockCell(LayerRNNCell):
    """LSTM cell that computes a step in one operation. See also `LSTMCell`."""

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        dtype: Any = None,
        reuse: bool | None = None,
        name: str = "lstm_cell",
    ) -> None:
        """Initializes the cell.

        Args:
          num_units: Size of the state.
          forget_bias: Bias to add to the forget gate.
          cell_clip: Largest absolute value of the state c. None means no clipping.
          use_peephole: If true, the gates also depend on the state c.
          dtype: Type of the variables. The default is the type of the input.
          reuse: If true, existing variables are reused.
          name: Name of the layer and of its variable scope.
        """
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units = num_units
        # A cell_clip of -1 turns clipping off.
        self._how = (forget_bias, -1 if cell_clip is None else cell_clip, use_peephole)
        self.input_spec = tf1.layers.InputSpec(ndim=2)

    @property
    def state_size(self) -> Any:
        """Sizes of c and h."""
        return _LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self) -> int:
        """Size of h."""
        return self._num_units

    def build(self, inputs_shape: Any) -> None:
        """Creates the variables.

        Raises:
          ValueError: The size of the input is unknown.
        """
        size = inputs_shape.as_list()[1]
        if not size:
            raise ValueError(f"Expecting inputs_shape[1] to be set: {inputs_shape}")
        self._weights = _weights(self, size, self._num_units, self._how[2])
        self.built = True

    @as_written
    def call(self, inputs: tf.Tensor, state: Any) -> tuple[tf.Tensor, Any]:
        """Returns the output and the new state of a step.

        Raises:
          ValueError: The state is not a pair.
        """
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        # The operation for a single step no longer has a gradient, so this runs a sequence of one
        # step.
        c, h = _run(inputs[None], state, self._weights, 1, self._num_units, *self._how)
        return h[0], _LSTMStateTuple(c[0], h[0])


class LSTMBlockWrapper(tf1.layers.Layer):
    """Base class of layers that run an LSTM over a sequence in one operation."""

    @property
    @abc.abstractmethod
    def num_units(self) -> int:
        """Size of the state."""

    @abc.abstractmethod
    def _call_cell(
        self,
        inputs: tf.Tensor,
        initial_cell_state: tf.Tensor,
        initial_output: tf.Tensor,
        dtype: Any,
        sequence_length: tf.Tensor | None,
    ) -> tuple[tf.Tensor, tf.Tensor]:
        """Returns the states c and the outputs h after each step."""

    def call(
        self,
        inputs: Any,
        initial_state: Any = None,
        dtype: Any = None,
        sequence_length: Any = None,
    ) -> tuple[Any, Any]:
        """Runs the LSTM over a sequence.

        Args:
          inputs: Tensor of shape [time, batch, size], or a list of tensors of shape [batch, size].
          initial_state: Initial c and h. The default is zeros.
          dtype: Type of the zeros, if `initial_state` is None.
          sequence_length: Lengths of shape [batch]. After the end of a sequence, the outputs are
            zeros and the state does not change.

        Returns:
          The outputs, as a tensor or a list like the inputs, and the final state.

        Raises:
          ValueError: Both `initial_state` and `dtype` are None, the state is not a pair, or the
            size of the inputs is unknown.
        """
        return self._run(inputs, initial_state, dtype, sequence_length)

    # `call` itself is not decorated, because Keras would infer that it takes `training`.
    @as_written
    def _run(
        self, inputs: Any, initial_state: Any, dtype: Any, sequence_length: Any
    ) -> tuple[Any, Any]:
        is_list = isinstance(inputs, list)
        inputs = tf.stack(inputs) if is_list else inputs
        if not inputs.shape.with_rank(3).as_list()[2]:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {inputs.shape}")
        steps, batch = tf.unstack(tf.shape(inputs)[:2])
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = tf.zeros([batch, self.num_units], dtype)
            initial_state = (zeros, zeros)
        elif len(initial_state) != 2:
            raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
        if sequence_length is not None:
            sequence_length = tf.convert_to_tensor(sequence_length)
        dtype = dtype or initial_state[0].dtype
        states, outputs = self._call_cell(inputs, *initial_state, dtype, sequence_length)
        if sequence_length is None:
            last_state = states[-1], outputs[-1]
        else:
            mask = tf.sequence_mask(sequence_length, steps, dtype)
            outputs *= tf.transpose(mask)[:, :, None]
            # Row n is the state after n steps. Row 0 is the initial state.
            rows = tf.stack([tf.cast(sequence_length, tf.int32), tf.range(batch)], axis=1)
            initial_and_later = zip(initial_state, (states, outputs), strict=True)
            last_state = tuple(
                tf.gather_nd(tf.concat([initial[None], later], 0), rows)
                for initial, later in initial_and_later
            )
        return tf.unstack(outputs) if is_list else outputs, _LSTMStateTuple(*last_state)


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """LSTM that runs over a whole sequence in one operation."""

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        cell_clip: float | None = None,
        use_peephole: bool = False,
        reuse: bool | None = None,
        dtype: Any = None,
        name: str = "lstm_fused_cell",
    ) -> None:
        """Initializes the layer. See `LSTMBlockCell` for the arguments."""
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units = num_units
        # A cell_clip of -1 turns clipping off.
        self._how = (forget_bias, -1 if cell_clip is None else cell_clip, use_peephole)
        self.input_spec = tf1.layers.InputSpec(ndim=3)

    @property
    def num_units(self) -> int:
        """Size of the state."""
        return self._num_units

    def build(self, input_shape: Any) -> None:
        """Creates the variables."""
        self._weights = _weights(self, input_shape.as_list()[2], self._num_units, self._how[2])
        self.built = True

    def _call_cell(
        self,
        inputs: tf.Tensor,
        initial_cell_state: tf.Tensor,
        initial_output: tf.Tensor,
        dtype: Any,
        sequence_length: tf.Tensor | None,
    ) -> tuple[tf.Tensor, tf.Tensor]:
        steps = tf.shape(inputs)[0] if sequence_length is None else tf.reduce_max(sequence_length)
        state = (initial_cell_state, initial_output)
        return _run(inputs, state, self._weights, steps, self._num_units, *self._how)
