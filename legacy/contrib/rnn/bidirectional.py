"""Stacks of bidirectional recurrent layers, from contrib.rnn.

outputs, forward, backward = stack_bidirectional_dynamic_rnn(
    [GRUCell(64), GRUCell(64)], [GRUCell(64), GRUCell(64)], inputs, dtype=tf.float32)
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def _check(cells_fw: Any, cells_bw: Any, states_fw: Any, states_bw: Any) -> None:
    for name, cells in (("fw", cells_fw), ("bw", cells_bw)):
        if not cells:
            raise ValueError(f"Must specify at least one {name} cell for BidirectionalRNN.")
        if not isinstance(cells, list):
            raise ValueError(f"cells_{name} must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for name, states in (("fw", states_fw), ("bw", states_bw)):
        if states is None:
            continue
        if not isinstance(states, list) or len(states) != len(cells_fw):
            raise ValueError(
                f"initial_states_{name} must be a list of state tensors (one per layer)."
            )


def stack_bidirectional_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: list[tf.Tensor],
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> tuple[list[tf.Tensor], tuple[Any, ...], tuple[Any, ...]]:
    """Runs a stack of bidirectional layers over a list of steps.

    Args:
      cells_fw: One forward cell per layer.
      cells_bw: One backward cell per layer.
      inputs: List with a tensor of shape [batch, size] for each step.
      initial_states_fw: One initial state per layer. The default is zeros.
      initial_states_bw: One initial state per layer. The default is zeros.
      dtype: Type of the initial states, if they are zeros.
      sequence_length: Lengths of shape [batch].
      scope: Variable scope. The default is "stack_bidirectional_rnn".

    Returns:
      The concatenated forward and backward outputs of the last layer, the final forward states of
      all layers, and the final backward states of all layers.

    Raises:
      ValueError: The lists of cells or states are empty or have different lengths.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    last_fw, last_bw = [], []
    with tf1.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (forward, backward) in enumerate(zip(cells_fw, cells_bw, strict=True)):
            with tf1.variable_scope(f"cell_{i}") as cell_scope:
                inputs, state_fw, state_bw = tf1.nn.static_bidirectional_rnn(
                    forward,
                    backward,
                    inputs,
                    initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None,
                    sequence_length=sequence_length,
                    dtype=dtype,
                    scope=cell_scope,
                )
            last_fw.append(state_fw)
            last_bw.append(state_bw)
    return inputs, tuple(last_fw), tuple(last_bw)


def stack_bidirectional_dynamic_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: tf.Tensor,
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: Any = None,
    sequence_length: Any = None,
    parallel_iterations: int | None = None,
    time_major: bool = False,
    scope: Any = None,
    swap_memory: bool = False,
) -> tuple[tf.Tensor, tuple[Any, ...], tuple[Any, ...]]:
    """Runs a stack of bidirectional layers over a sequence, with loops in the graph.

    Args:
      cells_fw: One forward cell per layer.
      cells_bw: One backward cell per layer.
      inputs: Tensor of shape [batch, time, size], or [time, batch, size] if `time_major`.
      initial_states_fw: One initial state per layer. The default is zeros.
      initial_states_bw: One initial state per layer. The default is zeros.
      dtype: Type of the initial states, if they are zeros.
      sequence_length: Lengths of shape [batch].
      parallel_iterations: Number of steps that may run in parallel.
      time_major: If true, time is the first dimension.
      scope: Variable scope. The default is "stack_bidirectional_rnn".
      swap_memory: If true, tensors for the gradients may be swapped to the CPU.

    Returns:
      The concatenated forward and backward outputs of the last layer, the final forward states of
      all layers, and the final backward states of all layers.

    Raises:
      ValueError: The lists of cells or states are empty or have different lengths.
    """
    _check(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    last_fw, last_bw = [], []
    with tf1.variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (forward, backward) in enumerate(zip(cells_fw, cells_bw, strict=True)):
            with tf1.variable_scope(f"cell_{i}"):
                outputs, (state_fw, state_bw) = tf1.nn.bidirectional_dynamic_rnn(
                    forward,
                    backward,
                    inputs,
                    initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None,
                    sequence_length=sequence_length,
                    parallel_iterations=parallel_iterations,
                    dtype=dtype,
                    swap_memory=swap_memory,
                    time_major=time_major,
                )
            inputs = tf.concat(outputs, 2)
            last_fw.append(state_fw)
            last_bw.append(state_bw)
    return inputs, tuple(last_fw), tuple(last_bw)


def transpose_batch_time(x: Any) -> tf.Tensor:
    """Swaps the first two dimensions, batch and time.

    Args:
      x: Tensor of rank 2 or more. The rank may be unknown.

    Returns:
      The transposed tensor.

    Raises:
      ValueError: The rank is less than 2.
    """
    rank = tf.convert_to_tensor(x).shape.rank
    if rank is not None and rank < 2:
        raise ValueError(f"Expected input tensor {x} to have rank at least 2, but it has {rank}")
    x = tf.convert_to_tensor(x)
    rank = tf.rank(x)
    transposed = tf.transpose(x, tf.concat([[1, 0], tf.range(2, rank)], 0))
    if x.shape.rank is not None:
        batch, time, *rest = x.shape.as_list()
        transposed.set_shape([time, batch, *rest])
    return transposed


def best_effort_input_batch_size(flat_input: list[tf.Tensor]) -> Any:
    """Returns the batch size of inputs of shape [time, batch, ...], as an int if it is static."""
    for tensor in flat_input:
        sizes = tensor.shape.as_list() if tensor.shape.rank is not None else []
        if len(sizes) > 1 and sizes[1] is not None:
            return sizes[1]
    return tf.shape(flat_input[0])[1]
