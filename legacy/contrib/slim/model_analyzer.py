"""tf.contrib.slim.model_analyzer, which prints the sizes of operations and variables.

numbers, size_in_bytes = model_analyzer.analyze_vars(variables, print_info=True)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf


def tensor_description(var: Any) -> str:
    """Returns the type and the shape of a tensor, such as "(float32 2x3)"."""
    sizes = "x".join("?" if size is None else str(size) for size in var.shape.as_list())
    return f"({var.dtype.name} {sizes})"


def _title(text: str) -> None:
    print("---------", text, "---------", sep="\n")


def analyze_ops(graph: tf.Graph, print_info: bool = False) -> int:
    """Counts the elements of all outputs of the operations in a graph.

    Args:
      graph: Graph to analyze.
      print_info: If true, prints each operation.

    Returns:
      The number of elements. Outputs of unknown size are not counted.
    """
    total = 0
    if print_info:
        _title("Operations: name -> (type shapes) [size]")
    for op in graph.get_operations():
        size = sum(output.shape.num_elements() or 0 for output in op.outputs)
        total += size
        if print_info:
            shapes = [tensor_description(output) for output in op.outputs if output.shape.rank]
            print(op.name, "\t->", ", ".join(shapes), f"[{size}]")
    return total


def analyze_vars(variables: Iterable[Any], print_info: bool = False) -> tuple[int, int]:
    """Counts the elements and the bytes of variables.

    Args:
      variables: Variables to analyze.
      print_info: If true, prints each variable.

    Returns:
      The number of elements and the number of bytes.
    """
    total_size = total_bytes = 0
    if print_info:
        _title("Variables: name (type shape) [size]")
    for variable in variables:
        size = variable.shape.num_elements() or 0
        bytes_of_it = size * variable.dtype.size
        total_size += size
        total_bytes += bytes_of_it
        if print_info:
            description = tensor_description(variable)
            print(variable.name, description, f"[{size}, bytes: {bytes_of_it}]")
    if print_info:
        print(f"Total size of variables: {total_size}")
        print(f"Total bytes of variables: {total_bytes}")
    return total_size, total_bytes
