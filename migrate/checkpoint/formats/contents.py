"""Contents of a checkpoint: variables, optimizer state, step, and other tensors.

contents.of_names([Stored("dense/kernel", (4, 2), "float32"), Stored("dense/kernel/Adam", ...)])
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import re
from collections.abc import Callable, Iterable, Sequence

from migrate.checkpoint.naming import slots
from migrate.checkpoint.naming.mapping import Tensor


class Role(str, enum.Enum):
    """Role of a stored tensor in the program that wrote it."""

    VARIABLE = "variable"
    SLOT = "slot"
    AVERAGE = "average"
    STEP = "step"
    POWER = "power"
    SETTING = "setting"
    METRIC = "metric"
    BOOKKEEPING = "bookkeeping"


@dataclasses.dataclass(frozen=True)
class Stored:
    """A tensor in a checkpoint.

    Attributes:
      name: Name for maps and messages, unique in its checkpoint.
      shape: Shape of the whole tensor.
      dtype: Type such as "float32", "string".
      role: Role of the tensor.
      key: Name in the file.
      trainable: None if the file does not tell.
      owner: For a slot or a moving average, the name of its variable. "" if the checkpoint has
        none.
      optimizer: For a slot, a beta power or a setting, the optimizer's name, as far as known.
      kind: For a slot, the optimizer's kind. "" if unknown.
      slot: For a slot, its canonical name, or its name in the file if the kind is unknown.
      of_keras: For a slot in a name-based checkpoint, true if a Keras optimizer made it, as in
        Estimators of TensorFlow 2.
      parts: Keys and slice specifications ("6 2 0,2:0,2"), if the parts of a partitioned variable's
        slot have separate names.
      partitions: Number of stored parts.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    role: Role = Role.VARIABLE
    key: str = ""
    trainable: bool | None = None
    owner: str = ""
    optimizer: str = ""
    kind: str = ""
    slot: str = ""
    of_keras: bool = False
    parts: tuple[tuple[str, str], ...] = ()
    partitions: int = 1

    def tensor(self) -> Tensor:
        """Returns the tensor in the form of the map."""
        return Tensor(self.name, self.shape, self.dtype, self.trainable)


# Prefix of the slots of a partitioned variable's parts: VAR/t_0, or SCOPE/VAR//LEAF/part_0 within a
# variable scope.
PART = r"(?:(?P<scoped>.+)//[^/]+|(?P<plain>.+))/(?:t|part)_\d+"
_PART = re.compile(PART)
_POWER = re.compile(r"(?:.*/)?beta(?P<which>[12])_power(?P<number>_\d+)?")
_SUFFIX = re.compile(r"(?P<base>.+?)(?:_(?P<number>\d+))?")
_STEPS = {"global_step", "iter", "iteration", "iterations"}
_DEBIASING = {"biased", "local_step"}


def of_names(tensors: Iterable[Stored]) -> list[Stored]:
    """Finds the roles of a name-based checkpoint's tensors by their names and shapes.

    Args:
      tensors: All tensors, with names, shapes and dtypes.

    Returns:
      The same tensors with their roles, in the same order.
    """
    tensors = list(tensors)
    names = _Names(tensors)
    classified_tensors = [names.classify(tensor) for tensor in tensors]
    return with_kinds(classified_tensors, _kinds)


