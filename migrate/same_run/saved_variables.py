"""Compares an Estimator's checkpoint with a Keras checkpoint, variable by variable.

comparison = saved_variables.compare("model.ckpt-20", "checkpoints/ckpt-20", rtol=1e-4, atol=1e-4)
comparison.extent  # "6 of 6 variables, 6 of 6 of optimizers"

Each variable and each slot of an optimizer must have a counterpart. Only momentum that is not in
use is left out, because one side has a variable for it and the other has none.
"""

from __future__ import annotations

import dataclasses
import glob
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

STOP = "signal_early_stopping/STOP"  # A variable by which the workers of a program agree to stop.
# The hints on options of `migrate checkpoint`, which end a problem.
_HINT = re.compile(r"[:.] (?=pair|settle|add|give|Pair|Add|Use|Momentum is|--)")


@dataclasses.dataclass(frozen=True)
class CheckpointComparison:
    """Result of a comparison of two checkpoints.

    Attributes:
      problems: Sentences on variables without a counterpart.
      differing: Variables whose values differ, as `migrate.checkpoint.comparing` lists them.
      compared: Number of compared variables.
      extent: Sentence on the number of compared variables.
    """

    problems: tuple[str, ...]
    differing: tuple[Any, ...]
    compared: int
    extent: str


def compare(
    old: str, new: str, keep: Sequence[str] = (), *, rtol: float, atol: float
) -> CheckpointComparison:
    """Compares two checkpoints.

    Args:
      old: Prefix of an Estimator's checkpoint.
      new: Prefix of a Keras checkpoint.
      keep: Names of attributes of the Keras model that hold metrics.
      rtol: Relative tolerance.
      atol: Absolute tolerance.
    """
    from migrate.checkpoint import comparing, open_source  # Imports TensorFlow.
    from migrate.checkpoint.formats.contents import Role

    with open_source(old) as left, open_source(new) as right:
        idle = _idle_sides(left, right)
        options = _options(left, right, keep, idle)
        comparison = comparing.compare(left, right, options=options, rtol=rtol, atol=atol)
        names = {*comparison.names}
        counts = [
            f"{sum(variable.name in names for variable in variables)} of {len(variables)}"
            for variables in (
                [variable for variable in left.of(role) if variable.name not in (STOP, *idle[0])]
                for role in (Role.VARIABLE, Role.SLOT)
            )
        ]
    extent = f"{counts[0]} variables, {counts[1]} variables of optimizers"
    unused = [*idle[0], *idle[1]]
    if unused:
        extent += f". {len(unused)} of a momentum that is not in use are in one checkpoint only"
    return CheckpointComparison(
        tuple(sentence(problem) for problem in comparison.structure),
        tuple(variable for variable in comparison.values if variable.differing),
        len(names),
        extent,
    )


def is_of_keras(prefix: str) -> bool:
    """Returns whether a recorded checkpoint is one of Keras, by its folder.

    Args:
      prefix: Path of the checkpoint.
    """
    return os.path.basename(os.path.dirname(prefix)) == "keras"


def pairs(
    left: Any, right: Any, keep: Sequence[str] = ()
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yields the Estimator's name of each variable and slot, and its values in both checkpoints.

    Args:
      left: The open checkpoint of an Estimator.
      right: The open checkpoint of a Keras model.
      keep: As for `compare`.
    """
    from migrate.checkpoint import comparing  # Imports TensorFlow.

    options = _options(left, right, keep, _idle_sides(left, right))
    for move, ours, theirs in comparing.pairs(left, right, options):
        if move.source is not None:
            yield move.source.name, ours, theirs


def _idle_sides(left: Any, right: Any) -> tuple[list[str], list[str]]:
    """Returns the slots for a momentum that is not in use, which one of the checkpoints lacks."""
    # TensorFlow 1's RMSProp and Keras' optimizers write to a slot also without momentum.
    return [*_idle(left, right, ("RMSProp",))], [*_idle(right, left, ("Momentum", "RMSProp"))]


def _options(
    left: Any, right: Any, keep: Sequence[str], idle: tuple[Sequence[str], Sequence[str]]
) -> Any:
    """Returns the options with which a checkpoint of an Estimator is compared with one of Keras."""
    from migrate.checkpoint import Options
    from migrate.checkpoint.formats.contents import Role

    # A Keras checkpoint need not contain Adam's betas. If one is wrong, the slots differ.
    powers = [variable.name for variable in left.of(Role.POWER)]
    return Options(
        keep=(*(f"model/{name}/*" for name in keep), *map(glob.escape, idle[1])),
        leave_out=(STOP, *map(glob.escape, [*idle[0], *powers])),
        learning_rate=_learning_rate(right),
    )


def _idle(source: Any, other: Any, kinds: Sequence[str]) -> Iterator[str]:
    """Yields the slots for a momentum that is not in use: the other checkpoint has none.

    Args:
      source: Checkpoint whose slots are searched.
      other: Checkpoint that is compared with the source.
      kinds: Kinds of optimizers that have such slots even without a momentum.
    """
    from migrate.checkpoint.formats.contents import Role

    if any(_is_momentum(slot) for slot in other.of(Role.SLOT)):
        return
    for slot in source.of(Role.SLOT):
        if _is_momentum(slot) and slot.kind in kinds:
            yield slot.name


def _is_momentum(slot: Any) -> bool:
    return slot.slot == "momentum" and slot.kind in ("Momentum", "RMSProp")


def _learning_rate(keras: Any) -> float | None:
    """Returns the learning rate in a checkpoint, by which Keras' momentum is scaled."""
    from migrate.checkpoint.formats.contents import Role

    rates = {
        float(keras.read(setting))
        for setting in keras.of(Role.SETTING)
        if setting.slot == "learning_rate"
    }
    return rates.pop() if len(rates) == 1 else None


def sentence(problem: str) -> str:
    """Returns a problem of a conversion without the options of that command.

    Args:
      problem: Problem of a conversion from an Estimator's checkpoint to a Keras checkpoint.
    """
    text = _HINT.split(problem, maxsplit=1)[0]
    return text.replace("the source", "the Estimator's").replace("the target", "Keras'")
