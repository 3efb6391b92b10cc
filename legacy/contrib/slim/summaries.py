"""tf.contrib.slim.summaries, which adds summaries of one or several tensors.

summaries.add_scalar_summary(loss, "Total_Loss", print_summary=True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


def _name(tensor: tf.Tensor, name: str | None, prefix: str | None, end: str | None = None) -> str:
    return "/".join(part for part in (prefix, name or tensor.op.name, end) if part)


def _add_and_print(
    add: Callable[..., Any], name: str, tensor: tf.Tensor, print_summary: bool
) -> Any:
    """Adds a summary. If `print_summary`, it prints the tensor each time it is computed."""
    if not print_summary:
        return add(name, tensor)
    summary = tf1.Print(add(name, tensor, collections=[]), [tensor], name)
    tf1.add_to_collection(tf1.GraphKeys.SUMMARIES, summary)
    return summary


def add_histogram_summary(tensor: Any, name: str | None = None, prefix: str | None = None) -> Any:
    """Adds a histogram summary.

    Args:
      tensor: Tensor to summarize.
      name: Name of the summary. The default is the name of the tensor.
      prefix: Prefix of the name.

    Returns:
      The summary.
    """
    return tf1.summary.histogram(_name(tensor, name, prefix), tensor)


def add_image_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Adds an image summary. See `add_scalar_summary` for the arguments."""
    return _add_and_print(tf1.summary.image, _name(tensor, name, prefix), tensor, print_summary)


def add_scalar_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Adds a scalar summary.

    Args:
      tensor: Tensor to summarize.
      name: Name of the summary. The default is the name of the tensor.
      prefix: Prefix of the name.
      print_summary: If true, prints the value each time the summary is computed.

    Returns:
      The summary.
    """
    return _add_and_print(tf1.summary.scalar, _name(tensor, name, prefix), tensor, print_summary)


def add_zero_fraction_summary(
    tensor: Any, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Adds a scalar summary of the share of zeros. See `add_scalar_summary` for the arguments."""
    name = _name(tensor, name, prefix, "Fraction_of_Zero_Values")
    return add_scalar_summary(tf.nn.zero_fraction(tensor), name, print_summary=print_summary)


def add_histogram_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Adds a histogram summary of each tensor and returns the summaries."""
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


def add_image_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Adds an image summary of each tensor and returns the summaries."""
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


def add_scalar_summaries(
    tensors: Iterable[Any], prefix: str | None = None, print_summary: bool = False
) -> list[Any]:
    """Adds a scalar summary of each tensor and returns the summaries."""
    return [add_scalar_summary(tensor, None, prefix, print_summary) for tensor in tensors]


def add_zero_fraction_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Adds a summary of each tensor's share of zeros and returns the summaries."""
    return [add_zero_fraction_summary(tensor, prefix=prefix) for tensor in tensors]
