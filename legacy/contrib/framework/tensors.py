"""Tensor checks, sorting and static conditions of tf.contrib.framework.

logits = with_shape([None, 10], logits)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1

assert_same_float_dtype = tf1.debugging.assert_same_float_dtype
assert_scalar = tf1.debugging.assert_scalar
convert_to_tensor_or_sparse_tensor = tf1.convert_to_tensor_or_sparse_tensor
is_tensor = tf.is_tensor


def assert_scalar_int(tensor: Any, name: str | None = None) -> Any:
    """Returns the tensor if it is an integer scalar.

    Args:
      tensor: Tensor to check.
      name: Name of the operations.

    Raises:
      ValueError: The tensor is not an integer scalar.
    """
    with tf1.name_scope(name, "assert_scalar_int", [tensor]) as scope:
        tensor = tf.convert_to_tensor(tensor)
        if not tensor.dtype.base_dtype.is_integer:
            raise ValueError(
                f"Expected integer type for {tensor.name}, received type: {tensor.dtype!r}."
            )
        return tf1.debugging.assert_scalar(tensor, name=scope)


def reduce_sum_n(tensors: Sequence[tf.Tensor], name: str | None = None) -> tf.Tensor:
    """Returns the sum over all elements of all tensors.

    Args:
      tensors: Tensors of any shape and of the same dtype.
      name: Name of the operations.

    Raises:
      ValueError: `tensors` is empty.
    """
    if not tensors:
        raise ValueError("No tensors provided.")
    with tf1.name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = [tf.reduce_sum(tensor, name=f"{tensor.op.name}/sum") for tensor in tensors]
        return sums[0] if len(sums) == 1 else tf.add_n(sums, name=scope)


def remove_squeezable_dimensions(
    predictions: Any, labels: Any, name: str | None = None
) -> tuple[tf.Tensor, tf.Tensor]:
    """Squeezes the last dimension, of size 1, of the tensor whose rank is larger by 1.

    Args:
      predictions: A tensor.
      labels: A tensor whose rank differs from that of `predictions` by at most 1.
      name: Name of the operations.

    Returns:
      Predictions and labels, of the same rank.
    """
    with tf1.name_scope(name, "remove_squeezable_dimensions", [predictions, labels]):
        predictions = tf.convert_to_tensor(predictions)
        labels = tf.convert_to_tensor(labels)
        ranks = predictions.shape.rank, labels.shape.rank
        if None not in ranks:
            difference = ranks[0] - ranks[1]
            if difference == 1:
                predictions = tf.squeeze(predictions, [-1])
            elif difference == -1:
                labels = tf.squeeze(labels, [-1])
            return predictions, labels
        difference = tf.rank(predictions) - tf.rank(labels)
        return _squeezed_if(predictions, difference, 1), _squeezed_if(labels, difference, -1)


def _squeezed_if(tensor: tf.Tensor, difference: tf.Tensor, excess: int) -> tf.Tensor:
    if tensor.shape.rank is not None and not tensor.shape[-1:].is_compatible_with([1]):
        return tensor
    return tf1.cond(tf.equal(difference, excess), lambda: tf.squeeze(tensor, [-1]), lambda: tensor)


def with_same_shape(expected_tensor: tf.Tensor, tensor: tf.Tensor) -> tf.Tensor:
    """Returns `tensor`, checked to have the shape of `expected_tensor`. See `with_shape`."""
    shape = expected_tensor.shape
    expected_shape = shape.as_list() if shape.is_fully_defined() else tf.shape(expected_tensor)
    return with_shape(expected_shape, tensor)


def with_shape(expected_shape: Any, tensor: tf.Tensor) -> tf.Tensor:
    """Returns a tensor, checked to have a shape.

    If `expected_shape` is a scalar's, a tensor with one element is reshaped to a scalar.

    Args:
      expected_shape: A list, a TensorShape, a vector of int32, or an int32 tensor.
      tensor: The tensor.

    Returns:
      The tensor. If its static shape is unknown, the check happens when the tensor is computed.

    Raises:
      ValueError: `expected_shape` has a wrong rank or dtype, or is not the tensor's shape. Or the
        tensor is sparse.
    """
    if isinstance(tensor, tf.SparseTensor):
        raise ValueError("SparseTensor not supported.")
    if tf.is_tensor(expected_shape):
        if expected_shape.dtype.base_dtype != tf.int32:
            raise ValueError(
                f"Invalid dtype {expected_shape.dtype} for shape {expected_shape} expected of "
                f"tensor {tensor.name}."
            )
        return _checked_when_run(expected_shape, tensor)
    expected = _static_shape(expected_shape, tensor)
    if not tensor.shape.is_fully_defined():
        if expected.rank == 0:
            # Fails when it is computed, unless the tensor has one element.
            return tf.reshape(tensor, [])
        sizes = [-1 if size is None else size for size in expected.as_list()]
        result = _checked_when_run(tf.constant(sizes, tf.int32), tensor)
        result.set_shape(expected)
        return result
    if tensor.shape.is_compatible_with(expected):
        return tensor
    if expected.rank == 0 and tensor.shape.is_compatible_with([1]):
        return tf.reshape(tensor, [])
    raise ValueError(
        f"Invalid shape for tensor {tensor.name}, expected {expected_shape}, got {tensor.shape}."
    )


def _static_shape(shape: Any, tensor: tf.Tensor) -> tf.TensorShape:
    if isinstance(shape, np.ndarray):
        if shape.ndim > 1:
            raise ValueError(
                f"Invalid rank {shape.ndim} for shape {shape} expected of tensor {tensor.name}."
            )
        if shape.dtype != np.int32:
            raise ValueError(
                f"Invalid dtype {shape.dtype} for shape {shape} expected of tensor {tensor.name}."
            )
    elif isinstance(shape, (list, tuple)):
        array = np.asarray([0 if size is None else size for size in shape], dtype=object)
        if array.ndim > 1:
            raise ValueError(
                f"Invalid rank {array.ndim} for shape {shape} expected of tensor {tensor.name}."
            )
        if not all(isinstance(size, (int, np.integer)) for size in array):
            raise ValueError(f"Invalid dtype for shape {shape} expected of tensor {tensor.name}.")
    sizes = tf.TensorShape(shape).as_list()
    return tf.TensorShape([None if size == -1 else size for size in sizes])


def _checked_when_run(shape: tf.Tensor, tensor: tf.Tensor) -> tf.Tensor:
    actual = tf.shape(tensor)
    right = tf1.cond(
        tf.equal(tf.size(shape), tf.rank(tensor)),
        lambda: tf.reduce_all(tf.equal(shape, -1) | tf.equal(shape, actual)),
        lambda: False,
    )
    message = f"Wrong shape for {tensor.name} [expected] [actual]."
    with tf.control_dependencies([tf1.Assert(right, [message, shape, actual])]):
        return tf.identity(tensor)


def smart_constant_value(pred: Any) -> Any:
    """Returns the value of a condition if it is statically known, or None.

    Args:
      pred: A boolean tensor, a bool, or 0 or 1.

    Raises:
      TypeError: `pred` is not a condition.
    """
    if isinstance(pred, bool):
        return pred
    if isinstance(pred, (int, np.integer, np.bool_)) and pred in (0, 1):
        return bool(pred)
    if tf.is_tensor(pred):
        value = tf.get_static_value(pred)
        return None if value is None else bool(value)
    raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {pred}")


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Calls one of two functions, directly if the condition is statically known.

    Args:
      pred: A boolean tensor, a bool, or 0 or 1.
      true_fn: Function to call if `pred` is true.
      false_fn: Function to call if `pred` is false.
      name: Name of the operations.

    Returns:
      The return value of the function.

    Raises:
      TypeError: `pred` is not a condition, or a function is not callable.
    """
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    value = smart_constant_value(pred)
    if value is None:
        return tf1.cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if value else false_fn()


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Any:
    """Sorts a tensor. See `tf.sort`."""
    return tf.sort(values, axis, direction, name)


def argsort(
    values: Any,
    axis: int = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Any:
    """Returns the indices that sort a tensor. See `tf.argsort`."""
    return tf.argsort(values, axis, direction, stable, name)


def get_placeholders(graph: tf.Graph) -> list[tf.Tensor]:
    """Returns the placeholders of a graph.

    Args:
      graph: The graph.

    Raises:
      TypeError: `graph` is not a tf.Graph.
    """
    if not isinstance(graph, tf.Graph):
        raise TypeError(f"Input graph needs to be a Graph: {graph}")
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]


def get_name_scope() -> str:
    """Returns the current name scope."""
    return tf1.get_default_graph().get_name_scope()


def prepend_name_scope(name: str, import_scope: str) -> str:
    """Adds a scope to the front of an operation's name. The name may be "^name" or "loc:@name"."""
    if not import_scope:
        return name
    return re.sub(r"^(\^|loc:@|)", rf"\g<1>{import_scope}/", name, count=1)


def strip_name_scope(name: str, export_scope: str) -> str:
    """Removes a scope from the front of an operation's name."""
    if not export_scope:
        return name
    return re.sub(rf"^(\^|loc:@|){export_scope}/+", r"\g<1>", name, count=1)
