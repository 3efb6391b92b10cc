"""Layouts of recurrent cells: that of tf.nn.rnn_cell, and that of Keras.

    kernel, recurrent_kernel = gates.keras_kernels("lstm", [old_kernel], inputs=12)
    (bias,) = gates.keras_biases("lstm", [old_bias], forget_bias=1.0)

An old kernel has one row for each input, and then one for each unit of the state. Keras has two
kernels, "kernel" and "recurrent_kernel". The columns of both are blocks, one for each gate.

The LSTM of tf.nn.rnn_cell adds a constant `forget_bias` to the forget gate. In Keras, it is a part
of the bias, so that the sum is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

_FORGET = "f"


class Layout(NamedTuple):
    """Layouts of one kind of cell.

    Attributes:
      old: Prefix of the names of each kernel and its bias in tf.nn.rnn_cell, and their gates.
      keras: Gates in the kernels and the bias of Keras.
      old_class: Name of the old class.
      keras_class: Name of Keras' layer.
    """

    old: tuple[tuple[str, str], ...]
    keras: str
    old_class: str
    keras_class: str


# Gates by letter: i input, c new value of the memory (v1: j), f forget, o output; r reset, z update
# (v1: u), h new value of the state.
LAYOUTS = {
    "lstm": Layout((("", "icfo"),), "ifco", "LSTMCell", "LSTM"),
    "gru": Layout((("gates/", "rz"), ("candidate/", "h")), "zrh", "GRUCell", "GRU"),
    "rnn": Layout((("", "h"),), "h", "BasicRNNCell", "SimpleRNN"),
}


def keras_kernels(kind: str, kernels: Sequence[np.ndarray], inputs: int) -> list[np.ndarray]:
    """Returns Keras' kernel and recurrent kernel of an old cell.

    Args:
      kind: A key of `LAYOUTS`.
      kernels: Kernels of the old cell, in the order of `Layout.old`.
      inputs: Number of inputs.
    """
    (rows,) = _reordered(kernels, _old_gates(kind), [LAYOUTS[kind].keras])
    return [rows[:inputs], rows[inputs:]]


def old_kernels(kind: str, kernels: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Returns the kernels of an old cell from Keras' kernel and recurrent kernel."""
    rows = np.concatenate(kernels, axis=0)
    return _reordered([rows], [LAYOUTS[kind].keras], _old_gates(kind))


def keras_biases(kind: str, biases: Sequence[np.ndarray], forget_bias: float) -> list[np.ndarray]:
    """Returns Keras' bias of an old cell, in a list.

    Args:
      kind: A key of `LAYOUTS`.
      biases: Biases of the old cell, in the order of `Layout.old`.
      forget_bias: Constant to add to the forget gate. 0 for slots of an optimizer.
    """
    (bias,) = _reordered(biases, _old_gates(kind), [LAYOUTS[kind].keras])
    return [_shifted(kind, bias, forget_bias)]


def old_biases(kind: str, biases: Sequence[np.ndarray], forget_bias: float) -> list[np.ndarray]:
    """Returns the biases of an old cell from Keras' bias. See `keras_biases`."""
    bias = _shifted(kind, biases[0], -forget_bias)
    return _reordered([bias], [LAYOUTS[kind].keras], _old_gates(kind))


def has_forget_gate(kind: str) -> bool:
    """Returns whether old cells of a kind have a `forget_bias`."""
    return _FORGET in LAYOUTS[kind].keras


def _old_gates(kind: str) -> list[str]:
    return [gates for _, gates in LAYOUTS[kind].old]


def _reordered(
    arrays: Sequence[np.ndarray], old: Sequence[str], new: Sequence[str]
) -> list[np.ndarray]:
    """Returns arrays with the blocks of other arrays, by the gates of each array."""
    blocks: dict[str, np.ndarray] = {}
    for array, gates in zip(arrays, old, strict=True):
        blocks |= zip(gates, np.split(array, len(gates), axis=-1), strict=True)
    return [np.concatenate([blocks[gate] for gate in gates], axis=-1) for gates in new]


def _shifted(kind: str, bias: np.ndarray, amount: float) -> np.ndarray:
    """Returns a bias in Keras' order with another forget gate."""
    if not amount or not has_forget_gate(kind):
        return bias
    order = LAYOUTS[kind].keras
    blocks = np.split(bias, len(order))
    place = order.index(_FORGET)
    blocks[place] = blocks[place] + np.asarray(amount, bias.dtype)
    return np.concatenate(blocks)
