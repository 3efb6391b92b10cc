"""Watches which gradients a model_fn hands to its optimizers, while it builds the training graph.

    with watching.applied_gradients() as applied:
        spec = model_fn(features, labels, "train")
    [(variable.name, gradient) for gradient, variable in applied.pairs]

`minimize` ends in `apply_gradients`, and so does every optimizer of one's own: every class that
defines it is watched while the block runs.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from migrate.patches import Patches, with_own


@dataclasses.dataclass
class Applied:
    """What was handed over.

    Attributes:
      pairs: (gradient, variable) as given, those without a gradient left out.
      optimizers: in the order of their calls; an optimizer of each pair is in `by`.
      by: the optimizer that each of the pairs was given to.
    """

    pairs: list[tuple[Any, Any]] = dataclasses.field(default_factory=list)
    optimizers: list[Any] = dataclasses.field(default_factory=list)
    by: list[Any] = dataclasses.field(default_factory=list)
    _inside: bool = False


@contextlib.contextmanager
def applied_gradients() -> Iterator[Applied]:
    """Yields what collects the calls that are made in the block."""
    applied = Applied()
    with _patches.active(applied):
        yield applied


def _collected(
    original: Any, applied: Applied, optimizer: Any, grads_and_vars: Any, *args: Any, **kwargs: Any
) -> Any:
    grads_and_vars = list(grads_and_vars)
    if applied._inside:  # an optimizer that wraps or extends another
        return original(optimizer, grads_and_vars, *args, **kwargs)
    applied._inside = True
    try:
        given = [tuple(pair) for pair in grads_and_vars if pair[0] is not None]
        applied.pairs.extend(given)
        applied.by.extend([optimizer] * len(given))
        applied.optimizers.append(optimizer)
        return original(optimizer, grads_and_vars, *args, **kwargs)
    finally:
        applied._inside = False


def _methods() -> Iterator[tuple[type, str, Any]]:
    bases = (
        tf.compat.v1.train.Optimizer,
        tf_keras.optimizers.legacy.Optimizer,
        tf_keras.optimizers.Optimizer,
    )
    for base in bases:
        for optimizer in with_own(base, "apply_gradients"):
            yield optimizer, "apply_gradients", _collected


_patches = Patches(_methods)
