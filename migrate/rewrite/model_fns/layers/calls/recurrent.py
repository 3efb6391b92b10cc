"""Maps RNN cells and the functions that run them to `modern.porting.recurrent_layers`.

layer, options, scope = cell(file, call, name)
rnn = run(file, call, name)
rnn.layer, rnn.cells, rnn.inputs
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.names import modern_names

_MODULES = ("tf.contrib.rnn", "tf.nn.rnn_cell")
# Cells without an initializer argument get one that the program sets for their scope.
_OF_SCOPE = "kernel_initializer"
_LSTM = (
    *("num_units", "forget_bias", "state_is_tuple", "activation", "reuse", "name", "dtype"),
    _OF_SCOPE,
)
_SMALL = ("num_units", "activation", "reuse", "kernel_initializer", "bias_initializer", "name")
_FULL = (
    *("num_units", "use_peepholes", "cell_clip", "initializer", "num_proj", "proj_clip"),
    *("num_unit_shards", "num_proj_shards", "forget_bias", "state_is_tuple", "activation"),
    *("reuse", "name", "dtype"),
)
KEEP_PROBS = ("input_keep_prob", "output_keep_prob", "state_keep_prob")
# Options of a DropoutWrapper without an effect on a cell that drops other values in each step. A
# seed has no counterpart, because Keras draws other random numbers anyway.
_NO_EFFECT = ("input_size", "dtype", "seed")
_WRAPPERS = {
    "DeviceWrapper": ("cell", "device"),
    "DropoutWrapper": ("cell", *KEEP_PROBS, "variational_recurrent", *_NO_EFFECT),
    "ResidualWrapper": ("cell",),
}
_RUN = (
    *("cell", "inputs", "sequence_length", "initial_state", "dtype", "parallel_iterations"),
    *("swap_memory", "time_major", "scope"),
)
_BOTH_WAYS = (
    *("cell_fw", "cell_bw", "inputs", "sequence_length", "initial_state_fw", "initial_state_bw"),
    *("dtype", "parallel_iterations", "swap_memory", "time_major", "scope"),
)
_STATIC = ("cell", "inputs", "initial_state", "dtype", "sequence_length", "scope")
_STATIC_BOTH_WAYS = (
    *("cell_fw", "cell_bw", "inputs", "initial_state_fw", "initial_state_bw", "dtype"),
    *("sequence_length", "scope"),
)
_OF_SPEED = frozenset(("parallel_iterations", "swap_memory"))


class _Cell(NamedTuple):
    """A kind of cell.

    Attributes:
      layer: Class in `recurrent_layers`.
      parameters: Parameters of the cell in TensorFlow 1, in order.
      scope: Name that TensorFlow 1 gives the cell.
    """

    layer: str
    parameters: tuple[str, ...]
    scope: str


_RUNS = {
    "tf.nn.dynamic_rnn": ("RNN", "rnn", _RUN),
    "tf.nn.bidirectional_dynamic_rnn": ("BidirectionalRNN", "bidirectional_rnn", _BOTH_WAYS),
}
for _prefix in ("tf.nn", "tf.contrib.rnn"):
    _RUNS[f"{_prefix}.static_rnn"] = ("StaticRNN", "rnn", _STATIC)
    _RUNS[f"{_prefix}.static_bidirectional_rnn"] = (
        *("StaticBidirectionalRNN", "bidirectional_rnn", _STATIC_BOTH_WAYS),
    )
RUNS = tuple(_RUNS)
_CELLS = {
    "BasicLSTMCell": _Cell("LSTMCell", _LSTM, "basic_lstm_cell"),
    "BasicRNNCell": _Cell(
        "RNNCell", ("num_units", "activation", "reuse", "name", _OF_SCOPE), "basic_rnn_cell"
    ),
    "GRUCell": _Cell("GRUCell", _SMALL, "gru_cell"),
    "LSTMBlockCell": _Cell("LSTMCell", ("num_units", "forget_bias", _OF_SCOPE), "lstm_cell"),
    "LSTMCell": _Cell("LSTMCell", _FULL, "lstm_cell"),
    "MultiRNNCell": _Cell("StackedCells", ("cells", "state_is_tuple"), "multi_rnn_cell"),
}
_NAMES = {
    "activation": "activation",
    "cells": "cells",
    "forget_bias": "forget_bias",
    "initializer": "kernel_initializer",
    "kernel_initializer": "kernel_initializer",
    "name": "name",
    "num_units": "units",
}


class Wrapper(NamedTuple):
    """A call that wraps a cell.

    Attributes:
      layer: Class in `recurrent_layers`, or "" if the wrapper changes no values.
      cell: The wrapped cell.
      keep_probs: Arguments of a DropoutWrapper that may differ from 1, by name.
    """

    layer: str
    cell: ast.expr
    keep_probs: dict[str, ast.expr]


class Run(NamedTuple):
    """A call that runs cells over sequences.

    Attributes:
      layer: Class in `recurrent_layers`.
      cells: Cells of the layer.
      options: Other arguments of the layer.
      inputs: The sequences.
      call_arguments: Other arguments of the call, by name.
      scope: Scope from the program, or None.
      kind: Default scope in TensorFlow 1.
    """

    layer: str
    cells: list[ast.expr]
    options: list[str]
    inputs: ast.expr
    call_arguments: dict[str, ast.expr]
    scope: ast.expr | None
    kind: str


def cell(
    file: SourceFile, call: ast.Call, name: str
) -> tuple[str, dict[str, ast.expr], str] | None:
    """Returns the class of a cell, its arguments and its name. None if the call makes no cell.

    Args:
      file: The file.
      call: The call.
      name: Public name of the called function.

    Raises:
      NotUnderstood: The cell has arguments that the class does not have.
    """
    module, _, last = name.rpartition(".")
    kind = _CELLS.get(last)
    if module not in _MODULES or kind is None:
        return None
    args = _bound(call, kind.parameters, name)
    others = [key for key, value in args.items() if key not in _NAMES and not _is_usual(key, value)]
    if others:
        raise NotUnderstood(
            f"the argument {others[0]} of {name} in line {call.lineno} is not supported"
        )
    options = {_NAMES[key]: value for key, value in args.items() if key in _NAMES}
    return kind.layer, options, kind.scope


def makes_cell(name: str) -> bool:
    """Says whether a function makes a cell, or wraps one.

    Args:
      name: Public name of the function.
    """
    module, _, last = name.rpartition(".")
    return module in _MODULES and (last in _CELLS or last in _WRAPPERS)


def missing_initializer(call: ast.Call, name: str) -> str:
    """Returns the initializer parameter of a cell that gets none. "" for other calls.

    Args:
      call: The call.
      name: Public name of the called function.
    """
    kind = _CELLS.get(name.rpartition(".")[2])
    args = arguments.bind(call, kind.parameters) if kind is not None else None
    names = [key for key, value in _NAMES.items() if value == "kernel_initializer"]
    names = [key for key in names if kind is not None and key in kind.parameters]
    return names[0] if args is not None and names and names[0] not in args else ""


def wrapper(call: ast.Call, name: str) -> Wrapper | None:
    """Returns a call that wraps a cell. None for other calls.

    Args:
      call: The call.
      name: Public name of the called function.

    Raises:
      NotUnderstood: The wrapper has arguments that no cell of `recurrent_layers` has.
    """
    module, _, last = name.rpartition(".")
    if module not in _MODULES or last not in _WRAPPERS:
        return None
    args = _bound(call, _WRAPPERS[last], name)
    if modern_names.is_constant(args.get("variational_recurrent"), False):
        del args["variational_recurrent"]
    others = set(args) - {"cell", "device", *KEEP_PROBS, *_NO_EFFECT}
    if "cell" not in args or others:
        option = f"the argument {sorted(others)[0]}" if others else "no cell"
        raise NotUnderstood(f"{name} in line {call.lineno} has {option}")
    keep_probs = {
        key: args[key]
        for key in KEEP_PROBS
        if key in args and not modern_names.is_constant(args[key], 1.0)
    }
    layer = "ResidualCell" if last == "ResidualWrapper" else "DropoutCell" if keep_probs else ""
    return Wrapper(layer, args["cell"], keep_probs)


def _is_usual(key: str, value: ast.expr) -> bool:
    """Says whether an argument has the only value that `recurrent_layers` supports."""
    if key == "state_is_tuple":
        return modern_names.is_constant(value, True)
    return modern_names.is_constant(value, None) or modern_names.is_constant(value, False)


def run(file: SourceFile, call: ast.Call, name: str) -> Run | None:
    """Returns a call that runs cells over sequences. None for other calls.

    Args:
      file: The file.
      call: The call.
      name: Public name of the called function.

    Raises:
      NotUnderstood: The call has arguments that the layer does not have.
    """
    if name not in _RUNS:
        return None
    layer, kind, parameters = _RUNS[name]
    args = _bound(call, parameters, name)
    cell_names = ("cell",) if "cell" in parameters else ("cell_fw", "cell_bw")
    cells = [args.pop(key, None) for key in cell_names]
    present_cells = [node for node in cells if node is not None]
    inputs = args.pop("inputs", None)
    if inputs is None or len(present_cells) < len(cells):
        raise NotUnderstood(f"{name} in line {call.lineno} lacks arguments")
    dtype, scope = args.pop("dtype", None), args.pop("scope", None)
    args.pop("reuse", None)  # That of the scope, which tells which variables are reused.
    if dtype is not None and file.name_of(dtype) != "tf.float32":
        raise NotUnderstood(f"{name} in line {call.lineno} has another type than tf.float32")
    is_text = isinstance(scope, (ast.BinOp, ast.JoinedStr)) or (
        isinstance(scope, ast.Constant) and bool(scope.value)
    )
    if scope is not None and not is_text:
        raise NotUnderstood(f"the scope of {name} in line {call.lineno} is unknown")
    major = args.pop("time_major", None)
    is_major = major is not None and not modern_names.is_constant(major, False)
    if is_major and (layer != "RNN" or not modern_names.is_constant(major, True)):
        raise NotUnderstood(f"{name} in line {call.lineno} has unsupported arguments")
    options = ["time_major=True"] if is_major else []
    call_arguments = {key: value for key, value in args.items() if key not in _OF_SPEED}
    if set(call_arguments) - {"sequence_length", "initial_state"}:
        raise NotUnderstood(f"{name} in line {call.lineno} has unsupported arguments")
    return Run(layer, present_cells, options, inputs, call_arguments, scope, kind)


def default_scope(name: str) -> str:
    """Returns the scope of the variables of a run without a scope.

    Args:
      name: Public name of the function that runs cells.
    """
    return _RUNS[name][1]


def _bound(call: ast.Call, names: tuple[str, ...], name: str) -> dict[str, ast.expr]:
    args = arguments.bind(call, names)
    if args is None:
        raise NotUnderstood(f"{name} in line {call.lineno} is called with *args or **kwargs")
    return {key: value for key, value in args.items() if not modern_names.is_constant(value, None)}
