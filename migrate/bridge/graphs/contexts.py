"""The tf.distribute context that a model_fn sees: that of the Estimator's call in the same mode.

>>> import tensorflow as tf
>>> with tf.distribute.MirroredStrategy(["cpu:0"]).scope(), alone():
...     tf.distribute.has_strategy()
False

An Estimator trained under `train_distribute`, in a replica. It evaluated, predicted and exported
without a strategy. A model_fn that asks `tf.distribute.has_strategy()` and the like takes the same
branches here.
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
      mode: The mode of the call.
      strategy: The strategy of the model.
    """
    if mode == calling.TRAIN and strategy is not _default_strategy():
        return contextlib.nullcontext()  # The replica's own.
    return alone()


def of_blueprint(
    mode: str, strategy: tf.distribute.Strategy
) -> contextlib.AbstractContextManager[Any]:
    """Returns the context for a model_fn that is called once in a v1 graph, which no replica runs.

    Args:
      mode: The mode of the call.
      strategy: The strategy of the model.
    """
    if mode == calling.TRAIN and strategy is not _default_strategy():
        return _LoneReplica(_undistributed(strategy), strategies.first_replica(strategy))
    return alone()


def alone() -> contextlib.AbstractContextManager[Any]:
    """Returns the context of a program without a strategy; it can be entered within any other."""
    return _NoStrategy(_default_strategy(), 0)


def local_replica(strategy: tf.distribute.Strategy) -> int:
    """Returns the index of the calling replica among those of this process; 0 outside of any.

    Args:
      strategy: The strategy of the replica.
    """
    context = tf.distribute.get_replica_context()
    if context is None:
        return 0
    number = tf.get_static_value(context.replica_id_in_sync_group)
    return int(number) % len(strategy.extended.worker_devices)


class _NoStrategy(tf.distribute.ReplicaContext):
    @property
    def replica_id_in_sync_group(self) -> int:
        return 0  # No tensor, as in TensorFlow's own default context.


def _default_strategy() -> tf.distribute.Strategy:
    with tf.Graph().as_default():  # Each graph begins without a strategy.
        return tf.distribute.get_strategy()


class _LoneReplica(tf.distribute.ReplicaContext):
    """A replica that meets no others."""

    def merge_call(
        self,
        merge_fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        with alone():
            return tf.distribute.get_replica_context().merge_call(merge_fn, args, kwargs)


def _undistributed(strategy: tf.distribute.Strategy) -> tf.distribute.Strategy:
    """Returns a strategy that looks like another one, for a graph without distributed variables.

    TensorFlow's own slots and moving averages ask the strategy of the context where to make them.
    """
    default = _default_strategy()

    class Undistributed(type(strategy)):
        extended = property(lambda self: default.extended)
        num_replicas_in_sync = property(lambda self: strategy.num_replicas_in_sync)

        def __init__(self) -> None:
            """Joins no cluster."""

        def __getattr__(self, name: str) -> Any:
            return getattr(strategy, name)

    return Undistributed()
