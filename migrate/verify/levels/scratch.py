"""Level 7: training from scratch over several seeds, and whether the ends are equivalent."""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf
import tf_keras

from migrate.verify import results
from migrate.verify.levels import metrics
from migrate.verify.sides import legacy_model
from migrate.verify.sides import port as port_lib
from migrate.verify.sides.batches import Batch, Batches

tf1 = tf.compat.v1
NUMBER, TITLE = 7, "training from scratch"
LOSS = "loss"


@dataclasses.dataclass(frozen=True)
class Trials:
    """What level 7 is asked to do.

    Attributes:
      seeds: how many trainings of each side.
      steps: of each training.
      loss_margin: the largest difference in evaluation loss that counts as equivalent, as a part
        of the model_fn's drop in loss.
      metric_margin: the same for a metric, in its unit.
    """

    seeds: int
    steps: int
    loss_margin: float = 0.05
    metric_margin: float = 0.03


def run(
    program: legacy_model.Program,
    port: port_lib.Port,
    drawn: Batches,
    evaluated: Batches,
    trials: Trials,
    given: Mapping[str, str] | None = None,
) -> results.Level:
    """Trains both sides from their own initial weights, dropout on, and tests equivalence.

    Args:
      program: the legacy side.
      port: the modern side.
      drawn: batches to train on, in another order for each seed.
      evaluated: batches to evaluate on.
      trials: how often, how long, and what is tolerated.
      given: legacy metric -> the port's.

    Returns:
      The level.
    """
    level = results.Level(NUMBER, TITLE)
    level.compared = f"{trials.seeds} trainings each, of {trials.steps} steps"
    level.why = (
        "Two one-sided tests (TOST, alpha 0.05): the 90 % interval of the difference of means "
        f"must lie within the margin, set before: {trials.loss_margin:g} of the model_fn's "
        f"drop in evaluation loss, {trials.metric_margin:g} for a metric."
    )
    old, starts = [], []
    for seed in range(1, trials.seeds + 1):
        start, end = _legacy(program, drawn, evaluated, trials.steps, seed)
        starts.append(start[LOSS])
        old.append(end)
    new = [_port(port, drawn, evaluated, trials.steps, seed) for seed in range(1, trials.seeds + 1)]
    pairs, _, _ = metrics.pair(
        sorted(set(old[0]) - {LOSS}), sorted(set(new[0]) - {LOSS}), given or {}
    )
    drop = float(np.mean(starts) - np.mean([end[LOSS] for end in old]))
    if not drop > 0:
        level.verdict = results.UNKNOWN
        level.findings.append(
            f"The model_fn's evaluation loss does not fall in {trials.steps} steps: train longer."
        )
        return level
    for name, other in {LOSS: LOSS, **pairs}.items():
        margin = trials.loss_margin * drop if name == LOSS else trials.metric_margin
        _test(level, name, [end[name] for end in old], [end[other] for end in new], margin)
    return level.conclude()


def _test(
    level: results.Level, name: str, old: Sequence[float], new: Sequence[float], margin: float
) -> None:
    from migrate import equivalence  # imports scipy, which other levels do not need

    check = equivalence.tost(name, "port", "model_fn", new, old, margin)
    statistic = float("inf") if check.statistic is None else check.statistic
    size = float(np.max(np.abs(old)))
    level.comparisons.append(results.Comparison(f"final {name}", name, statistic, margin, size))
    level.notes.append(f"{name}: {check.detail}")
    if check.outcome == equivalence.DIFFERENT:
        level.findings.append(f"The port's final {name} is another by more than the margin.")
    elif check.outcome == equivalence.INCONCLUSIVE:
        level.verdict = results.UNKNOWN
        level.findings.append(f"The runs scatter too much to tell for {name}: give more seeds.")


def _order(drawn: Batches, steps: int, seed: int) -> list[Batch]:
    """The batches of a training: all of them in a random order, again and again."""
    random = np.random.default_rng(seed)
    found: list[Batch] = []
    while len(found) < steps:
        found += [drawn.items[i] for i in random.permutation(len(drawn.items))]
    return found[:steps]


def _legacy(
    program: legacy_model.Program, drawn: Batches, evaluated: Batches, steps: int, seed: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Trains the model_fn; returns loss and metrics at the start and at the end."""
    tf_keras.utils.set_random_seed(seed)  # what initializers draw from that take no graph's seed
    with (
        tempfile.TemporaryDirectory() as folder,
        program.graph(legacy_model.TRAIN, drawn.specs, seed, dropout=True) as training,
        program.graph(legacy_model.EVAL, drawn.specs) as evaluation,
    ):
        evaluation.initialize()
        training.initialize(with_init_fn=True)

        def evaluate() -> dict[str, float]:
            # Through a checkpoint, as Estimator: a saver of one's own evaluates averaged weights.
            prefix = training.save(os.path.join(folder, "model"))
            evaluation.restore(prefix)
            return _evaluated(evaluation, evaluated)

        start = evaluate()
        for batch in _order(drawn, steps, seed):
            training.run(training.train_op, batch)
        return start, evaluate()


def _evaluated(graph: legacy_model.Graph, items: Batches) -> dict[str, float]:
    graph.reset_local()
    updates = [update for _, update in graph.metrics.values()]
    losses = [graph.run((graph.loss, updates), batch)[0] for batch in items.items]
    found: dict[str, Any] = {name: value for name, (value, _) in graph.metrics.items()}
    found = graph.session.run(found)
    # Weighted as Keras does it.
    mean = np.average(losses, weights=[batch.size for batch in items.items])
    return {name: float(np.mean(value)) for name, value in {**found, LOSS: mean}.items()}


def _port(
    port: port_lib.Port, drawn: Batches, evaluated: Batches, steps: int, seed: int
) -> dict[str, float]:
    tf_keras.utils.set_random_seed(seed)
    port.build(drawn.items[0])
    for batch in _order(drawn, steps, seed):
        port.step(batch)
    return port.evaluate(evaluated.items)
