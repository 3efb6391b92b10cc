"""Level 4: compares the gradient of the loss with respect to each variable."""

from __future__ import annotations

from migrate.verify import results
from migrate.verify.measures import gradients
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import tolerances

TITLE = "gradients"
_BATCHES = 2


def run(case: case_lib.Case) -> results.Level:
    """Compares the gradients of the first batches."""
    level = results.Level(4, TITLE, why=tolerances.WHY)
    items = case.batches.items[:_BATCHES]
    for batch in items:
        comparisons, non_finite = gradients.compare(case, batch)
        level.comparisons += comparisons
        if non_finite:
            level.verdict = results.UNKNOWN
            level.findings.append(f"Not finite in the model_fn: {results.some(non_finite)}.")
            break
    level.compared = f"{len(level.comparisons)} gradients"
    level.findings.extend(gradients.describe(level.failed, level.comparisons))
    level.findings.extend(comparison.words() for comparison in level.failed[:1])
    return level.conclude()
