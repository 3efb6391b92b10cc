"""Detection of gradients whose rows synchronous workers gather, in numbers that vary by the step.

    row_gathering.happens_in(function, iterator)

A sparse gradient (`tf.IndexedSlices`) has a row for each id in a batch. If the ids are distinct, as
in the lookups of embedding columns, the number of rows differs from worker to worker and from step
to step. TensorFlow's gathering allows that between calls of a function, but not within one: it
keeps the shapes of the first step (`InstanceTable` in collective_param_resolver_local.cc). So the
second iteration of a loop ends with "Shape mismatch in the collective instance".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_GATHER = "CollectiveGatherV2"
# Operations whose number of results depends on the data. Without them only the size of a batch can
# be unknown, which is the same in each step.
_OF_DATA = ("Unique", "Where", "DynamicPartition", "Ragged", "SparseFillEmptyRows")


def happens_in(function: Any, *arguments: Any) -> bool:
    """Returns whether a function gathers rows whose number depends on the data of a step.

    Args:
      function: A `tf.function`. It is traced, if it has not been yet.
      *arguments: The arguments of the call.
    """
    definition = function.get_concrete_function(*arguments).graph.as_graph_def()
    bodies = [definition.node, *(one.node_def for one in definition.library.function)]
    return any(map(_gathers_lengths_of_data, bodies))


def _gathers_lengths_of_data(nodes: Iterable[Any]) -> bool:
    """Returns whether the workers exchange a length that depends on data, before they gather."""
    by_name = {node.name: node for node in nodes}
    exchanged = (node.input[0] for node in nodes if node.op == _GATHER)
    lengths = filter(None, (by_name.get(_name(one)) for one in exchanged))
    return any(length.op == "Shape" and _is_of_data(length, by_name) for length in lengths)


def _is_of_data(node: Any, by_name: Mapping[str, Any]) -> bool:
    """Returns whether an operation of `_OF_DATA` is among the sources of a node."""
    seen: set[str] = set()
    open_nodes = [node]
    while open_nodes:
        one = open_nodes.pop()
        if one.op.startswith(_OF_DATA):
            return True
        names = {_name(source) for source in one.input} - seen
        seen |= names
        open_nodes += filter(None, map(by_name.get, names))
    return False


def _name(source: str) -> str:
    """Returns the node in an input, such as "node:output:0" or "^node"."""
    return source.lstrip("^").partition(":")[0]
