"""RNN cells that only contrib.rnn has.

cell = LayerNormBasicLSTMCell(64, dropout_keep_prob=0.8)
outputs, state = tf.compat.v1.nn.dynamic_rnn(cell, inputs, dtype=tf.float32)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.contrib import layers
from legacy.contrib._as_written import as_written

tf1 = tf.compat.v1
_RNNCell = tf1.nn.rnn_cell.RNNCell
_LSTMStateTuple = tf1.nn.rnn_cell.LSTMStateTuple
# The base class of BasicRNNCell and similar cells. It has no public name.
LayerRNNCell = tf1.nn.rnn_cell.BasicRNNCell.__mro__[1]


class LayerNormBasicLSTMCell(_RNNCell):
    """LSTM cell with layer normalization and recurrent dropout.

    The kernel has the gates in the order: input, transform, forget, output. With layer
    normalization, the gates and the state have variables "gamma" and "beta" in the scopes "input",
    "transform", "forget", "output" and "state".
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        input_size: int | None = None,
        activation: Callable[[tf.Tensor], tf.Tensor] = tf.tanh,
        layer_norm: bool = True,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
        dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: int | None = None,
        reuse: bool | None = None,
    ) -> None:
        """Initializes the cell.

        Args:
          num_units: Size of the state.
          forget_bias: Bias to add to the forget gate.
          input_size: Unused.
          activation: Activation function of the new values and of the state.
          layer_norm: If true, normalizes the gates and the state.
          norm_gain: Initial value of "gamma".
          norm_shift: Initial value of "beta".
          dropout_keep_prob: Probability that dropout keeps a new value, a float or a tensor.
          dropout_prob_seed: Random seed of the dropout.
          reuse: If true, existing variables are reused.
        """
        super().__init__(_reuse=reuse)
        if input_size is not None:
            tf1.logging.warning("%s: The input_size parameter is deprecated.", self)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._activation = activation
        self._layer_norm = layer_norm
        self._first = {
            "gamma": tf1.constant_initializer(norm_gain),
            "beta": tf1.constant_initializer(norm_shift),
        }
        self._keep_prob = dropout_keep_prob
        self._seed = dropout_prob_seed

    @property
    def state_size(self) -> Any:
        """Sizes of c and h."""
        return _LSTMStateTuple(self._num_units, self._num_units)

    @property
    def output_size(self) -> int:
        """Size of h."""
        return self._num_units

    @as_written
    def call(self, inputs: tf.Tensor, state: Any) -> tuple[tf.Tensor, Any]:
        """Returns the output and the new state of a step.

        Args:
          inputs: Inputs of shape [batch, size].
          state: Pair (c, h) of tensors of shape [batch, num_units].
        """
        c, h = state
        names = ("input", "transform", "forget", "output")
        gates = tf.split(self._gates(tf.concat([inputs, h], 1)), 4, axis=1)
        if self._layer_norm:
            gates = [self._norm(gate, name) for gate, name in zip(gates, names, strict=True)]
        i, j, f, o = gates
        new = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            new = tf1.nn.dropout(new, rate=1 - self._keep_prob, seed=self._seed)
        new_c = c * tf.sigmoid(f + self._forget_bias) + tf.sigmoid(i) * new
        if self._layer_norm:
            new_c = self._norm(new_c, "state")
        new_h = self._activation(new_c) * tf.sigmoid(o)
        return new_h, _LSTMStateTuple(new_c, new_h)

    def _gates(self, inputs: tf.Tensor) -> tf.Tensor:
        size = 4 * self._num_units
        kernel = tf1.get_variable("kernel", [inputs.shape.as_list()[-1], size], inputs.dtype)
        gates = tf.matmul(inputs, kernel)
        if self._layer_norm:
            return gates
        return tf.nn.bias_add(gates, tf1.get_variable("bias", [size], inputs.dtype))

    def _norm(self, gate: tf.Tensor, scope: str) -> tf.Tensor:
        # `layer_norm` takes no initializers, so it reuses variables that are created here.
        with tf1.variable_scope(scope):
            for name, initializer in self._first.items():
                tf1.get_variable(name, gate.shape[-1:], gate.dtype, initializer=initializer)
        return layers.layer_norm(gate, reuse=True, scope=scope)
