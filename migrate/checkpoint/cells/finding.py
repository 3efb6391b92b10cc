"""Finds the recurrent cells among the tensors of a checkpoint.

    finding.old_cells(source.stored)     # rnn/lstm_cell/kernel, rnn/lstm_cell/bias
    finding.keras_cells(template.stored)  # lstm/lstm_cell/kernel, .../recurrent_kernel, .../bias

The names of tf.nn.rnn_cell tell an old cell, such as "basic_lstm_cell". A variable with the name
"recurrent_kernel" tells one of Keras. In both cases, the shapes must fit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

from migrate.checkpoint.cells.gates import LAYOUTS
from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.naming import names

_RECURRENT = "recurrent_kernel"


@dataclasses.dataclass(frozen=True)
class Cell:
    """A recurrent cell.

    Attributes:
      kind: A key of `gates.LAYOUTS`.
      scope: Scope of its variables.
      inputs: Number of inputs.
      units: Number of units.
      kernels: Names of its kernels, in the order of `gates`.
      biases: Names of its biases. Empty for a cell without.
      unlike: Reason why the cells of the other layout do not compute the same, or "".
    """

    kind: str
    scope: str
    inputs: int
    units: int
    kernels: tuple[str, ...]
    biases: tuple[str, ...]
    unlike: str = ""

    @property
    def size(self) -> tuple[str, int, int]:
        """The kind and both numbers. Cells can be pairs only if they are equal."""
        return self.kind, self.inputs, self.units


def keras_cells(
    stored: Iterable[Stored], unlike: Mapping[str, str] | None = None
) -> dict[str, Cell]:
    """Returns the cells in the layout of Keras, by scope.

    Args:
      stored: All tensors of a checkpoint.
      unlike: Reasons by scope, as from `layer_settings.unlike`.
    """
    scopes: dict[str, dict[str, Stored]] = {}
    for tensor in stored:
        if tensor.role is Role.VARIABLE:
            scope, _, _ = names.plain(tensor.name).rpartition("/")
            scopes.setdefault(scope, {})[names.words(tensor.name)[1]] = tensor
    cells = {}
    for scope, parts in scopes.items():
        if _RECURRENT in parts and "kernel" in parts:
            cell = _keras_cell(scope, parts, (unlike or {}).get(scope, ""))
            if cell:
                cells[scope] = cell
    return cells


def _keras_cell(scope: str, parts: Mapping[str, Stored], unlike: str) -> Cell | None:
    kernel, recurrent, bias = parts["kernel"], parts[_RECURRENT], parts.get("bias")
    if len(kernel.shape) != 2 or len(recurrent.shape) != 2 or not recurrent.shape[0]:
        return None
    inputs, units, width = kernel.shape[0], recurrent.shape[0], kernel.shape[1]
    kinds = [kind for kind, layout in LAYOUTS.items() if len(layout.keras) * units == width]
    if not kinds or recurrent.shape[1] != width:
        return None
    kind, layout = kinds[0], LAYOUTS[kinds[0]]
    if bias is None:
        unlike = unlike or f"{scope} has no bias, and {layout.old_class} always has one."
    elif bias.shape == (2, width):
        unlike = unlike or (
            f"{scope} has two biases, as a {layout.keras_class} has with reset_after=True, the "
            f"default. {layout.old_class} applies the reset gate before the product with its "
            "kernel: give the layer reset_after=False."
        )
    elif bias.shape != (width,):
        return None
    biases = (bias.name,) if bias else ()
    return Cell(kind, scope, inputs, units, (kernel.name, recurrent.name), biases, unlike)


def old_cells(
    stored: Iterable[Stored], settled: Mapping[str, str] | None = None
) -> dict[str, Cell]:
    """Returns the cells in the layout of tf.nn.rnn_cell, by scope.

    Args:
      stored: All tensors of a checkpoint.
      settled: Scopes of further cells and their kinds, whose names do not tell it.
    """
    settled = settled or {}
    scopes: dict[tuple[str, str], dict[str, Stored]] = {}
    for tensor in stored:
        place = _place(tensor.name, settled) if tensor.role is Role.VARIABLE else None
        if place:
            scope, kind, local = place
            scopes.setdefault((scope, kind), {})[local] = tensor
    cells = [_old_cell(scope, kind, parts) for (scope, kind), parts in scopes.items()]
    return {cell.scope: cell for cell in cells if cell}


def _place(name: str, settled: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Returns the scope and kind of a variable's cell, and the rest of its name, or None."""
    parts = names.plain(name).split("/")
    for end in range(len(parts) - 1, 0, -1):
        scope = "/".join(parts[:end])
        kind = settled.get(scope) or _kind(parts[end - 1])
        if kind:
            last = names.words(name)[1]  # "weights" of earlier versions is a kernel.
            return scope, kind, "/".join([*parts[end:-1], last])
    return None


def _kind(word: str) -> str:
    """Returns the kind of cell that a scope such as "basic_lstm_cell_1" has, or ""."""
    words = [part for part in word.lower().split("_") if not part.isdigit()]
    if words[-1:] != ["cell"] or "multi" in words:
        return ""
    return next((kind for kind in LAYOUTS if kind in words), "")


def _old_cell(scope: str, kind: str, parts: Mapping[str, Stored]) -> Cell | None:
    layout = LAYOUTS[kind]
    kernels = [parts.get(f"{prefix}kernel") for prefix, _ in layout.old]
    biases = [parts.get(f"{prefix}bias") for prefix, _ in layout.old]
    known = {f"{prefix}{part}" for prefix, _ in layout.old for part in ("kernel", "bias")}
    rest = sorted(set(parts) - known)
    if _RECURRENT in rest:
        return None  # A cell of Keras.
    rows, units = set(), set()
    for kernel, bias, (_, gates) in zip(kernels, biases, layout.old, strict=True):
        if kernel is None or len(kernel.shape) != 2 or kernel.shape[1] % len(gates):
            return None
        if bias is not None and bias.shape != kernel.shape[1:]:
            return None
        rows.add(kernel.shape[0])
        units.add(kernel.shape[1] // len(gates))
    inputs = min(rows) - min(units)
    if len(rows) > 1 or len(units) > 1 or (inputs <= 0 and not rest):
        return None
    unlike = ""
    if rest or None in biases:
        unlike = (
            f"{scope} has {_feature(rest, layout.old_class)}, which keras.layers."
            f"{layout.keras_class} does not have: write a layer of your own that has the variables "
            "of the old cell."
        )
    bias_names = tuple(bias.name for bias in biases if bias)
    kernel_names = tuple(kernel.name for kernel in kernels if kernel)
    return Cell(kind, scope, inputs, min(units), kernel_names, bias_names, unlike)


def _feature(rest: Iterable[str], old_class: str) -> str:
    """Returns a noun for variables that only some old cells have."""
    named = ", ".join(rest)
    if "_diag" in named:
        return f"peepholes ({named})"
    if "projection" in named:
        return f"a projection ({named})"
    if "gamma" in named:
        return f"layer normalization ({named})"
    return f"the variables {named}" if named else f"no bias, as no {old_class} of tf.nn.rnn_cell"
