"""Refusal of variables that do not fit into the memory of the parameter servers.

>>> import tensorflow as tf
>>> with limited({"host-a": 1000}):
...     small = tf.Variable(tf.zeros([10]), name="small")
...     large = tf.Variable(tf.zeros([250]), name="large")
Traceback (most recent call last):
modern.process.cli.UsageError: The variables do not fit on the parameter servers: with "large" of \
shape (250,) they have 1.0 KB, and host-a has 1.0 KB free. Use more parameter servers on other \
machines, or smaller variables.

TensorFlow would allocate the memory anyway, and the system would kill a parameter server.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tensorflow as tf

from modern.process import cli

_UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"))


@contextlib.contextmanager
def limited(free: Mapping[str, int]) -> Iterator[None]:
    """Refuses the variable that would not fit, before it is created in the block.

    The slots of optimizers do not count, because TensorFlow creates them inside the first step.

    Args:
      free: The free bytes of each machine with parameter servers. Empty if they are unknown.

    Raises:
      UsageError: A variable does not fit.
    """
    used = 0

    def create(next_creator: Callable[..., Any], **arguments: Any) -> Any:
        nonlocal used
        shape, size = _size(arguments)
        used += size
        if free and used > sum(free.values()):
            machines = ", ".join(f"{host} has {_text(space)}" for host, space in free.items())
            raise cli.UsageError(
                f'The variables do not fit on the parameter servers: with "{arguments["name"]}" of '
                f"shape {shape} they have {_text(used)}, and {machines} free. Use more parameter "
                "servers on other machines, or smaller variables."
            )
        return next_creator(**arguments)

    with tf.variable_creator_scope(create):
        yield


def _size(arguments: Mapping[str, Any]) -> tuple[tf.TensorShape, int]:
    """Returns the shape and the bytes of a variable. 0 bytes if the shape is not known yet."""
    value = arguments.get("initial_value")
    shape = tf.TensorShape(arguments.get("shape") or getattr(value, "shape", None))
    dtype = tf.as_dtype(arguments.get("dtype") or getattr(value, "dtype", None) or tf.float32)
    count = shape.num_elements() if shape.is_fully_defined() else 0
    return shape, (count or 0) * dtype.size


def _text(size: int) -> str:
    factor, unit = next((pair for pair in _UNITS if size >= pair[0]), (1, "bytes"))
    return f"{size / factor:.1f} {unit}" if factor > 1 else f"{size} {unit}"
