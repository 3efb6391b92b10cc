"""Intercepts every `apply_gradients` of a model_fn's v1 optimizers.

    with watching.watch(watcher):
        spec = model_fn(features, labels, mode)

`minimize` ends in `apply_gradients`, and so do gradient clipping and contrib's `optimize_loss`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import tensorflow as tf

from migrate.patches import Patches, defining_classes

tf1 = tf.compat.v1

Pairs = Sequence[tuple[Any, Any]]
_BASE = tf1.train.Optimizer
_METHOD = "apply_gradients"


class Watcher(Protocol):
    """Interface of an object that acts in the place of optimizers."""

    def compute(self, loss: Any, call: Callable[[Any], Any]) -> Any:
        """Replaces `tf.compat.v1.train.Optimizer.compute_gradients`.

        `call` runs that method on a loss.
        """

    def apply(self, optimizer: Any, pairs: Pairs, step: Any, name: str | None) -> Any:
        """Replaces `tf.compat.v1.train.Optimizer.apply_gradients`."""

    def apply_own(self, optimizer: Any, pairs: Pairs, call: Callable[[Pairs], Any]) -> Any:
        """Replaces an `apply_gradients` that the optimizer's class defines itself.

        `call` runs that method. It may call the method of the base class, which is intercepted too.
        """


class AppliesNothing:
    """Watcher that applies no gradients, because outside of training no session fetched them."""

    def compute(self, loss: Any, call: Callable[[Any], Any]) -> Any:
        """Computes gradients unchanged."""
        return call(loss)

    def apply(self, optimizer: Any, pairs: Pairs, step: Any, name: str | None) -> tf.Operation:
        """Does nothing."""
        del optimizer, pairs, step, name
        return tf.no_op()

    def apply_own(self, optimizer: Any, pairs: Pairs, call: Callable[[Pairs], Any]) -> tf.Operation:
        """Does nothing."""
        del optimizer, pairs, call
        return tf.no_op()


def watch(watcher: Watcher) -> contextlib.AbstractContextManager[None]:
    """Makes the watcher replace every v1 optimizer of this thread within the block.

    SyncReplicasOptimizer only makes training synchronous. The watcher sees its inner optimizer,
    which applies the gradients.
    """
    return _patches.active(watcher)


def apply_as_written(optimizer: Any, pairs: Pairs, step: Any, name: str | None) -> Any:
    """Calls TensorFlow's own `apply_gradients`, for a watcher that keeps an optimizer unchanged."""
    return _patches.original(_BASE, _METHOD)(optimizer, pairs, global_step=step, name=name)


def _replace_apply(
    original: Any,
    watcher: Watcher,
    optimizer: Any,
    pairs: Any,
    global_step: Any = None,
    name: Any = None,
) -> Any:
    del original
    return watcher.apply(optimizer, [*pairs], global_step, name)


def _replace_compute(
    original: Any, watcher: Watcher, optimizer: Any, loss: Any, *args: Any, **kwargs: Any
) -> Any:
    return watcher.compute(
        loss, lambda watched_loss: original(optimizer, watched_loss, *args, **kwargs)
    )


def _forward_to_inner(
    original: Any, watcher: Watcher, optimizer: Any, *args: Any, **kwargs: Any
) -> Any:
    del original, watcher
    return optimizer._opt.apply_gradients(*args, **kwargs)


def _replace_own_apply(
    original: Any, watcher: Watcher, optimizer: Any, pairs: Any, *args: Any, **kwargs: Any
) -> Any:
    def call(gradient_pairs: Pairs) -> Any:
        return original(optimizer, gradient_pairs, *args, **kwargs)

    return watcher.apply_own(optimizer, [*pairs], call)


def _methods() -> Iterator[tuple[type, str, Any]]:
    """Yields all classes that define the method themselves, with the replacement."""
    replacements = {_BASE: _replace_apply, tf1.train.SyncReplicasOptimizer: _forward_to_inner}
    for optimizer in defining_classes(_BASE, _METHOD):
        yield optimizer, _METHOD, replacements.get(optimizer, _replace_own_apply)
    yield _BASE, "compute_gradients", _replace_compute


_patches = Patches(_methods)
