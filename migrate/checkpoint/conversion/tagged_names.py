"""Finds the names of a Keras 3 model's variables in a file, which numbers them.

    found = tagged_names.find(model, lambda: save(model))
    source.stored = tagged_names.applied(found.fields, source.stored)

Each variable gets another number as its value, and the model is saved. The numbers in the file tell
which variable is where, for each kind of file and for layers of the program's own classes.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from migrate.checkpoint.formats import contents
from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.naming import slots

# Larger than the values that metrics and counters have before the first step.
_FIRST = 1000


class Found(NamedTuple):
    """Names and shapes of the variables in a file.

    Attributes:
      fields: Key -> fields of `Stored` (name, role, ...), in the order of the model. Without
        weights and slots whose names are not unique. An optimizer that contains another saves its
        slots twice.
      shapes: Key -> shape, of all tensors.
    """

    fields: dict[str, dict[str, Any]]
    shapes: dict[str, tuple[int, ...]]


def find(model: Any, save: Callable[[], Source]) -> Found:
    """Finds the variables of a model in its file.

    Args:
      model: A model of Keras 3, with the slots of its optimizer. Its values are lost.
      save: Saves the model and opens the file.
    """
    descriptions = _descriptions(model)
    for number, (variable, _) in enumerate(descriptions, start=_FIRST):
        _assign(variable, number)
    keys: dict[tuple[int, tuple[int, ...]], list[str]] = collections.defaultdict(list)
    with save() as saved:
        for tensor in saved.stored:
            keys[_number(saved, tensor), tensor.shape].append(tensor.key)
        shapes = {tensor.key: tensor.shape for tensor in saved.stored}
    counts = collections.Counter(fields["name"] for _, fields in descriptions)
    found: dict[str, dict[str, Any]] = {}
    for number, (variable, fields) in enumerate(descriptions, start=_FIRST):
        of_number = keys[number, tuple(variable.shape)]
        is_unique = counts[fields["name"]] == 1 and (
            len(of_number) == 1 or fields["role"] is not Role.VARIABLE
        )
        if is_unique or fields["role"] in (Role.STEP, Role.SETTING):
            found |= dict.fromkeys(of_number, fields)
    return Found(found, shapes)


def _assign(variable: Any, number: int) -> None:
    """Gives a variable a number as its value, or 0 if its type would round the number."""
    variable.assign(np.full(variable.shape, number))
    if variable.shape and 0 in variable.shape:
        return
    if float(np.asarray(variable.numpy()).astype(np.float64).flat[0]) != number:
        variable.assign(np.zeros(variable.shape))


def applied(names: Mapping[str, Mapping[str, Any]], stored: Sequence[Stored]) -> list[Stored]:
    """Returns tensors of a file with the fields that `find` has found, in its order."""
    order = {key: place for place, key in enumerate(names)}
    tensors = [dataclasses.replace(tensor, **names.get(tensor.key, {})) for tensor in stored]
    tensors.sort(key=lambda tensor: order.get(tensor.key, len(order)))
    return contents.with_kinds(tensors)


def _descriptions(model: Any) -> list[tuple[Any, dict[str, Any]]]:
    """Returns the weights of a model and the variables of its optimizer, with their fields."""
    from modern.model_files import keras3_objects  # Imports TensorFlow.

    scope = f"{model.name}/"
    result = [
        (
            weight,
            {
                "name": weight.path.removeprefix(scope),
                "role": Role.VARIABLE,
                "trainable": weight.trainable,
            },
        )
        for weight in model.weights
    ]
    if getattr(model, "optimizer", None) is None:
        return result
    parts = [*keras3_objects.optimizer_variables(model)]
    for part in parts:
        optimizer = slots.class_name(part.optimizer)
        result.append((part.variable, _of_optimizer(optimizer, part.owner, part.slot)))
    # An optimizer that only passes steps on to others, such as `ByLayer`, has no state that counts.
    known_ids = {id(part.variable) for part in parts}
    for variable in model.optimizer.variables:
        if id(variable) not in known_ids:
            fields = {"name": variable.path, "role": Role.SETTING, "slot": variable.name}
            result.append((variable, fields))
    return result


def _of_optimizer(optimizer: str, owner: str, slot: str) -> dict[str, Any]:
    if owner:
        slot = slots.of_keras3(optimizer, slot)
        role = Role.AVERAGE if slot == "average" else Role.SLOT
        name = f"{optimizer}/{slot}/{owner}"
        return {"name": name, "role": role, "owner": owner, "optimizer": optimizer, "slot": slot}
    is_step = slot.rpartition("/")[2] == "iteration"
    role = Role.STEP if is_step else Role.SETTING
    return {"name": f"{optimizer}/{slot}", "role": role, "owner": "", "slot": slot}


def _number(source: Source, tensor: Stored) -> int:
    """Returns the number that all elements of a tensor have, or 0."""
    values = source.read(tensor)
    # HDF5 has no bfloat16.
    if values.dtype.kind not in "fiu" or not values.size or (values != values.flat[0]).any():
        return 0
    value = float(values.flat[0])
    return int(value) if value.is_integer() else 0
