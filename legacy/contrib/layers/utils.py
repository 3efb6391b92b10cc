"""What the layers share: names of outputs, collections of variables, sizes.

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
    """Adds an output to collections, under a name of its own.

    Args:
      collections: The name of a collection, or several; None and empty are none.
      alias: The name.
      outputs: The tensor.

    Returns:
      The tensor.
    """
    if collections:
        append_tensor_alias(outputs, alias)
        tf1.add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Gives a tensor one more name; returns the tensor."""
    tensor.aliases = [*getattr(tensor, "aliases", []), alias.removesuffix("/")]
    return tensor


def get_tensor_aliases(tensor: Any) -> list[str]:
    """Returns the names a tensor has been given, or its own."""
    return getattr(tensor, "aliases", None) or [tensor.name.removesuffix(":0")]


def gather_tensors_aliases(tensors: Iterable[Any]) -> list[str]:
    """Returns the names of tensors, as `get_tensor_aliases`."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def convert_collection_to_dict(
    collection: str, clear_collection: bool = False
) -> dict[str, tf.Tensor]:
    """Returns the tensors of a collection by their names.

    Args:
      collection: The collection.
      clear_collection: Whether to empty it.
    """
    found = collections.OrderedDict(
        (alias, tensor)
        for tensor in tf1.get_collection(collection)
        for alias in get_tensor_aliases(tensor)
    )
    if clear_collection:
        tf1.get_default_graph().clear_collection(collection)
    return found


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """Returns what is known of a value before it is computed, or None.

    Args:
      value_or_tensor_or_var: A Python value, a tensor or a variable.
      dtype: What a tensor's type must be.

    Raises:
      ValueError: It is None, or of another type.
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
    """Calls the first function if a Python value is true, else the second.

    Raises:
      TypeError: One of them cannot be called.
    """
    for name, function in (("fn1", fn1), ("fn2", fn2)):
        if not callable(function):
            raise TypeError(f"{name} must be callable.")
    return fn1() if pred else fn2()


def smart_cond(
    pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any], name: str | None = None
) -> Any:
    """Calls the first function if a condition is true, else the second; in the graph if it must.

    Args:
      pred: A bool, or a tensor or variable of one.
      fn1: What is called if it is true.
      fn2: What is called if it is not.
      name: The name of the operations.
    """
    known = constant_value(pred)
    if known is None:
        return tf1.cond(pred, fn1, fn2, name=name)
    return static_cond(known, fn1, fn2)


def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """Returns the collections of one kind of variable; all have the same where it is no dict."""
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
      shape: A shape.
      data_format: "channels_first", or the last dimension is meant.
      min_rank: The least rank.

    Raises:
      ValueError: It is not known, or the rank is less.
    """
    return _size(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape: tf.TensorShape, min_rank: int = 1) -> int:
    """Returns the size of the last dimension; see `channel_dimension`."""
    return _size(shape, -1, min_rank)


def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """Returns (height, width) of one number or two.

    Raises:
      ValueError: It is something else.
    """
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, (list, tuple, tf.TensorShape)):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n: int, value: Any) -> tuple[int, ...]:
    """Returns n sizes of one or of n.

    Raises:
      ValueError: They are not n, or not positive integers.
    """
    if n < 1 or int(n) != n:
        raise ValueError("n must be a positive integer")
    values = list(value) if hasattr(value, "__len__") else [value] * int(n)
    try:
        found = tuple(int(each) for each in values)
    except (TypeError, ValueError):
        found = ()
    if len(found) != n:
        raise ValueError(f"Expected sequence of {n} positive integers, but received {value!r}")
    if min(found) < 1:
        raise ValueError(f"expected positive integer, but received {min(found)}")
    return found
