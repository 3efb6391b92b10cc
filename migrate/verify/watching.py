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
import functools
from collections.abc import Iterator
from typing import Any

import tensorflow as tf
import tf_keras


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


def _with_subclasses(base: type) -> set[type]:
    found = {base}
    for sub in base.__subclasses__():
        found |= _with_subclasses(sub)
    return found


@contextlib.contextmanager
def applied_gradients() -> Iterator[Applied]:
    """Yields what collects the calls that are made in the block."""
    applied = Applied()
    bases = [tf.compat.v1.train.Optimizer, tf_keras.optimizers.legacy.Optimizer]
    bases.append(tf_keras.optimizers.Optimizer)
    classes = [
        cls for base in bases for cls in _with_subclasses(base) if "apply_gradients" in vars(cls)
    ]
    originals = {cls: vars(cls)["apply_gradients"] for cls in classes}
    for cls, original in originals.items():
        cls.apply_gradients = _watched(original, applied)
    try:
        yield applied
    finally:
        for cls, original in originals.items():
            cls.apply_gradients = original


def _watched(original: Any, applied: Applied) -> Any:
    @functools.wraps(original)
    def apply_gradients(self: Any, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
        grads_and_vars = list(grads_and_vars)
        if applied._inside:  # an optimizer that wraps or extends another
            return original(self, grads_and_vars, *args, **kwargs)
        applied._inside = True
        try:
            given = [tuple(pair) for pair in grads_and_vars if pair[0] is not None]
            applied.pairs.extend(given)
            applied.by.extend([self] * len(given))
            applied.optimizers.append(self)
            return original(self, grads_and_vars, *args, **kwargs)
        finally:
            applied._inside = False

    return apply_gradients
