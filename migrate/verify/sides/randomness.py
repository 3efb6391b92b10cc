"""Switches dropout off on both sides, and writes down the rates, which are compared instead.

    with randomness.dropout_off() as seen:
        spec = model_fn(features, labels, "train")
    [dropout.rate for dropout in seen]

While the block runs, TensorFlow's public dropout functions hand their input on as it is. Keras
layers, `tf.layers.dropout`, RNN wrappers and programs all come to these in the end. What was traced
in the block stays without dropout after it.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

# In programs that ask for other randomness, it is found by running twice; these are the names that
# the report can then give.
_RANDOM_OPS = ("Random", "Multinomial", "StatelessSample", "ParameterizedTruncatedNormal")


@dataclasses.dataclass(frozen=True)
class Dropout:
    """One call of a dropout function.

    Attributes:
      rate: the part that it drops; None where it is a tensor without a known value.
      width: the last dimension of what it is applied to; None where that is unknown.
      where: the name of that tensor, or of the scope, in its graph; "" in eager execution.
      tensor: what it is applied to.
    """

    rate: float | None
    width: int | None
    where: str
    tensor: Any = dataclasses.field(repr=False)


@contextlib.contextmanager
def dropout_off() -> Iterator[list[Dropout]]:
    """Makes dropout hand on its input; yields the list of the calls made meanwhile."""
    seen: list[Dropout] = []
    places = [
        (module, name, replacement)
        for module in (tf.nn, tf.compat.v2.nn)
        for name, replacement in (("dropout", _v2(seen)),)
    ]
    places += [
        (module, name, _v2(seen))
        for module in (tf.nn.experimental, tf.compat.v2.nn.experimental)
        for name in ("stateless_dropout", "general_dropout")
    ]
    places.append((tf.compat.v1.nn, "dropout", _v1(seen)))
    before = [(module, name, getattr(module, name)) for module, name, _ in places]
    for module, name, replacement in places:
        setattr(module, name, replacement)
    try:
        yield seen
    finally:
        for module, name, original in before:
            setattr(module, name, original)


def _note(seen: list[Dropout], x: Any, rate: Any) -> Any:
    """Writes down one call and returns its input."""
    x = tf.convert_to_tensor(x)
    known = rate if isinstance(rate, (int, float)) else tf.get_static_value(rate)
    known = None if known is None else float(known)
    if known != 0.0:
        graph = None if tf.executing_eagerly() else x.graph
        where = "" if graph is None else x.op.name
        seen.append(Dropout(known, x.shape[-1] if x.shape.rank else None, where, x))
    return x


def _v2(seen: list[Dropout]) -> Any:
    def dropout(x: Any, rate: Any, *_: Any, **__: Any) -> Any:
        return _note(seen, x, rate)

    return dropout


def _v1(seen: list[Dropout]) -> Any:
    def dropout(
        x: Any,
        keep_prob: Any = None,
        noise_shape: Any = None,
        seed: Any = None,
        name: str | None = None,
        rate: Any = None,
    ) -> Any:
        del noise_shape, seed, name
        return _note(seen, x, rate if keep_prob is None else 1 - keep_prob)

    return dropout


def random_ops(graph: tf.Graph, below: str = "") -> list[str]:
    """Names of the operations of a graph, or of its functions, that draw random numbers.

    Args:
      graph: of a model_fn.
      below: leaves out those whose name has this text in it.
    """
    definition = graph.as_graph_def()
    nodes = [*definition.node]
    for function in definition.library.function:
        nodes.extend(function.node_def)
    return [
        node.name
        for node in nodes
        if any(word in node.op for word in _RANDOM_OPS) and not (below and below in node.name)
    ]
