"""The tf.distribute context that a model_fn sees, equal to an Estimator's in the same mode.

>>> import tensorflow as tf
>>> with tf.distribute.MirroredStrategy(["cpu:0"]).scope(), no_strategy():
...     tf.distribute.has_strategy()
False

An Estimator with `train_distribute` trained in a replica. It evaluated, predicted and exported
without a strategy. A model_fn that branches on the context, for example on
`tf.distribute.has_strategy()`, takes the same branches here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from migrate.bridge.graphs import calling
from modern.training import strategies


def of_trace(mode: str, strategy: tf.distribute.Strategy) -> contextlib.AbstractContextManager[Any]:
    """Returns the context for a model_fn that is traced in a replica.

    Args:
      mode: Mode of the call.
      strategy: Strategy of the model.
    """
    if mode == calling.TRAIN and strategy is not _default_strategy():
        return contextlib.nullcontext()  # Keeps the replica's context.
    return no_strategy()


def of_blueprint(
    mode: str, strategy: tf.distribute.Strategy
) -> contextlib.AbstractContextManager[Any]:
    """Returns the context for a model_fn that is called once in a v1 graph, outside of replicas.

    Args:
      mode: Mode of the call.
      strategy: Strategy of the model.
    """
    if mode == calling.TRAIN and strategy is not _default_strategy():
        return _LoneReplica(_undistributed(strategy), strategies.first_replica(strategy))
    return no_strategy()


def no_strategy() -> contextlib.AbstractContextManager[Any]:
    """Returns the context of a program without a strategy. It can be entered within any other."""
    return _NoStrategy(_default_strategy(), 0)


def local_replica(strategy: tf.distribute.Strategy) -> int:
    """Returns the calling replica's index in this process, or 0 outside of replicas.

    Args:
      strategy: Strategy of the replica.
    """
    context = tf.distribute.get_replica_context()
    if context is None:
        return 0
    number = tf.get_static_value(context.replica_id_in_sync_group)
    return int(number) % len(strategy.extended.worker_devices)


class _NoStrategy(tf.distribute.ReplicaContext):
    @property
    def replica_id_in_sync_group(self) -> int:
        return 0  # A number instead of a tensor, as in TensorFlow's default context.


def _default_strategy() -> tf.distribute.Strategy:
    with tf.Graph().as_default():  # Each graph begins without a strategy.
        return tf.distribute.get_strategy()


class _LoneReplica(tf.distribute.ReplicaContext):
    """Replica context that merges with no other replicas."""

    def merge_call(
        self,
        merge_fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        with no_strategy():
            return tf.distribute.get_replica_context().merge_call(merge_fn, args, kwargs)


def _undistributed(strategy: tf.distribute.Strategy) -> tf.distribute.Strategy:
    """Returns a strategy that looks like another one, for a graph without distributed variables.

    TensorFlow's own slots and moving averages ask the context's strategy where to create their
    variables. The default strategy must answer these calls.
    """
    default = _default_strategy()

    # mypy expects a base class that is known before the program runs.
    class Undistributed(type(strategy)):  # type: ignore[misc]
        extended = property(lambda self: default.extended)
        num_replicas_in_sync = property(lambda self: strategy.num_replicas_in_sync)

        def __init__(self) -> None:
            """Skips the base constructor, which would join a cluster."""

        def __getattr__(self, name: str) -> Any:
            return getattr(strategy, name)

    return Undistributed()
