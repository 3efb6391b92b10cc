"""Level 7: trains from scratch with several seeds, and tests if the results are equivalent."""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import tensorflow as tf
import tf_keras

from migrate.batches import Batch, Batches
from migrate.verify import defaults, results
from migrate.verify.levels import metrics
from migrate.verify.sides import legacy_model
from migrate.verify.sides import port as port_lib

tf1 = tf.compat.v1
NUMBER, TITLE = 7, "training from scratch"
LOSS = "loss"


@dataclasses.dataclass(frozen=True)
class Trials:
    """Settings of level 7.

    Attributes:
      seeds: Number of trainings of each side.
      steps: Steps of each training.
      loss_margin: Largest difference in evaluation loss that counts as equivalent, as a fraction of
        the model_fn's drop in loss.
      metric_margin: Largest difference in a metric that counts as equivalent, in the metric's unit.
    """

    seeds: int
    steps: int
    loss_margin: float = defaults.LOSS_MARGIN
    metric_margin: float = defaults.METRIC_MARGIN


def run(
    program: legacy_model.Program,
    port: port_lib.Port,
    training_batches: Batches,
    evaluation_batches: Batches,
    trials: Trials,
    metric_names: Mapping[str, str] | None = None,
) -> results.Level:
    """Trains both sides from their own initial weights, with dropout, and tests equivalence.

    Args:
      program: Legacy side.
      port: Modern side.
      training_batches: Batches to train on, in another order for each seed.
      evaluation_batches: Batches to evaluate on.
      trials: Number and length of the trainings, and the margins.
      metric_names: Maps a legacy metric to the port's.

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
        start, end = _legacy(program, training_batches, evaluation_batches, trials.steps, seed)
        starts.append(start[LOSS])
        old.append(end)
    new = [
        _port(port, training_batches, evaluation_batches, trials.steps, seed)
        for seed in range(1, trials.seeds + 1)
    ]
    pairs, _, _ = metrics.pair(
        sorted(set(old[0]) - {LOSS}), sorted(set(new[0]) - {LOSS}), metric_names or {}
    )
    drop = float(np.mean(starts) - np.mean([end[LOSS] for end in old]))
    if not drop > 0:
        level.verdict = results.UNKNOWN
        level.findings.append(
            f"The model_fn's evaluation loss does not fall in {trials.steps} steps: train longer."
        )
        return level
    for name, port_name in {LOSS: LOSS, **pairs}.items():
        margin = trials.loss_margin * drop if name == LOSS else trials.metric_margin
        _test(level, name, [end[name] for end in old], [end[port_name] for end in new], margin)
    return level.conclude()


def _test(
    level: results.Level, name: str, old: Sequence[float], new: Sequence[float], margin: float
) -> None:
    from migrate import equivalence  # Imports scipy, which other levels do not need.

    check = equivalence.tost(name, "port", "model_fn", new, old, margin)
    statistic = float("inf") if check.statistic is None else check.statistic
    size = float(np.max(np.abs(old)))
    level.comparisons.append(results.Comparison(f"final {name}", name, statistic, margin, size))
    level.notes.append(f"{name}: {check.detail}")
    if check.outcome == equivalence.DIFFERENT:
        level.findings.append(f"The port's final {name} differs by more than the margin.")
    elif check.outcome == equivalence.INCONCLUSIVE:
        level.verdict = results.UNKNOWN
        level.findings.append(f"The runs scatter too much to tell for {name}: give more seeds.")


def _order(training_batches: Batches, steps: int, seed: int) -> list[Batch]:
    """Returns the batches of a training: all of them, repeatedly, each time in random order."""
    random = np.random.default_rng(seed)
    batches: list[Batch] = []
    while len(batches) < steps:
        batches += [
            training_batches.items[i] for i in random.permutation(len(training_batches.items))
        ]
    return batches[:steps]


def _legacy(
    program: legacy_model.Program,
    training_batches: Batches,
    evaluation_batches: Batches,
    steps: int,
    seed: int,
) -> tuple[dict[str, float], dict[str, float]]:
    """Trains the model_fn. Returns loss and metrics at the start and at the end."""
    tf_keras.utils.set_random_seed(seed)  # Some initializers ignore the graph's seed.
    with (
        tempfile.TemporaryDirectory() as folder,
        program.graph(legacy_model.TRAIN, training_batches.specs, seed, dropout=True) as training,
        program.graph(legacy_model.EVAL, training_batches.specs) as evaluation,
    ):
        evaluation.initialize()
        training.initialize(with_init_fn=True)

        def evaluate() -> dict[str, float]:
            # Evaluates a checkpoint, as Estimator does. The program's own saver may restore
            # averaged weights.
            prefix = training.save(os.path.join(folder, "model"))
            evaluation.restore(prefix)
            return _evaluate(evaluation, evaluation_batches)

        start = evaluate()
        for batch in _order(training_batches, steps, seed):
            training.run(training.train_op, batch)
        return start, evaluate()


def _evaluate(graph: legacy_model.Graph, items: Batches) -> dict[str, float]:
    graph.reset_local()
    updates = [update for _, update in graph.metrics.values()]
    losses = [graph.run((graph.loss, updates), batch)[0] for batch in items.items]
    values: dict[str, Any] = {name: value for name, (value, _) in graph.metrics.items()}
    values = graph.session.run(values)
    # Keras weights the losses by batch size.
    mean = np.average(losses, weights=[batch.size for batch in items.items])
    return {name: float(np.mean(value)) for name, value in {**values, LOSS: mean}.items()}


def _port(
    port: port_lib.Port,
    training_batches: Batches,
    evaluation_batches: Batches,
    steps: int,
    seed: int,
) -> dict[str, float]:
    tf_keras.utils.set_random_seed(seed)
    port.build(training_batches.items[0])
    for batch in _order(training_batches, steps, seed):
        port.step(batch)
    return port.evaluate(evaluation_batches.items)
