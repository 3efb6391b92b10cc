"""Compares the gradients of both sides from the same weights on the same batch.

comparisons, non_finite = gradients.compare(case, batch)
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
        port_gradients = case.port.gradients(batch)
    comparisons, non_finite = [], []
    for old, new in case.pairs.items():
        if old not in graph.trained_names and new not in case.port.trainable:
            continue
        base = floor.base.get(old)
        if base is not None and not np.isfinite(base).all():
            non_finite.append(old)
            continue
        legacy_gradient = np.zeros(case.weights[old].shape) if base is None else base
        gradient = port_gradients.get(new)
        port_gradient = np.zeros(legacy_gradient.shape) if gradient is None else gradient
        tolerance = floor.tolerance(old) if base is not None else 0.0
        deviation = tolerances.deviation(legacy_gradient, port_gradient)
        comparisons.append(
            results.Comparison(
                f"gradient of {old}", new, deviation, tolerance, tolerances.size(legacy_gradient)
            )
        )
    return comparisons, non_finite


def describe(
    failures: list[results.Comparison], comparisons: list[results.Comparison]
) -> list[str]:
    """Returns a sentence that names the differing gradients. An empty list if all agree."""
    if not failures:
        return []
    names = [c.what.removeprefix("gradient of ") for c in sorted(failures, key=lambda c: -c.used)]
    return [f"Gradients differ for {len(failures)} of {len(comparisons)}: {results.some(names)}."]
