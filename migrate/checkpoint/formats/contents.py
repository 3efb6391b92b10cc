"""What is in a checkpoint, told apart: variables, optimizer state, step, and what is neither.

contents.of_names([Raw("dense/kernel", (4, 2), "float32"), Raw("dense/kernel/Adam", ...)])
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import re
from collections.abc import Callable, Iterable, Sequence

from migrate.checkpoint.conversion import slots
from migrate.checkpoint.conversion.mapping import Tensor


class Role(str, enum.Enum):
    """What a stored tensor is to the program that wrote it."""

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
      name: how maps and messages call it; unique in its checkpoint.
      shape: of the whole tensor.
      dtype: such as "float32", "string".
      role: what it is.
      key: how the file calls it.
      trainable: where the file tells; else None.
      owner: of a slot or a moving average: the name of its variable; "" if that is not here.
      optimizer: of a slot, a beta power or a setting: the optimizer's name, as far as known.
      kind: of a slot: the optimizer's kind, "" if it is not known.
      slot: of a slot: its canonical name, or the file's where the kind is not known.
      of_keras: of a slot in a name-based checkpoint: whether a Keras optimizer made it, as in
        the Estimators of TensorFlow 2.
      parts: keys and slice specifications ("6 2 0,2:0,2"), where the parts of a partitioned
        variable's slot have names of their own.
      partitions: in how many parts it is stored.
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
        """As the map sees it."""
        return Tensor(self.name, self.shape, self.dtype, self.trainable)


# How the slots of a partitioned variable's parts begin: VAR/t_0 without, and
# SCOPE/VAR//LEAF/part_0 within a variable scope.
PART = r"(?:(?P<scoped>.+)//[^/]+|(?P<plain>.+))/(?:t|part)_\d+"
_PART = re.compile(PART)
_POWER = re.compile(r"(?:.*/)?beta(?P<which>[12])_power(?P<number>_\d+)?")
_SUFFIX = re.compile(r"(?P<base>.+?)(?:_(?P<number>\d+))?")
_STEPS = {"global_step", "iter", "iteration", "iterations"}
_DEBIASING = {"biased", "local_step"}


def of_names(stored: Iterable[Stored]) -> list[Stored]:
    """Tells apart the tensors of a name-based checkpoint, by their names and shapes.

    Args:
      stored: all of it, with names, shapes and dtypes.

    Returns:
      The same, each with its role, in the same order.
    """
    stored = list(stored)
    found = _Names(stored)
    classified = [found.classified(one) for one in stored]
    return with_kinds(classified, _kinds)


class _Names:
    """The names of a checkpoint, and what each says of another."""

    def __init__(self, stored: Sequence[Stored]) -> None:
        self._shapes = {one.name: one.shape for one in stored}

    def classified(self, one: Stored) -> Stored:
        parent, _, last = one.name.rpartition("/")
        power = _POWER.fullmatch(one.name)
        if power and not one.shape:
            return dataclasses.replace(
                one,
                role=Role.POWER,
                slot=f"beta_{power['which']}",
                optimizer=power["number"] or "",
            )
        if not one.shape and last in _STEPS and "int" in one.dtype:
            return dataclasses.replace(one, role=Role.STEP)
        if last == "save_counter" or (last in _DEBIASING and parent in self._shapes):
            return dataclasses.replace(one, role=Role.BOOKKEEPING)
        of_optimizer = {f"{parent}/decay", f"{parent}/learning_rate"} <= self._shapes.keys()
        # contrib's optimize_loss keeps its rate in OptimizeLoss/learning_rate.
        if not one.shape and (of_optimizer or last == "learning_rate"):
            return dataclasses.replace(one, role=Role.SETTING, slot=last)
        of_keras = self._slot_of_keras(one)
        if of_keras:
            return of_keras
        base = _SUFFIX.fullmatch(last)["base"] if last else ""
        owner = self._owner(parent, one.shape, slots.known(base) or base == slots.AVERAGE)
        if base == slots.AVERAGE:
            return dataclasses.replace(one, role=Role.AVERAGE, owner=owner)
        if owner or (slots.known(base) and parent):
            return dataclasses.replace(one, role=Role.SLOT, owner=owner, optimizer=base, slot=last)
        return one

    def _slot_of_keras(self, one: Stored) -> Stored | None:
        """A slot such as training/Adam/dense/kernel/m; None if it is none."""
        *scopes, last = one.name.split("/")
        if last not in slots.KERAS_SLOTS:
            return None
        for start in range(1, len(scopes)):
            owner = "/".join(scopes[start:])
            if self._shapes.get(owner) == one.shape:
                return dataclasses.replace(
                    one,
                    role=Role.SLOT,
                    owner=owner,
                    optimizer=scopes[start - 1],
                    slot=last,
                    of_keras=True,
                )
        return None

    def _owner(self, parent: str, shape: tuple[int, ...], anywhere: bool) -> str:
        """The variable that something below `parent` belongs to.

        A slot that was created within a variable scope has the scope before the whole name of
        the variable.
        """
        if self._shapes.get(parent) == shape:
            return parent
        part = _PART.fullmatch(parent)
        only = (part["scoped"] or part["plain"]) if part else ""
        if self._shapes.get(only) == shape:  # A partitioner made one part of it.
            return only
        while anywhere and "/" in parent:
            parent = parent.partition("/")[2]
            if self._shapes.get(parent) == shape:
                return parent
        return ""


def _kinds(optimizer: str, names: set[str]) -> dict[str, tuple[str, str]] | None:
    if names <= slots.KERAS_SLOTS:
        return slots.keras_slots(optimizer, names)
    numbers = {name: int(_SUFFIX.fullmatch(name)["number"] or 0) for name in names}
    found = slots.v1_slots(optimizer, list(numbers.values()))
    return found and {name: found[number] for name, number in numbers.items()}


def with_kinds(
    stored: Sequence[Stored],
    kinds: Callable[[str, set[str]], dict[str, tuple[str, str]] | None] = slots.keras_slots,
) -> list[Stored]:
    """Gives each slot its optimizer's kind, which shows in all slots of one variable together.

    Args:
      stored: with owner, optimizer and the file's name of each slot.
      kinds: (optimizer, names of slots) -> name -> (kind, canonical slot), or None.
    """
    together: dict[tuple[str, str], set[str]] = collections.defaultdict(set)
    for one in stored:
        if one.role is Role.SLOT:
            together[one.owner, one.optimizer].add(one.slot)
    known = {group: kinds(group[1], names) or {} for group, names in together.items()}
    return [
        dataclasses.replace(
            one,
            kind=known[one.owner, one.optimizer].get(one.slot, ("", ""))[0],
            slot=known[one.owner, one.optimizer].get(one.slot, ("", one.slot))[1],
        )
        if one.role is Role.SLOT and one.owner
        else one
        for one in stored
    ]
