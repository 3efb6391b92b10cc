"""Compares the gradients of both sides from the same weights on the same batch.

compared, unusable = gradients.compare(case, batch)
"""

from __future__ import annotations

import numpy as np

from migrate.batches import Batch
from migrate.verify import results
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, randomness, tolerances


def compare(case: case_lib.Case, batch: Batch) -> tuple[list[results.Comparison], list[str]]:
    """Compares the gradient of the loss with respect to each trained variable.

    Args:
      case: Both sides, with fixed weights.
      batch: Batch of the loss.

    Returns:
      The comparisons, and the names of variables with non-finite gradients on the legacy side.
    """
    graph = case.graphs[legacy_model.TRAIN]
    floor = case.floor(graph.run_gradients, legacy_model.TRAIN, batch)
    case.load_port()
    with randomness.dropout_off():
        found = case.port.gradients(batch)
    compared, unusable = [], []
    for old, new in case.pairs.items():
        if old not in graph.trained and new not in case.port.trainable:
            continue
        base = floor.base.get(old)
        if base is not None and not np.isfinite(base).all():
            unusable.append(old)
            continue
        here = np.zeros(case.weights[old].shape) if base is None else base
        gradient = found.get(new)
        there = np.zeros(here.shape) if gradient is None else gradient
        tolerance = floor.tolerance(old) if base is not None else 0.0
        off = tolerances.deviation(here, there)
        compared.append(
            results.Comparison(f"gradient of {old}", new, off, tolerance, tolerances.size(here))
        )
    return compared, unusable


def describe(failed: list[results.Comparison], compared: list[results.Comparison]) -> list[str]:
    """Returns a sentence that names the differing gradients. An empty list if all agree."""
    if not failed:
        return []
    names = [c.what.removeprefix("gradient of ") for c in sorted(failed, key=lambda c: -c.used)]
    return [f"Gradients differ for {len(failed)} of {len(compared)}: {results.some(names)}."]
