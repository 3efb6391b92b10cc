"""Finds the names of a Keras 3 model's variables in a file, which numbers them.

    names = tagged_names.by_key(model, lambda: save(model))
    source.stored = tagged_names.applied(names, source.stored)

Each variable gets another number as its value, and the model is saved. The numbers in the file tell
which variable is where, for each kind of file and for layers of the program's own classes.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from migrate.checkpoint.formats import contents
from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.naming import slots
from modern.model_files import keras3_objects

# Larger than the values that metrics and counters have before the first step.
_FIRST = 1000


def by_key(model: Any, save: Callable[[], Source]) -> dict[str, dict[str, Any]]:
    """Returns what is known of each variable, by its key in the file.

    Args:
      model: A model of Keras 3, with the slots of its optimizer. Its values are lost.
      save: Saves the model and opens the file.

    Returns:
      key -> fields of `Stored` (name, role, ...), in the order of the model. Without weights and
      slots whose names are not unique. An optimizer that contains another saves its slots twice.
    """
    descriptions = _descriptions(model)
    for number, (variable, _) in enumerate(descriptions, start=_FIRST):
        variable.assign(np.full(variable.shape, number))
    keys: dict[int, list[str]] = collections.defaultdict(list)
    with save() as saved:
        for tensor in saved.stored:
            keys[_number(saved, tensor)].append(tensor.key)
    counts = collections.Counter(fields["name"] for _, fields in descriptions)
    return {
        key: fields
        for number, (_, fields) in enumerate(descriptions, start=_FIRST)
        for key in keys[number]
        if counts[fields["name"]] == 1 or fields["role"] in (Role.STEP, Role.SETTING)
    }


def applied(names: Mapping[str, Mapping[str, Any]], stored: Sequence[Stored]) -> list[Stored]:
    """Returns tensors of a file with the fields that `by_key` has found, in its order."""
    order = {key: place for place, key in enumerate(names)}
    tensors = [dataclasses.replace(tensor, **names.get(tensor.key, {})) for tensor in stored]
    tensors.sort(key=lambda tensor: order.get(tensor.key, len(order)))
    return contents.with_kinds(tensors)


def _descriptions(model: Any) -> list[tuple[Any, dict[str, Any]]]:
    """Returns the weights of a model and the variables of its optimizer, with their fields."""
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
    if getattr(model, "optimizer", None) is not None:
        for owner, slot, variable in keras3_objects.optimizer_variables(model):
            result.append((variable, _of_optimizer(type(model.optimizer).__name__, owner, slot)))
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
    if tensor.dtype in ("string", "bool"):
        return 0
    values = source.read(tensor)
    if not values.size or (values != values.flat[0]).any():
        return 0
    value = float(values.flat[0])
    return int(value) if value.is_integer() else 0
