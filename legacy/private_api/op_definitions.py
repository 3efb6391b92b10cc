"""`op_def_registry.get_registered_ops` of TensorFlow 1.

>>> "MatMul" in get_registered_ops()
True
>>> get_registered_ops()["MatMul"].output_arg[0].name
'product'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import tensorflow as tf


class _Definitions(Mapping[str, Any]):
    """The definitions by name, each read at its first use."""

    def __init__(self) -> None:
        self._graph = tf.Graph()

    def __getitem__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(tf.raw_ops, name):
            raise KeyError(name)
        return self._graph.op_def_for_type(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name in dir(tf.raw_ops) if not name.startswith("_"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def get_registered_ops() -> Mapping[str, Any]:
    """Returns the definitions of TensorFlow's operations by their names."""
    return _Definitions()
