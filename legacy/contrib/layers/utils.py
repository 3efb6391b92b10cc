"""Helpers of the layers for output names, variable collections, static values and sizes.

net = layers.conv2d(images, 32, 3, outputs_collections="end_points")
end_points = convert_collection_to_dict("end_points")  # {"Conv": <the output>}
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:  # noqa: A002
    """Adds an output with an alias to collections.

    Args:
      collections: Name of a collection, or a list of names. None and an empty list add nothing.
      alias: Alias of the output.
      outputs: Output tensor.

    Returns:
      The output tensor.
    """
    if collections:
        append_tensor_alias(outputs, alias)
        tf1.add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Adds an alias to a tensor and returns the tensor."""
    tensor.aliases = [*getattr(tensor, "aliases", []), alias.removesuffix("/")]
    return tensor


def get_tensor_aliases(tensor: Any) -> list[str]:
    """Returns the aliases of a tensor, or its name if it has no alias."""
    return getattr(tensor, "aliases", None) or [tensor.name.removesuffix(":0")]


def gather_tensors_aliases(tensors: Iterable[Any]) -> list[str]:
    """Returns the aliases of all tensors. See `get_tensor_aliases`."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def convert_collection_to_dict(
    collection: str, clear_collection: bool = False
) -> dict[str, tf.Tensor]:
    """Returns the tensors of a collection by alias.

    Args:
      collection: Name of the collection.
      clear_collection: If true, clears the collection.
    """
    tensors = collections.OrderedDict(
        (alias, tensor)
        for tensor in tf1.get_collection(collection)
        for alias in get_tensor_aliases(tensor)
    )
    if clear_collection:
        tf1.get_default_graph().clear_collection(collection)
    return tensors


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """Returns the static value of a tensor, or None if it is known only at run time.

    Args:
      value_or_tensor_or_var: Python value, tensor or variable.
      dtype: Required type of a tensor or variable.

    Raises:
      ValueError: The value is None or has the wrong type.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    is_variable = isinstance(value, tf.Variable)
    if not is_variable and not tf.is_tensor(value):
        return value
    if dtype and value.dtype != dtype:
        raise ValueError(f"It has the wrong type {value.dtype} instead of {dtype}")
    return None if is_variable else tf.get_static_value(value)


def static_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any]) -> Any:
    """Calls `fn1` if a Python value is true, else `fn2`, and returns the result.

    Raises:
      TypeError: `fn1` or `fn2` is not callable.
    """
    for name, function in (("fn1", fn1), ("fn2", fn2)):
        if not callable(function):
            raise TypeError(f"{name} must be callable.")
    return fn1() if pred else fn2()


def smart_cond(
    pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any], name: str | None = None
) -> Any:
    """Calls `fn1` if a condition is true, else `fn2`. Uses `tf.cond` unless `pred` is static.

    Args:
      pred: Boolean, or a boolean tensor or variable.
      fn1: Function to call if `pred` is true.
      fn2: Function to call if `pred` is false.
      name: Name prefix of the operations.
    """
    static_value = constant_value(pred)
    if static_value is None:
        return tf1.cond(pred, fn1, fn2, name=name)
    return static_cond(static_value, fn1, fn2)


def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """Returns the collections of a variable: the entry of a dict, or the same for all variables."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name)
    return variables_collections


def _size(shape: tf.TensorShape, axis: int, min_rank: int) -> int:
    if shape.rank is None:
        raise ValueError("dims of shape must be known but is None")
    if shape.rank < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {shape.rank}")
    size = shape.as_list()[axis]
    if size is None:
        raise ValueError(f"dimension {axis} of shape must be known but is None: {shape}")
    return size


def channel_dimension(shape: tf.TensorShape, data_format: str, min_rank: int = 1) -> int:
    """Returns the number of channels.

    Args:
      shape: Shape of a tensor.
      data_format: "channels_first". Any other value selects the last dimension.
      min_rank: Smallest allowed rank.

    Raises:
      ValueError: The number of channels is unknown, or the rank is less than `min_rank`.
    """
    return _size(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape: tf.TensorShape, min_rank: int = 1) -> int:
    """Returns the size of the last dimension. See `channel_dimension`."""
    return _size(shape, -1, min_rank)


def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """Returns (height, width) from one number or two.

    Raises:
      ValueError: The argument is neither a number nor a sequence of two numbers.
    """
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, (list, tuple, tf.TensorShape)):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n: int, value: Any) -> tuple[int, ...]:
    """Returns n sizes from one number, which is repeated, or from a sequence of n numbers.

    Raises:
      ValueError: The argument is not n positive integers.
    """
    if n < 1 or int(n) != n:
        raise ValueError("n must be a positive integer")
    values = list(value) if hasattr(value, "__len__") else [value] * int(n)
    try:
        numbers = tuple(int(item) for item in values)
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != n:
        raise ValueError(f"Expected sequence of {n} positive integers, but received {value!r}")
    if min(numbers) < 1:
        raise ValueError(f"expected positive integer, but received {min(numbers)}")
    return numbers
