"""contrib.seq2seq.AttentionWrapper, a cell that attends to a memory.

cell = AttentionWrapper(tf.compat.v1.nn.rnn_cell.GRUCell(64), mechanism, attention_layer_size=64)
state = cell.zero_state(batch_size, tf.float32).clone(cell_state=encoder_state)
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from legacy.contrib._as_written import as_written
from legacy.contrib.framework import with_same_shape
from legacy.contrib.seq2seq.attention import AttentionMechanism

tf1 = tf.compat.v1


class AttentionWrapperState(
    collections.namedtuple(
        "AttentionWrapperState",
        (
            "cell_state",
            "attention",
            "time",
            "alignments",
            "alignment_history",
            "attention_state",
        ),
    )
):
    """State of an `AttentionWrapper`."""

    def clone(self, **kwargs: Any) -> AttentionWrapperState:
        """Returns a copy with new values for some fields.

        Args:
          **kwargs: New values by field. Each tensor must have the shape of the old value.

        Raises:
          ValueError: The shape of a new value differs from the old shape.
        """

        def check_shape(old: Any, new: Any) -> Any:
            if tf.is_tensor(old) and tf.is_tensor(new):
                return with_same_shape(old, new)
            return new

        return tf.nest.map_structure(check_shape, self, self._replace(**kwargs))


def compute_attention(
    mechanism: Any, cell_output: tf.Tensor, attention_state: Any, attention_layer: Any
) -> tuple[tf.Tensor, tf.Tensor, Any]:
    """Returns the attention, the alignments and the mechanism's next state.

    Args:
      mechanism: Attention mechanism.
      cell_output: Query of shape [batch, size].
      attention_state: State of the mechanism.
      attention_layer: Layer to apply to the concatenated query and context. If None, the
        attention is the context, which is the weighted mean of the memory.
    """
    alignments, next_state = mechanism(cell_output, state=attention_state)
    context = tf.squeeze(tf.matmul(tf.expand_dims(alignments, 1), mechanism.values), [1])
    if attention_layer is not None:
        context = attention_layer(tf.concat([cell_output, context], 1))
    return context, alignments, next_state


class AttentionWrapper(tf1.nn.rnn_cell.RNNCell):
    """Cell wrapper that adds the attention of the previous step to the cell's input."""

    def __init__(
        self,
        cell: Any,
        attention_mechanism: Any,
        attention_layer_size: Any = None,
        alignment_history: bool = False,
        cell_input_fn: Callable[[Any, Any], Any] | None = None,
        output_attention: bool = True,
        initial_cell_state: Any = None,
        name: str | None = None,
        attention_layer: Any = None,
        attention_fn: Callable[..., Any] | None = None,
        dtype: Any = None,
    ) -> None:
        """Initializes the wrapper.

        Args:
          cell: RNN cell to wrap.
          attention_mechanism: Attention mechanism, or a list of mechanisms.
          attention_layer_size: Size of the layer over the cell's output and the context, or a list
            of sizes, one for each mechanism. None means no layer.
          alignment_history: If true, the state keeps the alignments of all steps.
          cell_input_fn: Function of the input and the attention that returns the cell's input. The
            default concatenates them.
          output_attention: If true, the output is the attention, else the cell's output.
          initial_cell_state: State of the cell in `zero_state`.
          name: Name of the layer.
          attention_layer: Layer, or list of layers, instead of `attention_layer_size`.
          attention_fn: Function to use instead of `compute_attention`.
          dtype: Type of the layer.

        Raises:
          TypeError: An argument has the wrong type.
          ValueError: Both sizes and layers are specified, or their number is not the number of
            mechanisms.
        """
        super().__init__(name=name, dtype=dtype)
        if not hasattr(cell, "output_size") or not hasattr(cell, "state_size"):
            raise TypeError(f"The argument 'cell' ({cell}) is not an RNNCell.")
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        for item in mechanisms:
            if not isinstance(item, AttentionMechanism):
                raise TypeError(
                    "attention_mechanism must be an AttentionMechanism or list of multiple "
                    f"AttentionMechanism instances, saw type: {type(item).__name__}"
                )
        if cell_input_fn is not None and not callable(cell_input_fn):
            raise TypeError(
                f"cell_input_fn must be callable, saw type: {type(cell_input_fn).__name__}"
            )
        self._cell = cell
        self._attention_mechanisms = mechanisms
        self._attention_layers = _layers(mechanisms, attention_layer_size, attention_layer)
        self._attention_layer_size = sum(
            _size(cell, mechanism, layer)
            for mechanism, layer in zip(mechanisms, self._attention_layers, strict=True)
        )
        self._cell_input_fn = cell_input_fn or (
            lambda inputs, attention: tf.concat([inputs, attention], -1)
        )
        self._attention_fn = attention_fn or compute_attention
        self._output_attention = output_attention
        self._alignment_history = alignment_history
        self._initial_cell_state = initial_cell_state
        if initial_cell_state is not None:
            with tf1.name_scope(name, "AttentionWrapperInit"):
                last_state = tf.nest.flatten(initial_cell_state)[-1]
                self._initial_cell_state = self._check_batch_size(
                    tf.shape(last_state)[0], initial_cell_state, "its initial_cell_state"
                )

    def _check_batch_size(self, batch_size: Any, tensors: Any, description: str) -> Any:
        """Returns tensors whose evaluation fails if the batch sizes differ."""
        message = (
            f"Non-matching batch sizes between the memory of AttentionWrapper {self.name} and "
            f"{description}. Are you using the BeamSearchDecoder? You may need to tile with "
            "tf.contrib.seq2seq.tile_batch and multiplier=beam_width."
        )
        checks = [
            tf1.assert_equal(batch_size, mechanism.batch_size, message=message)
            for mechanism in self._attention_mechanisms
        ]
        with tf.control_dependencies([check for check in checks if check is not None]):
            return tf.nest.map_structure(tf.identity, tensors)

    def _item_or_tuple(self, items: Iterable[Any]) -> Any:
        items = tuple(items)
        return items if self._is_multi else items[0]

    @property
    def output_size(self) -> Any:
        """Size of the output."""
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self) -> AttentionWrapperState:
        """Sizes of the state."""
        mechanisms = self._attention_mechanisms
        sizes = self._item_or_tuple(mechanism.alignments_size for mechanism in mechanisms)
        nothing = self._item_or_tuple(() for _ in mechanisms)
        return AttentionWrapperState(
            cell_state=self._cell.state_size,
            attention=self._attention_layer_size,
            time=tf.TensorShape([]),
            alignments=sizes,
            alignment_history=sizes if self._alignment_history else nothing,
            attention_state=self._item_or_tuple(mechanism.state_size for mechanism in mechanisms),
        )

    def zero_state(self, batch_size: Any, dtype: Any) -> AttentionWrapperState:
        """Returns the initial state.

        Args:
          batch_size: Number of examples in a batch.
          dtype: Type of the state.
        """
        mechanisms = self._attention_mechanisms
        with tf1.name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            cell_state = self._initial_cell_state
            if cell_state is None:
                cell_state = self._cell.zero_state(batch_size, dtype)
            initial_alignments = [
                mechanism.initial_alignments(batch_size, dtype) for mechanism in mechanisms
            ]
            return AttentionWrapperState(
                cell_state=self._check_batch_size(
                    batch_size, cell_state, "the requested batch size"
                ),
                attention=tf.zeros([batch_size, self._attention_layer_size], dtype),
                time=tf.zeros([], tf.int32),
                alignments=self._item_or_tuple(initial_alignments),
                alignment_history=self._item_or_tuple(
                    self._history(alignments) for alignments in initial_alignments
                ),
                attention_state=self._item_or_tuple(
                    mechanism.initial_state(batch_size, dtype) for mechanism in mechanisms
                ),
            )

    def _history(self, alignments: tf.Tensor) -> Any:
        if not self._alignment_history:
            return ()
        return tf.TensorArray(
            alignments.dtype, size=0, dynamic_size=True, element_shape=alignments.shape
        )

    @as_written
    def call(self, inputs: Any, state: AttentionWrapperState) -> Any:
        """Returns the output and the new state.

        Args:
          inputs: Input of the cell.
          state: `AttentionWrapperState` before the step.

        Raises:
          TypeError: The state is not an `AttentionWrapperState`.
        """
        if not isinstance(state, AttentionWrapperState):
            raise TypeError(
                "Expected state to be instance of AttentionWrapperState. Received type "
                f"{type(state)} instead."
            )
        output, cell_state = self._cell(
            self._cell_input_fn(inputs, state.attention), state.cell_state
        )
        output = self._check_batch_size(tf.shape(output)[0], output, "its query (decoder output)")
        states, histories = state.attention_state, state.alignment_history
        if not self._is_multi:
            states, histories = [states], [histories]
        parts = zip(
            self._attention_mechanisms, states, self._attention_layers, histories, strict=True
        )
        results = []
        for mechanism, attention_state, layer, history in parts:
            attention, alignments, attention_state = self._attention_fn(
                mechanism, output, attention_state, layer
            )
            if self._alignment_history:
                history = history.write(state.time, alignments)
            results.append((attention, alignments, history, attention_state))
        attentions, alignments, histories, states = zip(*results, strict=True)
        attention = tf.concat(attentions, 1)
        new_state = AttentionWrapperState(
            cell_state=cell_state,
            attention=attention,
            time=state.time + 1,
            alignments=self._item_or_tuple(alignments),
            alignment_history=self._item_or_tuple(histories),
            attention_state=self._item_or_tuple(states),
        )
        return (attention if self._output_attention else output), new_state


