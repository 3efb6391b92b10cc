"""Names of tf.compat.v1 that work only in a graph, and names that provide one.

>>> needs_graph("tf.compat.v1.placeholder"), needs_graph("tf.compat.v1.Session")
(True, False)
>>> provides_graph("tf.estimator.Estimator")
True

TensorFlow 2 raises at a call of the former ones, unless the program builds a graph or disables
eager execution. A program that does neither has run on TensorFlow 1.
"""

from __future__ import annotations

# Not `Session`: programs of TensorFlow 2 create it without a graph, to configure GPUs.
_NEEDS_GRAPH = frozenset(
    f"tf.compat.v1.{name}"
    for name in (
        *("gradients", "hessians", "placeholder", "sparse_placeholder"),
        *("data.make_initializable_iterator", "metrics", "summary.merge_all"),
        *("train.MonitoredSession", "train.MonitoredTrainingSession"),
        *("train.SingularMonitoredSession", "train.Supervisor", "train.batch"),
        *("train.shuffle_batch", "train.slice_input_producer", "train.string_input_producer"),
    )
)
_PROVIDES_GRAPH = frozenset(
    (
        *("tf.Graph", "tf.estimator", "tf.function", "tf.compat.v1.Graph"),
        *("tf.compat.v1.disable_eager_execution", "tf.compat.v1.disable_v2_behavior"),
        *("tf.compat.v1.estimator", "tf.compat.v1.wrap_function"),
    )
)


def needs_graph(name: str) -> bool:
    """Returns whether a name works only in a graph.

    Args:
      name: Its public name.
    """
    return _is_in(name, _NEEDS_GRAPH)


def provides_graph(name: str) -> bool:
    """Returns whether a program that uses a name may build a graph in TensorFlow 2.

    Args:
      name: Its public name.
    """
    return _is_in(name, _PROVIDES_GRAPH)


def _is_in(name: str, names: frozenset[str]) -> bool:
    """Returns whether a name or a module that holds it is in a set."""
    while name and name not in names:
        name = name.rpartition(".")[0]
    return bool(name)
