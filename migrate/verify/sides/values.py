"""Fixed weights that reveal mistakes, and the same weights changed by a rounding error.

    weights = values.interesting(initial, trainable, seed=1)
    neighbours = [values.nudged(weights, seed) for seed in range(4)]

Initial values hide mistakes, because biases are 0, and gammas and moving variances are 1. The fixed
weights avoid 0 and 1, and no two variables have the same values.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from migrate import batches

_TYPICAL = 0.05  # Spread for matrices that a program initializes with zeros.


def interesting(
    initial: Mapping[str, np.ndarray], trainable: Collection[str], seed: int = 1
) -> dict[str, np.ndarray]:
    """Returns random values of the magnitude that the program's own initializers give.

    Args:
      initial: Initialized values by name. Matrices keep their spread.
      trainable: Names of the trained variables. Other variables get new values only if they are
        floating and their names contain "mean" or "variance", as in batch-norm.
      seed: Seed. The same seed gives the same values to the same name.

    Returns:
      Values by name, of the same shapes and dtypes.
    """
    return {
        name: _value(name, value, seed) if _is_randomized(name, value, trainable) else value
        for name, value in initial.items()
    }


def scaled(
    weights: Mapping[str, np.ndarray], trainable: Collection[str], factor: float
) -> dict[str, np.ndarray]:
    """Multiplies weights by a factor, and moving averages of variances by its square.

    Args:
      weights: Values by name.
      trainable: Names of the trained variables. Variables that `interesting` keeps stay unchanged.
      factor: Factor, such as 16.

    Returns:
      Values by name, of the same shapes and dtypes.
    """

    def factor_of(name: str) -> float:
        return factor**2 if "variance" in name.rpartition("/")[2] else factor

    return {
        name: (value * factor_of(name)).astype(value.dtype)
        if _is_randomized(name, value, trainable)
        else value
        for name, value in weights.items()
    }


def _is_randomized(name: str, value: np.ndarray, trainable: Collection[str]) -> bool:
    leaf = name.rpartition("/")[2]
    is_moving = "mean" in leaf or "variance" in leaf
    return value.dtype.kind == "f" and (name in trainable or is_moving)


def _value(name: str, initial: np.ndarray, seed: int) -> np.ndarray:
    random = np.random.default_rng([seed, zlib.crc32(name.encode())])
    if initial.ndim < 2 and "variance" in name.rpartition("/")[2]:
        result = initial * random.uniform(0.5, 1.5, initial.shape)
    elif initial.ndim < 2:
        result = initial + random.uniform(-0.4, 0.4, initial.shape)
    else:
        result = random.normal(0.0, float(initial.std()) or _TYPICAL, initial.shape)
    return result.astype(initial.dtype)


def nudged(structure: Any, seed: int) -> Any:
    """Moves each floating number to one of its two neighbours, at random.

    Args:
      structure: Arrays, numbers and None, such as weights by name or the features of a batch.
      seed: Seed of the directions.

    Returns:
      The same structure.
    """
    random = np.random.default_rng(seed)

    def nudge(value: Any) -> Any:
        if isinstance(value, batches.Sparse):
            return dataclasses.replace(value, values=nudge(value.values))
        if getattr(getattr(value, "dtype", None), "kind", "") != "f":
            return value
        direction = np.where(random.random(np.shape(value)) < 0.5, -np.inf, np.inf)
        return np.nextafter(value, direction.astype(value.dtype))

    if isinstance(structure, dict):  # Keys may be tensors, which tf.nest cannot sort.
        return {key: tf.nest.map_structure(nudge, value) for key, value in structure.items()}
    return tf.nest.map_structure(nudge, structure)