def _layers(mechanisms: tuple[Any, ...], sizes: Any, layers: Any) -> tuple[Any, ...]:
    """Returns the attention layer of each mechanism, or None for each if layers are not used."""
    if sizes is None and layers is None:
        return (None,) * len(mechanisms)
    if sizes is not None and layers is not None:
        raise ValueError("Only one of attention_layer_size and attention_layer should be set")
    name, layer_tuple = (
        ("attention_layer", layers) if sizes is None else ("attention_layer_size", sizes)
    )
    layer_tuple = tuple(layer_tuple) if isinstance(layer_tuple, (list, tuple)) else (layer_tuple,)
    if len(layer_tuple) != len(mechanisms):
        raise ValueError(
            f"If provided, {name} must contain exactly one per attention_mechanism, saw: "
            f"{len(layer_tuple)} vs {len(mechanisms)}"
        )
    if sizes is None:
        return layer_tuple
    return tuple(
        tf1.layers.Dense(size, name="attention_layer", use_bias=False, dtype=mechanism.dtype)
        for size, mechanism in zip(layer_tuple, mechanisms, strict=True)
    )


def _size(cell: Any, mechanism: Any, layer: Any) -> int:
    size = mechanism.values.shape.as_list()[-1]
    if layer is None:
        return size
    if hasattr(layer, "units"):
        return layer.units
    shape = layer.compute_output_shape([None, cell.output_size + size])
    return tf.TensorShape(shape).as_list()[-1]
