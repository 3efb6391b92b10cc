"""Reads the forget_bias of old LSTM cells from the graph that a Saver writes next to a checkpoint.

forget_biases.of_graph("model_dir/model.ckpt-1000")  # {1.0}

It is a constant of the graph, which the cell adds to the third of its four gates. The variables do
not tell it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from modern.process import files

_ADDITIONS = ("Add", "AddV2")
_FORGET = 2  # Index of the forget gate in i, j, f, o.
_FUSED = ("LSTMBlockCell", "BlockLSTM", "BlockLSTMV2")


def of_graph(prefix: str) -> set[float]:
    """Returns the constants of all cells in PREFIX.meta. Empty without that file."""
    import tensorflow as tf
    from google.protobuf import message

    try:
        meta = tf.compat.v1.MetaGraphDef.FromString(files.read_bytes(prefix + ".meta"))
    except (OSError, tf.errors.OpError, message.DecodeError):
        return set()
    functions = meta.graph_def.library.function
    found: set[float] = set()
    for nodes in (meta.graph_def.node, *(function.node_def for function in functions)):
        found.update(_constants(nodes))
    return found


def _constants(nodes: Iterable[Any]) -> Iterable[float]:
    import tensorflow as tf

    by_name = {node.name: node for node in nodes}
    for node in by_name.values():
        if node.op in _FUSED and "forget_bias" in node.attr:
            yield round(node.attr["forget_bias"].f, 6)
        if node.op not in _ADDITIONS or not _is_forget_gate(node.input[0], by_name):
            continue
        added = by_name.get(node.input[1].partition(":")[0])
        if added is not None and added.op == "Const":
            value = tf.make_ndarray(added.attr["value"].tensor)
            if value.size == 1:
                yield round(float(value), 6)


def _is_forget_gate(name: str, by_name: Mapping[str, Any]) -> bool:
    """Returns whether an input is the third of four parts, as "split:2" or "split:output:2"."""
    split, _, index = name.partition(":")
    node = by_name.get(split)
    is_split = node is not None and node.op == "Split" and node.attr["num_split"].i == 4
    return is_split and index.rpartition(":")[2] == str(_FORGET)
