"""Kinds of the target of a conversion, and a target of names alone.

kind = targets.kind_of("model.weights.h5")
tensors = targets.name_based_tensors(source, {"conv/kernel": "conv2d/kernel"})
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.naming import slots
from modern.process import cli

KINDS = ("name-based", "object-based", "SavedModel", "weights.h5", "h5", "keras")


def kind_of(path: str) -> str | None:
    """Returns the kind that a path's extension requests, or None without a known extension."""
    for end in ("weights.h5", "keras", "h5"):
        if path.endswith("." + end):
            return end
    return None


def name_based_tensors(
    source: Source, pairs: Mapping[str, str], weights_only: bool = False
) -> list[Stored]:
    """Describes a name-based checkpoint without a template.

    Args:
      source: Checkpoint to convert.
      pairs: Maps names of the source to names of variables. Other variables are left out.
      weights_only: If true, includes only the variables.

    Returns:
      The variables, their slots under v1's names, the step and the powers of Adam.
    """
    if weights_only:
        return [
            _with_name(tensor, pairs[tensor.name])
            for tensor in source.of(Role.VARIABLE)
            if tensor.name in pairs
        ]
    tensors = []
    counts: dict[tuple[str, str], int] = {}
    for tensor in source.of(Role.SLOT):
        counts[tensor.owner, tensor.kind] = counts.get((tensor.owner, tensor.kind), 0) + 1
    for tensor in source.stored:
        right = pairs.get(tensor.owner or tensor.name)
        if tensor.role is Role.VARIABLE and right:
            tensors.append(_with_name(tensor, right))
        elif tensor.role is Role.SLOT and right:
            if tensor.of_keras:
                raise cli.UsageError(
                    f"{tensor.name} is a slot of a Keras optimizer: give a checkpoint of the new "
                    "program with --like, or carry --weights-only."
                )
            end = tensor.name.rpartition("/")[2]
            if source.convention == "keras" and tensor.kind:
                end = _end(tensor, counts[tensor.owner, tensor.kind])
            elif source.convention == "keras":
                end = tensor.slot
            tensors.append(dataclasses.replace(_with_name(tensor, f"{right}/{end}"), owner=right))
        elif tensor.role is Role.AVERAGE and right:
            name = f"{right}/{slots.AVERAGE}"
            tensors.append(dataclasses.replace(_with_name(tensor, name), owner=right))
        elif tensor.role is Role.POWER:
            tensors.append(tensor)
    kinds = {kind for _, kind in counts}
    powers = {tensor.role for tensor in tensors} >= {Role.POWER}
    if "Adam" in kinds and not powers:
        for number in (1, 2):
            name = f"beta{number}_power"
            tensors.append(Stored(name, (), "float32", Role.POWER, key=name, slot=f"beta_{number}"))
    if any(True for _ in source.of(Role.STEP)):
        tensors.append(Stored("global_step", (), "int64", Role.STEP, key="global_step"))
    return tensors


def _end(tensor: Stored, count: int) -> str:
    if tensor.kind == "RMSProp" and count == 1:
        raise cli.UsageError(
            f"{tensor.name}: v1's RMSProp keeps a momentum slot even if momentum is 0: give an "
            "Estimator's checkpoint with --like, and --keep its '*/RMSProp_1'."
        )
    try:
        return slots.v1_suffix(tensor.kind, tensor.slot, count)
    except (KeyError, StopIteration) as error:
        raise cli.UsageError(
            f"{tensor.name}: v1 optimizers have no {tensor.kind} {tensor.slot}; leave it out, or "
            "give an Estimator's checkpoint with --like."
        ) from error


def _with_name(tensor: Stored, name: str) -> Stored:
    return dataclasses.replace(tensor, name=name, key=name, parts=(), partitions=1)
