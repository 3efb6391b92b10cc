"""tf.contrib.eager: eager execution as it was before TensorFlow 2.

eager.enable_eager_execution()
if eager.num_gpus(): ...
"""

from __future__ import annotations

import types
from collections.abc import Iterator as _Iterator
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1

Checkpoint = tf1.train.Checkpoint
CheckpointableSaver = tf1.train.Checkpoint
EagerTensor = tf.Tensor
GradientTape = tf.GradientTape
defun = tf.function
enable_eager_execution = tf1.enable_eager_execution
enable_remote_eager_execution = tf.config.experimental_connect_to_host
executing_eagerly = in_eager_mode = tf.executing_eagerly
function = tf.function
custom_gradient = tf.custom_gradient
py_func = tf.py_function


class _ResourceVariables(type):
    """Metaclass that creates and recognizes resource variables.

    TensorFlow's own class of resource variables has no public name.
    """

    def __call__(cls, *args: Any, **kwargs: Any) -> tf.Variable:
        return tf1.Variable(*args, use_resource=True, **kwargs)

    def __instancecheck__(cls, value: Any) -> bool:
        # A reference variable has a dtype such as float32_ref.
        return isinstance(value, tf.Variable) and not value.dtype.name.endswith("_ref")


class Variable(metaclass=_ResourceVariables):
    """A resource variable in every mode. Takes the arguments of `tf1.Variable`."""


def list_devices() -> list[str]:
    """Returns the names of this process's devices."""
    return [device.name for device in tf.config.list_logical_devices()]


def num_gpus() -> int:
    """Returns the number of GPUs."""
    return len(tf.config.list_logical_devices("GPU"))


def Iterator(dataset: tf.data.Dataset) -> _Iterator[Any]:  # noqa: N802
    """Returns an iterator over a Dataset, in eager mode.

    Args:
      dataset: The Dataset.
    """
    return iter(dataset)


def __getattr__(name: str) -> Any:
    """Returns `metrics`, which needs legacy Keras, or raises the error for a name left out."""
    if name == "metrics":
        return types.SimpleNamespace(
            Accuracy=tf1.keras.metrics.Accuracy, Mean=tf1.keras.metrics.Mean
        )
    raise _missing.error("eager", name)
