"""Cell wrappers that only contrib.rnn has.

cell = AttentionCellWrapper(tf.compat.v1.nn.rnn_cell.GRUCell(64), attn_length=10)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.contrib._as_written import as_written
from legacy.contrib.rnn.projection import Projection

tf1 = tf.compat.v1
_RNNCell = tf1.nn.rnn_cell.RNNCell


def _check_cell(cell: Any) -> None:
    required = ("output_size", "state_size", "zero_state")
    missing = [name for name in required if not hasattr(cell, name)]
    if missing or not callable(cell):
        missing_attribute = missing[0] if missing else "__call__"
        raise TypeError(
            f"The argument 'cell' ({cell}) is not an RNNCell: {missing_attribute} is missing."
        )


class _Wrapper(_RNNCell):
    """Base class of wrappers, whose state is the state of the wrapped cell."""

    def __init__(self, cell: Any, reuse: bool | None) -> None:
        super().__init__(_reuse=reuse)
        _check_cell(cell)
        self._cell = cell

    @property
    def state_size(self) -> Any:
        """Size of the wrapped cell's state."""
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        """Size of the wrapped cell's output."""
        return self._cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the initial state of the wrapped cell."""
        with tf1.name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


class InputProjectionWrapper(_Wrapper):
    """Wrapper that projects the input of a cell."""

    def __init__(
        self,
        cell: Any,
        num_proj: int,
        activation: Callable[[tf.Tensor], tf.Tensor] | None = None,
        input_size: int | None = None,
        reuse: bool | None = None,
    ) -> None:
        """Initializes the wrapper.

        Args:
          cell: RNN cell to wrap.
          num_proj: Size of the projected input.
          activation: Activation function of the projected input, or None.
          input_size: Unused.
          reuse: If true, existing variables are reused.

        Raises:
          TypeError: `cell` is not an RNN cell.
        """
        super().__init__(cell, reuse)
        if input_size is not None:
            tf1.logging.warning("%s: The input_size parameter is deprecated.", self)
        self._num_proj = num_proj
        self._activation = activation
        self._projection: Projection | None = None

    @as_written
    def call(self, inputs: tf.Tensor, state: Any) -> Any:
        """Returns the cell's output and new state."""
        if self._projection is None:
            self._projection = Projection([inputs], self._num_proj)
        projection = self._projection([inputs])
        return self._cell(self._activation(projection) if self._activation else projection, state)


class OutputProjectionWrapper(_Wrapper):
    """Wrapper that projects the output of a cell."""

    def __init__(
        self,
        cell: Any,
        output_size: int,
        activation: Callable[[tf.Tensor], tf.Tensor] | None = None,
        reuse: bool | None = None,
    ) -> None:
        """Initializes the wrapper.

        Args:
          cell: RNN cell to wrap.
          output_size: Size of the projected output.
          activation: Activation function of the projected output, or None.
          reuse: If true, existing variables are reused.

        Raises:
          TypeError: `cell` is not an RNN cell.
          ValueError: `output_size` is less than 1.
        """
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError(f"Parameter output_size must be > 0: {output_size}.")
        self._output_size = output_size
        self._activation = activation
        self._projection: Projection | None = None

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._output_size

    @as_written
    def call(self, inputs: tf.Tensor, state: Any) -> Any:
        """Returns the projected output and the cell's new state."""
        output, new_state = self._cell(inputs, state)
        if self._projection is None:
            self._projection = Projection([output], self._output_size)
        projection = self._projection([output])
        return (self._activation(projection) if self._activation else projection), new_state


class EmbeddingWrapper(_Wrapper):
    """Wrapper that embeds ids before they reach a cell."""

    def __init__(
        self,
        cell: Any,
        embedding_classes: int,
        embedding_size: int,
        initializer: Any = None,
        reuse: bool | None = None,
    ) -> None:
        """Initializes the wrapper.

        Args:
          cell: RNN cell to wrap.
          embedding_classes: Number of ids.
          embedding_size: Size of each embedding.
          initializer: Initializer of the variable "embedding". The default is the initializer of
            the variable scope, or else a uniform distribution with variance 1.
          reuse: If true, an existing variable is reused.

        Raises:
          TypeError: `cell` is not an RNN cell.
          ValueError: `embedding_classes` or `embedding_size` is less than 1.
        """
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                "Both embedding_classes and embedding_size must be > 0: "
                f"{embedding_classes}, {embedding_size}."
            )
        self._shape = [embedding_classes, embedding_size]
        self._initializer = initializer

    @as_written
    def call(self, inputs: tf.Tensor, state: Any) -> Any:
        """Returns the cell's output and new state."""
        # As in the original, the table is on the CPU, which also looks the ids up.
        with tf1.device("/cpu:0"):
            initializer = self._initializer or tf1.get_variable_scope().initializer
            if not initializer:
                initializer = tf1.random_uniform_initializer(-math.sqrt(3), math.sqrt(3))
            dtype = tf.nest.flatten(state)[0].dtype
            embedding = tf1.get_variable("embedding", self._shape, dtype, initializer=initializer)
            embeddings = tf1.nn.embedding_lookup(embedding, tf.reshape(inputs, [-1]))
        return self._cell(embeddings, state)


