"""Summaries of many tensors at once: tf.contrib.layers's.

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
    """Adds the summary that fits a tensor: of a scalar its value, else a histogram.

    Args:
      tensor: A tensor or variable.
      tag: The summary's name; by default the tensor's, and "_summary".

    Returns:
      The summary; None for strings and booleans, which have none.
    """
    if tensor.dtype.base_dtype in (tf.string, tf.bool):
        return None
    tag = tag or f"{tensor.op.name}_summary"
    if tensor.shape.rank == 0:
        return tf1.summary.scalar(tag, tensor)
    return tf1.summary.histogram(tag, tensor)


def summarize_activation(op: tf.Tensor) -> Any:
    """Adds a histogram of an activation, and how much of it is cut off.

    Args:
      op: The activation.

    Returns:
      The histogram's summary.
    """
    name = op.op.name

    def add_share(what: str, of: Callable[[tf.Tensor], tf.Tensor]) -> None:
        share = tf.reduce_mean(tf.cast(of(op.op.inputs[0]), tf.float32))
        tf1.summary.scalar(f"{name}/{what}", share)

    if op.op.type in ("Relu", "Softplus", "Relu6"):
        add_share("zeros", lambda inputs: inputs < tf.cast(0.0, inputs.dtype))
    if op.op.type == "Relu6":
        add_share("sixes", lambda inputs: inputs > tf.cast(6.0, inputs.dtype))
    return tf1.summary.histogram(f"{name}/activation", op)


def summarize_tensors(
    tensors: Iterable[Any], summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """Adds a summary of each tensor; returns the summaries."""
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(
    collection: str, name_filter: str | None = None, summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """Adds a summary of each tensor of a collection.

    Args:
      collection: The collection.
      name_filter: What the beginning of a tensor's name must match, a regular expression.
      summarizer: From a tensor to its summary.

    Returns:
      The summaries.
    """
    chosen = [
        each
        for each in tf1.get_collection(collection)
        if name_filter is None or re.match(name_filter, each.op.name)
    ]
    return summarize_tensors(chosen, summarizer)


def summarize_variables(
    name_filter: str | None = None, summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """`summarize_collection` of GLOBAL_VARIABLES."""
    return summarize_collection(tf1.GraphKeys.GLOBAL_VARIABLES, name_filter, summarizer)


def summarize_weights(
    name_filter: str | None = None, summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """`summarize_collection` of WEIGHTS."""
    return summarize_collection(tf1.GraphKeys.WEIGHTS, name_filter, summarizer)


def summarize_biases(
    name_filter: str | None = None, summarizer: _Summarizer = summarize_tensor
) -> list[Any]:
    """`summarize_collection` of BIASES."""
    return summarize_collection(tf1.GraphKeys.BIASES, name_filter, summarizer)


def summarize_activations(
    name_filter: str | None = None, summarizer: _Summarizer = summarize_activation
) -> list[Any]:
    """`summarize_collection` of ACTIVATIONS."""
    return summarize_collection(tf1.GraphKeys.ACTIVATIONS, name_filter, summarizer)
