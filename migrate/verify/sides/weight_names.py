"""Names of the weights of a model of Keras 3 or tf_keras, each of them unique."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def of_keras3(model: Any) -> dict[str, Any]:
    """Returns the weights of a Keras 3 model by their paths, without the name of the model."""
    return unique(lambda weight: weight.path.removeprefix(f"{model.name}/"), model.weights)


def unique(name_of: Callable[[Any], str], weights: Iterable[Any]) -> dict[str, Any]:
    """Returns weights by name, with "#2" at the end of a repeated name."""
    weights_by_name: dict[str, Any] = {}
    for weight in weights:
        base = name = name_of(weight)
        number = 1
        while name in weights_by_name:
            number += 1
            name = f"{base}#{number}"
        weights_by_name[name] = weight
    return weights_by_name
