"""Records the gradients that a model_fn passes to its optimizers in the training graph.

    with watching.applied_gradients() as applied:
        spec = model_fn(features, labels, "train")
    [(variable.name, gradient) for gradient, variable in applied.pairs]

`minimize` ends in `apply_gradients`, and so do the program's own optimizers. Therefore every class
that defines this method is watched within the block.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from migrate.patches import Patches, defining_classes


@dataclasses.dataclass
class AppliedGradients:
    """Gradients that were passed to optimizers.

    Attributes:
      pairs: Pairs of (gradient, variable), without those whose gradient is None.
      optimizers: Optimizers in the order of their calls.
      pair_optimizers: Optimizer of each pair.
    """

    pairs: list[tuple[Any, Any]] = dataclasses.field(default_factory=list)
    optimizers: list[Any] = dataclasses.field(default_factory=list)
    pair_optimizers: list[Any] = dataclasses.field(default_factory=list)
    _inside: bool = False


@contextlib.contextmanager
def applied_gradients() -> Iterator[AppliedGradients]:
    """Yields the record of the calls that are made within the block."""
    applied = AppliedGradients()
    with _patches.active(applied):
        yield applied


def _collect(
    original: Any,
    applied: AppliedGradients,
    optimizer: Any,
    grads_and_vars: Any,
    *args: Any,
    **kwargs: Any,
) -> Any:
    grads_and_vars = list(grads_and_vars)
    if applied._inside:  # Called by an optimizer that wraps or extends another.
        return original(optimizer, grads_and_vars, *args, **kwargs)
    applied._inside = True
    try:
        pairs = [tuple(pair) for pair in grads_and_vars if pair[0] is not None]
        applied.pairs.extend(pairs)
        applied.pair_optimizers.extend([optimizer] * len(pairs))
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
        for optimizer in defining_classes(base, "apply_gradients"):
            yield optimizer, "apply_gradients", _collect


_patches = Patches(_methods)