class _Names:
    """The names of a checkpoint, and the relations between them."""

    def __init__(self, tensors: Sequence[Stored]) -> None:
        self._shapes = {tensor.name: tensor.shape for tensor in tensors}

    def classify(self, tensor: Stored) -> Stored:
        parent, _, last = tensor.name.rpartition("/")
        power = _POWER.fullmatch(tensor.name)
        if power and not tensor.shape:
            return dataclasses.replace(
                tensor,
                role=Role.POWER,
                slot=f"beta_{power['which']}",
                optimizer=power["number"] or "",
            )
        if not tensor.shape and last in _STEPS and "int" in tensor.dtype:
            return dataclasses.replace(tensor, role=Role.STEP)
        if last == "save_counter" or (last in _DEBIASING and parent in self._shapes):
            return dataclasses.replace(tensor, role=Role.BOOKKEEPING)
        of_optimizer = {f"{parent}/decay", f"{parent}/learning_rate"} <= self._shapes.keys()
        # contrib's optimize_loss keeps its rate in OptimizeLoss/learning_rate.
        if not tensor.shape and (of_optimizer or last == "learning_rate"):
            return dataclasses.replace(tensor, role=Role.SETTING, slot=last)
        of_keras = self._slot_of_keras(tensor)
        if of_keras:
            return of_keras
        base, _ = _split_number(last)
        owner = self._owner(parent, tensor.shape, slots.is_known(base) or base == slots.AVERAGE)
        if base == slots.AVERAGE:
            return dataclasses.replace(tensor, role=Role.AVERAGE, owner=owner)
        if owner or (slots.is_known(base) and parent):
            return dataclasses.replace(
                tensor, role=Role.SLOT, owner=owner, optimizer=base, slot=last
            )
        return tensor

    def _slot_of_keras(self, tensor: Stored) -> Stored | None:
        """Returns a slot such as training/Adam/dense/kernel/m, or None for other tensors."""
        *scopes, last = tensor.name.split("/")
        if last not in slots.KERAS_SLOTS:
            return None
        for start in range(1, len(scopes)):
            owner = "/".join(scopes[start:])
            if self._shapes.get(owner) == tensor.shape:
                return dataclasses.replace(
                    tensor,
                    role=Role.SLOT,
                    owner=owner,
                    optimizer=scopes[start - 1],
                    slot=last,
                    of_keras=True,
                )
        return None

    def _owner(self, parent: str, shape: tuple[int, ...], in_any_scope: bool) -> str:
        """Returns the variable that owns a tensor below `parent`.

        The name of a slot that was created within a variable scope is the scope followed by the
        whole name of the variable.
        """
        if self._shapes.get(parent) == shape:
            return parent
        part = _PART.fullmatch(parent)
        variable = (part["scoped"] or part["plain"]) if part else ""
        if self._shapes.get(variable) == shape:  # A partitioner that made only one part.
            return variable
        while in_any_scope and "/" in parent:
            parent = parent.partition("/")[2]
            if self._shapes.get(parent) == shape:
                return parent
        return ""


def _kinds(optimizer: str, names: set[str]) -> dict[str, tuple[str, str]] | None:
    if names <= slots.KERAS_SLOTS:
        return slots.keras_slots(optimizer, names)
    numbers = {name: _split_number(name)[1] for name in names}
    slots_by_number = slots.v1_slots(optimizer, list(numbers.values()))
    return (
        None
        if slots_by_number is None
        else {name: slots_by_number[number] for name, number in numbers.items()}
    )


def _split_number(name: str) -> tuple[str, int]:
    """Returns a name without its number, and the number: ("Adam", 1) for "Adam_1".

    The number of a name that has none is 0.
    """
    match = _SUFFIX.fullmatch(name)
    return (match["base"], int(match["number"] or 0)) if match else (name, 0)


def with_kinds(
    tensors: Sequence[Stored],
    kinds: Callable[[str, set[str]], dict[str, tuple[str, str]] | None] = slots.keras_slots,
) -> list[Stored]:
    """Sets the optimizer's kind of each slot, which all slots of one variable together reveal.

    Args:
      tensors: Tensors. Slots have owner, optimizer and the file's name of the slot.
      kinds: Function from (optimizer, names of slots) to name -> (kind, canonical slot), or None.
    """
    names_by_group: dict[tuple[str, str], set[str]] = collections.defaultdict(set)
    for tensor in tensors:
        if tensor.role is Role.SLOT:
            names_by_group[tensor.owner, tensor.optimizer].add(tensor.slot)
    slots_by_group = {
        group: kinds(group[1], names) or {} for group, names in names_by_group.items()
    }
    return [
        dataclasses.replace(
            tensor,
            kind=slots_by_group[tensor.owner, tensor.optimizer].get(tensor.slot, ("", ""))[0],
            slot=slots_by_group[tensor.owner, tensor.optimizer].get(tensor.slot, ("", tensor.slot))[
                1
            ],
        )
        if tensor.role is Role.SLOT and tensor.owner
        else tensor
        for tensor in tensors
    ]
