"""Switches dropout off on both sides, and records the rates, which are compared instead.

    with randomness.dropout_off() as calls:
        spec = model_fn(features, labels, "train")
    [dropout.rate for dropout in calls]

Within the block, TensorFlow's public dropout functions return their input. Keras layers,
`tf.layers.dropout`, RNN wrappers and programs all call these functions. Functions that were traced
in the block stay without dropout after it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import traceback
from collections.abc import Hashable, Iterator
from typing import Any

import tensorflow as tf

# Other randomness than dropout is detected by running a program twice. The report then names the
# operations whose types contain one of these words.
_RANDOM_OPS = ("Random", "Multinomial", "StatelessSample", "ParameterizedTruncatedNormal")


@dataclasses.dataclass(frozen=True)
class Dropout:
    """Record of a dropout function's call.

    Attributes:
      rate: Fraction that it drops. None for a tensor without a known value, and in a branch of a
        tf.cond.
      width: Last dimension of its input. None if unknown.
      where: Name of the input tensor, or of its scope, in its graph. "" in eager execution.
      tensor: Its input.
      caller: Lines and objects that led to the call. They are equal for each step of an RNN that
        runs step by step.
    """

    rate: float | None
    width: int | None
    where: str
    tensor: Any = dataclasses.field(repr=False)
    caller: Hashable = dataclasses.field(default=None, repr=False)


def switch_dropout_off(calls: list[Dropout]) -> list[tuple[Any, str, Any]]:
    """Makes dropout return its input from now on.

    Args:
      calls: List that gets the calls.

    Returns:
      Module, name and value of each replaced function.
    """
    places = [
        (module, name, replacement)
        for module in (tf.nn, tf.compat.v2.nn)
        for name, replacement in (("dropout", _v2(calls)),)
    ]
    places += [
        (module, name, _v2(calls))
        for module in (tf.nn.experimental, tf.compat.v2.nn.experimental)
        for name in ("stateless_dropout", "general_dropout")
    ]
    places.append((tf.compat.v1.nn, "dropout", _v1(calls)))
    originals = [(module, name, getattr(module, name)) for module, name, _ in places]
    for module, name, replacement in places:
        setattr(module, name, replacement)
    return originals


@contextlib.contextmanager
def dropout_off() -> Iterator[list[Dropout]]:
    """Makes dropout return its input within the block, and yields the list of calls."""
    calls: list[Dropout] = []
    originals = switch_dropout_off(calls)
    try:
        yield calls
    finally:
        for module, name, original in originals:
            setattr(module, name, original)


def _note(calls: list[Dropout], x: Any, rate: Any) -> Any:
    """Records one call and returns its input."""
    x = tf.convert_to_tensor(x)
    static_rate = rate if isinstance(rate, (int, float)) else tf.get_static_value(rate)
    static_rate = None if static_rate is None else float(static_rate)
    # Whether a branch of a tf.cond drops depends on a value that is known only in a session. For
    # example, a Keras layer that is not told to train drops in no Estimator.
    if type(tf.compat.v1.get_default_graph()).__name__ == "CondBranchFuncGraph":
        static_rate = None
    if static_rate != 0.0:
        graph = None if tf.executing_eagerly() else x.graph
        where = "" if graph is None else x.op.name
        width = x.shape[-1] if x.shape.rank else None
        calls.append(Dropout(static_rate, width, where, x, _caller()))
    return x


def _caller() -> Hashable:
    """Returns the file, line and `self` of each function that is being called."""
    return tuple(
        (frame.f_code.co_filename, line, id(frame.f_locals.get("self")))
        for frame, line in traceback.walk_stack(None)
    )


def _v2(calls: list[Dropout]) -> Any:
    def dropout(x: Any, rate: Any, *_: Any, **__: Any) -> Any:
        return _note(calls, x, rate)

    return dropout


def _v1(calls: list[Dropout]) -> Any:
    def dropout(
        x: Any,
        keep_prob: Any = None,
        noise_shape: Any = None,
        seed: Any = None,
        name: str | None = None,
        rate: Any = None,
    ) -> Any:
        del noise_shape, seed, name
        return _note(calls, x, rate if keep_prob is None else 1 - keep_prob)

    return dropout


def random_ops(graph: tf.Graph, below: str = "") -> list[str]:
    """Returns the names of operations that draw random numbers in a graph or its functions.

    Args:
      graph: Graph of a model_fn.
      below: Text. Operations whose names contain it are left out.
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
