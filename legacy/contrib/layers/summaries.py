"""Summaries of tensors and collections, from tf.contrib.layers.

summarize_collection(tf.compat.v1.GraphKeys.TRAINABLE_VARIABLES, name_filter="dense")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1
_Summarizer = Callable[..., Any]


def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """Adds a scalar summary of a scalar tensor, or a histogram of any other tensor.

    Args:
      tensor: Tensor or variable.
      tag: Name of the summary. The default is the tensor's name with the suffix "_summary".

    Returns:
      The summary, or None for a string or boolean tensor.
    """
    if tensor.dtype.base_dtype in (tf.string, tf.bool):
        return None
    tag = tag or f"{tensor.op.name}_summary"
    if tensor.shape.rank == 0:
        return tf1.summary.scalar(tag, tensor)
    return tf1.summary.histogram(tag, tensor)


def summarize_activation(op: tf.Tensor) -> Any:
    """Adds a histogram of an activation, and scalars for the share of clipped inputs.

    A relu has the scalar "zeros". A relu6 also has the scalar "sixes".

    Args:
      op: Output of the activation function.

    Returns:
      The histogram summary.
    """
    name = op.op.name

    def add_share(tag: str, condition: Callable[[tf.Tensor], tf.Tensor]) -> None:
        share = tf.reduce_mean(tf.cast(condition(op.op.inputs[0]), tf.float32))
        tf1.summary.scalar(f"{name}/{tag}", share)

    if op.op.type in ("Relu", "Softplus", "Relu6"):
        add_share("zeros", lambda inputs: inputs < tf.cast(0.0, inputs.dtype))
    if op.op.type == "Relu6":
        add_share("sixes", lambda inputs: inputs > tf.cast(6.0, inputs.dtype))
    return tf1.summary.histogram(f"{name}/activation", op)


def summarize_tensors(
    tensors: Iterable[Any], summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """Adds a summary of each tensor and returns the summaries."""
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(
    collection: str, name_filter: str | None = None, summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """Adds a summary of each tensor in a collection.

    Args:
      collection: Name of the collection.
      name_filter: Regular expression that the beginning of a tensor's name must match. None selects
        all tensors.
      summarizer: Function that adds the summary of a tensor and returns it.

    Returns:
      The list of summaries.
    """
    tensors = [
        tensor
        for tensor in tf1.get_collection(collection)
        if name_filter is None or re.match(name_filter, tensor.op.name)
    ]
    return summarize_tensors(tensors, summarizer)


def summarize_variables(
    name_filter: str | None = None, summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """Calls `summarize_collection` for GLOBAL_VARIABLES."""
    return summarize_collection(tf1.GraphKeys.GLOBAL_VARIABLES, name_filter, summarizer)


def summarize_weights(
    name_filter: str | None = None, summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """Calls `summarize_collection` for WEIGHTS."""
    return summarize_collection(tf1.GraphKeys.WEIGHTS, name_filter, summarizer)


def summarize_biases(
    name_filter: str | None = None, summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """Calls `summarize_collection` for BIASES."""
    return summarize_collection(tf1.GraphKeys.BIASES, name_filter, summarizer)


def summarize_activations(
    name_filter: str | None = None, summarizer: _Summarizer = summarize_activation
) -> list[Any]:
    """Calls `summarize_collection` for ACTIVATIONS."""
    return summarize_collection(tf1.GraphKeys.ACTIVATIONS, name_filter, summarizer)