class HighwayWrapper(_RNNCell):
    """Wrapper that mixes the input of a cell into its output through gates."""

    def __init__(
        self,
        cell: Any,
        couple_carry_transform_gates: bool = True,
        carry_bias_init: float = 1.0,
    ) -> None:
        """Initializes the wrapper.

        Args:
          cell: RNN cell to wrap.
          couple_carry_transform_gates: If true, the output's gate is 1 minus the input's gate. If
            false, the output has its own gate.
          carry_bias_init: Initial bias of the input's gate.
        """
        super().__init__()
        self._cell = cell
        self._coupled = couple_carry_transform_gates
        self._bias = carry_bias_init

    @property
    def state_size(self) -> Any:
        """Size of the wrapped cell's state."""
        return self._cell.state_size

    @property
    def output_size(self) -> Any:
        """Size of the wrapped cell's output."""
        return self._cell.output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Returns the initial state of the wrapped cell."""
        with tf1.name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)

    @as_written
    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """Returns the mixed output and the cell's new state."""
        outputs, new_state = self._cell(inputs, state, scope=scope)
        tf.nest.assert_same_structure(inputs, outputs)
        return tf.nest.map_structure(self._mix, inputs, outputs), new_state

    def _mix(self, inputs: tf.Tensor, outputs: tf.Tensor) -> tf.Tensor:
        inputs.shape.assert_is_compatible_with(outputs.shape)
        carry = self._gate("carry", inputs, self._bias)
        transform = 1 - carry if self._coupled else self._gate("transform", inputs, -self._bias)
        return inputs * carry + outputs * transform

    def _gate(self, name: str, inputs: tf.Tensor, bias: float) -> tf.Tensor:
        size = inputs.shape.as_list()[1]
        weights = tf1.get_variable(f"{name}_w", [size, size])
        biases = tf1.get_variable(f"{name}_b", [size], initializer=tf1.constant_initializer(bias))
        return tf.sigmoid(tf1.nn.xw_plus_b(inputs, weights, biases))


class AttentionCellWrapper(_RNNCell):
    """Wrapper that adds attention to the last outputs of a cell."""

    def __init__(
        self,
        cell: Any,
        attn_length: int,
        attn_size: int | None = None,
        attn_vec_size: int | None = None,
        input_size: int | None = None,
        state_is_tuple: bool = True,
        reuse: bool | None = None,
    ) -> None:
        """Initializes the wrapper.

        Args:
          cell: RNN cell to wrap.
          attn_length: Number of outputs to attend to.
          attn_size: Size of the output. The default is the size of the cell's output.
          attn_vec_size: Size of the projections that compare outputs and state. The default is
            `attn_size`.
          input_size: Size of the cell's input. The default is the size of the wrapper's input.
          state_is_tuple: If true, the state is a tuple, else a single tensor.
          reuse: If true, existing variables are reused.

        Raises:
          TypeError: `cell` is not an RNN cell.
          ValueError: `attn_length` is less than 1, or the cell's state is a tuple and
            `state_is_tuple` is false.
        """
        super().__init__(_reuse=reuse)
        _check_cell(cell)
        if tf.nest.is_nested(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. State size "
                f"is: {cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        self._cell = cell
        self._length = attn_length
        self._size = attn_size or cell.output_size
        self._vec_size = attn_vec_size or self._size
        self._input_size = input_size
        self._state_is_tuple = state_is_tuple
        self._projections: dict[str, Projection] = {}

    @property
    def state_size(self) -> Any:
        """Sizes of the cell's state, the attention, and the last outputs."""
        sizes = (self._cell.state_size, self._size, self._size * self._length)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> int:
        """Size of the output."""
        return self._size

    def _project(self, name: str, inputs: list[tf.Tensor], size: int) -> tf.Tensor:
        if name not in self._projections:
            self._projections[name] = Projection(inputs, size)
        return self._projections[name](inputs)

    @as_written
    def call(self, inputs: tf.Tensor, state: Any) -> Any:
        """Returns the output and the new state."""
        if not self._state_is_tuple:
            state = tf.split(state, [self._cell.state_size, self._size, -1], axis=1)
        cell_state, attention, memory = state
        memory = tf.reshape(memory, [-1, self._length, self._size])
        size = self._input_size or inputs.shape.as_list()[1]
        inputs = self._project("input", [inputs, attention], size)
        output, new_state = self._cell(inputs, cell_state)
        query = tf.concat(tf.nest.flatten(new_state), 1)
        attention = self._attend(query, memory)
        with tf1.variable_scope("attn_output_projection"):
            output = self._project("output", [output, attention], self._size)
        memory = tf.concat([memory[:, 1:], tf.expand_dims(output, 1)], 1)
        new = (new_state, attention, tf.reshape(memory, [-1, self._length * self._size]))
        return output, new if self._state_is_tuple else tf.concat(new, 1)

    def _attend(self, query: tf.Tensor, memory: tf.Tensor) -> tf.Tensor:
        with tf1.variable_scope("attention"):
            # The shape of a 1x1 convolution, as in the checkpoints of the original.
            shape = [1, 1, self._size, self._vec_size]
            keys_kernel = tf1.get_variable("attn_w", shape)
            scores_kernel = tf1.get_variable("attn_v", [self._vec_size])
            keys = tf.einsum("bls,sv->blv", memory, keys_kernel[0, 0])
            query_keys = self._project("query", [query], self._vec_size)[:, None]
            scores = tf.reduce_sum(scores_kernel * tf.tanh(keys + query_keys), 2)
            weights = tf.nn.softmax(scores)[:, :, None]
            return tf.reshape(tf.reduce_sum(weights * memory, 1), [-1, self._size])
