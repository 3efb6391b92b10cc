"""Variables of a graph, with the parts of partitioned variables joined.

variables = whole_variables.join(tf.compat.v1.global_variables())
variables["embeddings"].parts
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

# tf.compat.v1.get_variable with a partitioner creates "name/part_0", "name/part_1", ...
_PART = re.compile(r"^(?P<name>.*)/part_(?P<index>\d+)$")


@dataclasses.dataclass(frozen=True)
class Variable:
    """A variable of the graph. A partitioned variable is represented as a whole.

    Attributes:
      name: Name without ":0" and without the part.
      parts: Parts in order. One part if the variable has no partitioner.
      axis: Axis along which the parts are joined.
      shape: Shape of the whole.
      dtype: Type such as "float32".
    """

    name: str
    parts: tuple[Any, ...]
    axis: int
    shape: tuple[int, ...]
    dtype: str

    def pieces(self, value: np.ndarray) -> list[np.ndarray]:
        """Splits a whole value into the values of the parts."""
        if len(self.parts) == 1:
            return [value]
        rows = [part.shape.as_list()[self.axis] for part in self.parts[:-1]]
        return np.split(value, np.cumsum(rows), self.axis)

    def join_values(self, values: list[np.ndarray]) -> np.ndarray:
        """Joins the values of the parts."""
        return np.concatenate(values, self.axis) if len(values) > 1 else values[0]


def join(variables: Iterable[Any]) -> dict[str, Variable]:
    """Joins the parts of partitioned variables. Returns all variables by name, in order."""
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
