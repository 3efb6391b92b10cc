"""Watches v1 optimizers: every `apply_gradients` of a model_fn is seen, and may be done otherwise.

    with watching.watched(watcher):
        spec = model_fn(features, labels, mode)

`minimize` ends in `apply_gradients`, and so do gradient clipping and contrib's `optimize_loss`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import tensorflow as tf

from migrate.patches import Patches, with_own

tf1 = tf.compat.v1

Pairs = Sequence[tuple[Any, Any]]
_BASE = tf1.train.Optimizer
_METHOD = "apply_gradients"


class Watcher(Protocol):
    """What is told of optimizers, and acts for them."""

    def apply(self, optimizer: Any, pairs: Pairs, step: Any, name: str | None) -> Any:
        """Is done instead of `tf.compat.v1.train.Optimizer.apply_gradients`."""

    def apply_own(self, optimizer: Any, pairs: Pairs, call: Callable[[Pairs], Any]) -> Any:
        """Is done instead of an `apply_gradients` that the optimizer's class has of its own.

        `call` runs that one; it may come to the base class', which is watched as well.
        """


class AppliesNothing:
    """Outside of training no gradients are applied, as nobody fetched what would."""

    def apply(self, optimizer: Any, pairs: Pairs, step: Any, name: str | None) -> tf.Operation:
        """Does nothing."""
        del optimizer, pairs, step, name
        return tf.no_op()

    def apply_own(self, optimizer: Any, pairs: Pairs, call: Callable[[Pairs], Any]) -> tf.Operation:
        """Does nothing."""
        del optimizer, pairs, call
        return tf.no_op()


def watched(watcher: Watcher) -> contextlib.AbstractContextManager[None]:
    """Has the watcher act in the place of every v1 optimizer of this thread in the block.

    SyncReplicasOptimizer, which only says that training is synchronous, is seen through: its
    optimizer is what applies the gradients.
    """
    return _patches.active(watcher)


def apply_as_written(optimizer: Any, pairs: Pairs, step: Any, name: str | None) -> Any:
    """TensorFlow's own `apply_gradients`, for a watcher that leaves an optimizer as it is."""
    return _patches.original(_BASE, _METHOD)(optimizer, pairs, global_step=step, name=name)


def _of_base(
    original: Any,
    watcher: Watcher,
    optimizer: Any,
    pairs: Any,
    global_step: Any = None,
    name: Any = None,
) -> Any:
    del original
    return watcher.apply(optimizer, [*pairs], global_step, name)


def _of_sync_replicas(
    original: Any, watcher: Watcher, optimizer: Any, *args: Any, **kwargs: Any
) -> Any:
    del original, watcher
    return optimizer._opt.apply_gradients(*args, **kwargs)


def _of_own(
    original: Any, watcher: Watcher, optimizer: Any, pairs: Any, *args: Any, **kwargs: Any
) -> Any:
    def call(given: Pairs) -> Any:
        return original(optimizer, given, *args, **kwargs)

    return watcher.apply_own(optimizer, [*pairs], call)


def _methods() -> Iterator[tuple[type, str, Any]]:
    """All classes that have the method themselves, with what is called instead."""
    known = {_BASE: _of_base, tf1.train.SyncReplicasOptimizer: _of_sync_replicas}
    for optimizer in with_own(_BASE, _METHOD):
        yield optimizer, _METHOD, known.get(optimizer, _of_own)


_patches = Patches(_methods)
