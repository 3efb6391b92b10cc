"""Shows a checkpoint as if its recurrent cells had the layout of another checkpoint.

    view = layout_view.like(template, source)
    plan = plans.make(view, template.stored, ...)

If the other one is a model of Keras, `rnn/lstm_cell/kernel` of an old cell becomes two tensors,
`rnn/lstm_cell/kernel` and `rnn/lstm_cell/recurrent_kernel`, and so do its slots. In the other
direction, those of a Keras layer become one. So maps, slots and values of a conversion need no
special cases.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from migrate.checkpoint.cells import finding, forget_biases, gates
from migrate.checkpoint.cells.finding import Cell
from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.naming.mapping import TensorMap

if TYPE_CHECKING:
    import tensorflow as tf

DEFAULT_FORGET_BIAS = 1.0
# CudnnLSTM saves its weights for a cell with this name, which adds nothing.
_WITHOUT_FORGET_BIAS = "cudnn_compatible_lstm_cell"


class _Recipe(NamedTuple):
    """Computation of a tensor of the view.

    Attributes:
      parts: Tensors of the original.
      convert: Function from their values to all tensors of the new layout.
      place: Index of this tensor in their result.
    """

    parts: tuple[Stored, ...]
    convert: Callable[[list[np.ndarray]], list[np.ndarray]]
    place: int


class View(Source):
    """A checkpoint with the cells in another layout.

    Args:
      original: The checkpoint.

    Attributes:
      problems: Sentences on cells that cannot be converted.
      notes: Sentences on cells that are converted.
    """

    def __init__(self, original: Source) -> None:
        self.path, self.kind, self.files = original.path, original.kind, original.files
        self.convention, self.unlike_cells = original.convention, original.unlike_cells
        self.stored = [*original.stored]
        self.problems: list[str] = []
        self.notes: list[str] = []
        self._original = original
        self._recipes: dict[str, _Recipe] = {}

    def read(self, tensor: Stored) -> np.ndarray:
        """Implements `Source.read`."""
        recipe = self._recipes.get(tensor.name)
        if recipe is None:
            return self._original.read(tensor)
        arrays = [self._original.read(part) for part in recipe.parts]
        return np.ascontiguousarray(recipe.convert(arrays)[recipe.place])

    def read_tensor(self, tensor: Stored, buffer: np.ndarray | None = None) -> tf.Tensor:
        """Implements `Source.read_tensor`."""
        if tensor.name in self._recipes:
            return super().read_tensor(tensor)
        return self._original.read_tensor(tensor, buffer)

    def crc(self, tensor: Stored) -> int | None:
        """Implements `Source.crc`."""
        return None if tensor.name in self._recipes else self._original.crc(tensor)

    def file_of(self, tensor: Stored) -> str:
        """Implements `Source.file_of`."""
        recipe = self._recipes.get(tensor.name)
        return self._original.file_of(recipe.parts[0] if recipe else tensor)

    def convert(self, cell: Cell, to_keras: bool, forget_bias: float) -> None:
        """Replaces the tensors of a cell by those of the other layout.

        Args:
          cell: A cell of the original.
          to_keras: If true, the cell is an old one. Otherwise it is one of Keras.
          forget_bias: Constant of the old cell.
        """
        kind, layout = cell.kind, gates.LAYOUTS[cell.kind]
        rows, width = cell.inputs + cell.units, cell.units
        if to_keras:
            columns = len(layout.keras) * width
            kernel_shapes = [(cell.inputs, columns), (cell.units, columns)]
            bias_shapes = [(columns,)]
            names = ["kernel", "recurrent_kernel"], ["bias"]
        else:
            kernel_shapes = [(rows, len(of) * width) for _, of in layout.old]
            bias_shapes = [(len(of) * width,) for _, of in layout.old]
            names = ([f"{p}kernel" for p, _ in layout.old], [f"{p}bias" for p, _ in layout.old])

        def kernels(arrays: list[np.ndarray]) -> list[np.ndarray]:
            if to_keras:
                return gates.keras_kernels(kind, arrays, cell.inputs)
            return gates.old_kernels(kind, arrays)

        def biases(added: float) -> Callable[[list[np.ndarray]], list[np.ndarray]]:
            convert = gates.keras_biases if to_keras else gates.old_biases
            return lambda arrays: convert(kind, arrays, added)

        for role, group in self._groups(cell):
            added = forget_bias if role in (Role.VARIABLE, Role.AVERAGE) else 0.0
            new_kernels = dict(zip(names[0], kernel_shapes, strict=True))
            new_biases: dict[str, tuple[int, ...]] = dict(zip(names[1], bias_shapes, strict=True))
            self._replace(cell, group, cell.kernels, new_kernels, kernels)
            self._replace(cell, group, cell.biases, new_biases, biases(added))

    def _groups(self, cell: Cell) -> Iterable[tuple[Role, dict[str, Stored]]]:
        """Returns the variables of a cell by name, and each of their slots by its variable."""
        owners = {*cell.kernels, *cell.biases}
        groups: dict[tuple[object, ...], dict[str, Stored]] = {}
        for tensor in self._original.stored:
            owner = tensor.name if tensor.role is Role.VARIABLE else tensor.owner
            if owner in owners:
                key = (tensor.role, tensor.optimizer, tensor.kind, _slot(tensor), tensor.of_keras)
                groups.setdefault(key, {})[owner] = tensor
        return [(next(iter(group.values())).role, group) for group in groups.values()]

    def _replace(
        self,
        cell: Cell,
        group: Mapping[str, Stored],
        old_names: Sequence[str],
        new_shapes: Mapping[str, tuple[int, ...]],
        convert: Callable[[list[np.ndarray]], list[np.ndarray]],
    ) -> None:
        """Replaces some tensors of one group by those of the new layout."""
        parts = tuple(group[name] for name in old_names if name in group)
        if not parts:
            return
        if len(parts) < len(old_names):
            self.problems.append(
                f"{parts[0].name} has no counterpart for {', '.join(set(old_names) - set(group))}, "
                "so the cell cannot be converted: leave such slots out with --leave-out, or carry "
                "--weights-only."
            )
            return
        first = parts[0]
        new = []
        for place, (local, shape) in enumerate(new_shapes.items()):
            variable = f"{cell.scope}/{local}"
            is_variable = first.role is Role.VARIABLE
            name = variable if is_variable else _slot_name(first, variable)
            tensor = dataclasses.replace(
                first,
                name=name,
                shape=shape,
                key="",
                owner="" if is_variable else variable,
                parts=(),
                partitions=1,
            )
            new.append(tensor)
            self._recipes[name] = _Recipe(parts, convert, place)
        replaced = {part.name for part in parts}
        start = next(i for i, tensor in enumerate(self.stored) if tensor.name in replaced)
        self.stored = [tensor for tensor in self.stored if tensor.name not in replaced]
        self.stored[start:start] = new


def like(
    target: Source,
    source: Source,
    given: TensorMap | None = None,
    forget_bias: float | None = None,
    has_slots: bool = True,
    excluded: Collection[str] = (),
) -> View:
    """Returns a view of a checkpoint in the layout of another one.

    Args:
      target: Checkpoint with the layout.
      source: Checkpoint to show.
      given: Map from the map file. It also settles which scopes are cells.
      forget_bias: Constant that the old LSTM cells add to their forget gates. By default, that of
        the graph next to the checkpoint with these cells, or else 1.
      has_slots: If false, the slots of the source are not carried over.
      excluded: Names of variables that are not carried over. Their cells cause no problems.
    """
    view = View(source)
    pairs = given.pairs if given else {}
    settings = _Settings(forget_bias, has_slots, excluded)
    _Conversion(view, source, target, pairs, True, settings).run()
    back = {right: left for left, right in pairs.items()}
    _Conversion(view, target, source, back, False, settings).run()
    return view


class _Settings(NamedTuple):
    """Arguments of `like`."""

    forget_bias: float | None
    has_slots: bool
    excluded: Collection[str]


class _Conversion:
    """Conversion of the cells in one direction.

    Args:
      view: The view to change.
      old: Checkpoint with old cells.
      new: Checkpoint with cells of Keras.
      pairs: Maps names of the old one to names of the new one.
      to_keras: If true, the view shows the old one. Otherwise it shows the new one.
      settings: See `like`.
    """

    def __init__(
        self,
        view: View,
        old: Source,
        new: Source,
        pairs: Mapping[str, str],
        to_keras: bool,
        settings: _Settings,
    ) -> None:
        self._view, self._to_keras, self._settings = view, to_keras, settings
        self._shown = old if to_keras else new
        self._old_prefix = getattr(old, "prefix", "")
        self._new_cells = finding.keras_cells(new.stored, new.unlike_cells)
        self._old_cells = finding.old_cells(old.stored, _settled(pairs, self._new_cells))
        # Cells that have the same layout on both sides stay as they are.
        same = finding.old_cells(new.stored), finding.keras_cells(old.stored)
        self._unchanged = {cell.size for cells in same for cell in cells.values()}
        self._possible = {cell.size for cell in self._old_cells.values() if not cell.unlike}

    def run(self) -> None:
        """Converts the cells, and reports those that cannot be converted."""
        for cell in self._old_cells.values():
            partners = [new for new in self._new_cells.values() if self._may_pair(cell, new)]
            if not partners or cell.size in self._unchanged:
                continue
            unlike = [other for other in (cell, *partners) if other.unlike]
            if unlike:
                self._report(unlike)
            elif self._to_keras:
                self._convert(cell, cell, partners)
        if self._to_keras:
            return
        for new in self._new_cells.values():
            partners = [old for old in self._old_cells.values() if self._may_pair(old, new)]
            is_possible = not any(cell.unlike for cell in (new, *partners))
            if partners and new.size not in self._unchanged and is_possible:
                self._convert(new, partners[0], partners)

    def _may_pair(self, old: Cell, new: Cell) -> bool:
        """Returns true if cells may be pairs. A projection hides the number of inputs."""
        if old.unlike:
            is_taken = new.size in self._possible
            return (old.kind, old.units) == (new.kind, new.units) and not is_taken
        return old.size == new.size

    def _report(self, unlike: Iterable[Cell]) -> None:
        for cell in unlike:
            is_excluded = all(name in self._settings.excluded for name in cell.kernels)
            if not is_excluded and cell.unlike not in self._view.problems:
                self._view.problems.append(cell.unlike)

    def _convert(self, cell: Cell, old: Cell, partners: Sequence[Cell]) -> None:
        amount, origin = self._amount(old)
        if amount is None:
            self._view.problems.append(
                f"{old.scope}: cells of the graph have the forget_bias {origin}: give that of this "
                "one with --forget-bias."
            )
            return
        if amount and self._settings.has_slots and self._has_ftrl(cell):
            self._view.problems.append(
                f"{cell.scope}: the state of Ftrl contains the bias, from which the forget_bias "
                f"({amount:g}) cannot be separated: carry --weights-only."
            )
            return
        self._view.convert(cell, self._to_keras, amount)
        names = " or ".join(partner.scope for partner in partners)
        note = f"{cell.scope} has the gates in the order of {names}"
        if gates.has_forget_gate(cell.kind):
            where = "in its bias" if self._to_keras else "not in its bias"
            note += f", and the forget_bias {amount:g} {where} ({origin})"
        self._view.notes.append(f"{note}.")

    def _amount(self, old: Cell) -> tuple[float | None, str]:
        """Returns the forget_bias of an old cell, and where it comes from."""
        if not gates.has_forget_gate(old.kind):
            return 0.0, ""
        if self._settings.forget_bias is not None:
            return self._settings.forget_bias, "as in --forget-bias"
        if _WITHOUT_FORGET_BIAS in old.scope:
            return 0.0, "as CudnnLSTM saves it"
        found = self._of_graph
        if len(found) > 1:
            return None, " and ".join(f"{value:g}" for value in sorted(found))
        if found:
            return min(found), "as in the graph"
        return DEFAULT_FORGET_BIAS, "the default; --forget-bias if it was another"

    @functools.cached_property
    def _of_graph(self) -> set[float]:
        """The constants of all old cells, as far as the graph is there."""
        return forget_biases.of_graph(self._old_prefix) if self._old_prefix else set()

    def _has_ftrl(self, cell: Cell) -> bool:
        return any(
            tensor.kind == "Ftrl" and tensor.owner in cell.biases for tensor in self._shown.stored
        )


def _settled(pairs: Mapping[str, str], new_cells: Mapping[str, Cell]) -> dict[str, str]:
    """Returns the scopes of old cells that a map pairs with cells of Keras, and their kinds."""
    kinds = {
        name: cell.kind for cell in new_cells.values() for name in (*cell.kernels, *cell.biases)
    }
    settled = {}
    for old, new in pairs.items():
        if new in kinds:
            scope = old.rpartition("/")[0]
            prefixes = [prefix for prefix, _ in gates.LAYOUTS[kinds[new]].old if prefix]
            for prefix in prefixes:
                scope = scope.removesuffix(f"/{prefix.rstrip('/')}")
            settled[scope] = kinds[new]
    return settled


def _slot(tensor: Stored) -> str:
    return "" if tensor.role in (Role.VARIABLE, Role.AVERAGE) else tensor.slot


def _slot_name(slot: Stored, variable: str) -> str:
    """Returns the name of a slot for another variable."""
    if slot.owner in slot.name:
        return slot.name.replace(slot.owner, variable)
    return f"{slot.optimizer}/{slot.slot}/{variable}"
