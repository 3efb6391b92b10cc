"""The variables of a graph, whole where a partitioner has made parts of them.

variables = whole.join(tf.compat.v1.global_variables())
variables["embeddings"].parts
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

# tf.compat.v1.get_variable with a partitioner makes "name/part_0", "name/part_1", ...
_PART = re.compile(r"^(?P<name>.*)/part_(?P<index>\d+)$")


@dataclasses.dataclass(frozen=True)
class Variable:
    """A variable of the graph, whole where the program has it in parts.

    Attributes:
      name: without ":0" and without the part.
      parts: in order; one where there is no partitioner.
      axis: along which the parts lie.
      shape: of the whole.
      dtype: such as "float32".
    """

    name: str
    parts: tuple[Any, ...]
    axis: int
    shape: tuple[int, ...]
    dtype: str

    def pieces(self, value: np.ndarray) -> list[np.ndarray]:
        """A whole value as the parts hold it."""
        if len(self.parts) == 1:
            return [value]
        rows = [part.shape.as_list()[self.axis] for part in self.parts[:-1]]
        return np.split(value, np.cumsum(rows), self.axis)

    def joined(self, values: list[np.ndarray]) -> np.ndarray:
        """The value of the whole from those of the parts."""
        return np.concatenate(values, self.axis) if len(values) > 1 else values[0]


def join(variables: Iterable[Any]) -> dict[str, Variable]:
    """Joins the parts of partitioned variables; returns all by name, in the order given."""
    parts: dict[str, list[Any]] = {}
    for variable in variables:
        name = variable.name.partition(":")[0]
        match = _PART.match(name)
        parts.setdefault(match["name"] if match else name, []).append(variable)
    return {name: _of_parts(name, group) for name, group in parts.items()}


def _of_parts(name: str, parts: list[Any]) -> Variable:
    shapes = [tuple(part.shape.as_list()) for part in parts]
    different = [axis for axis in range(len(shapes[0])) if len({s[axis] for s in shapes}) > 1]
    axis = different[0] if different else 0
    shape = list(shapes[0])
    if len(parts) > 1:
        shape[axis] = sum(s[axis] for s in shapes)
    return Variable(name, tuple(parts), axis, tuple(shape), parts[0].dtype.base_dtype.name)
