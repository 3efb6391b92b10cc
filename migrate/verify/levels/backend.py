"""Level 8: compares the port with itself under another backend of Keras 3, in another process.

The levels before have compared the port with the model_fn, with the backend TensorFlow.
"""

from __future__ import annotations

import numpy as np

from migrate.batches import Batches
from migrate.verify import results
from migrate.verify.backends import recording, running
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import randomness, slots, tolerances

NUMBER, TITLE = 8, "another backend"
_WHY = (
    f"{tolerances.MARGIN} times the noise floor: the port with the backend TensorFlow runs "
    f"{tolerances.RUNS} times with all its weights changed by one unit in the last place."
)


def run(
    case: case_lib.Case, evaluation: Batches, asked: running.Asked, steps: int
) -> results.Level:
    """Compares outputs, losses, gradients, training steps and metrics of the two backends.

    Args:
      case: Both sides. The port is built anew, with a fresh optimizer.
      evaluation: Batches for the metrics.
      asked: The port and the other backend.
      steps: Number of training steps.

    Returns:
      The level.
    """
    level = results.Level(NUMBER, TITLE, why=_WHY)
    port, batches = case.port, case.batches.items
    port.build(batches[0])
    slots.create(port)
    initial_state = [(variable, variable.numpy()) for variable in slots.variables(port.model)]

    def record(weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        for variable, value in initial_state:
            variable.assign(value)
        inputs = recording.Inputs(_named(case, weights), batches, evaluation.items, steps)
        with randomness.dropout_off():
            return recording.record(port, inputs)

    floor = tolerances.Floor(record(case.weights))
    for weights in case.neighbours:
        floor.see(record(weights))
    try:
        inputs = recording.Inputs(
            _named(case, case.weights),
            [port.data(batch) for batch in batches],
            [port.data(batch) for batch in evaluation.items],
            steps,
        )
        found = running.values(asked, inputs)
    except running.Failed as failed:
        level.verdict = results.UNKNOWN
        level.findings.append(f"The port fails with the backend {asked.backend}: {failed}")
        return level
    _compare(level, floor, found)
    level.compared = f"{len(level.comparisons)} values with {asked.backend}"
    # Outputs come first, then what follows from them.
    different = [comparison for comparison in level.comparisons if not comparison.same]
    level.findings.extend(comparison.words() for comparison in different[:3])
    return level.conclude()


def _named(case: case_lib.Case, weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Returns weights by the names of the port."""
    return {new: weights[old] for old, new in case.pairs.items()}


def _compare(
    level: results.Level, floor: tolerances.Floor[str], found: dict[str, np.ndarray]
) -> None:
    for name, base in floor.base.items():
        if base.dtype.kind != "f":
            continue
        if name not in found:
            # A weight that the loss does not depend on has a gradient of zeros, or none.
            if np.any(base):
                level.findings.append(f"{name}: the other backend has no such value.")
            continue
        level.comparisons.append(
            results.Comparison(
                name,
                "",
                tolerances.deviation(base, found[name])
                if base.shape == found[name].shape
                else np.inf,
                floor.tolerance(name),
                tolerances.size(base),
            )
        )
