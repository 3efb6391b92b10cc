"""Level 3: compares the loss, including regularization, in evaluation and in training."""

from __future__ import annotations

import warnings

import numpy as np

from migrate.batches import Batch
from migrate.verify import results
from migrate.verify.measures import gradients
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, randomness, tolerances
from migrate.verify.sides import port as port_lib

TITLE = "loss with regularization"
_RATIO_RTOL = 1e-3  # Relative tolerance for a ratio of losses that equals the batch size.


def run(case: case_lib.Case) -> results.Level:
    """Compares the loss of each batch. If it differs, names the gradients that differ."""
    level = results.Level(3, TITLE, why=tolerances.WHY)
    items = case.batches.items
    modes = [mode for mode in case.graphs if mode != legacy_model.PREDICT]
    for mode in modes:
        for number, batch in enumerate(items, 1):
            if not _compare(level, case, mode, batch, number):
                return level.conclude()
    level.compared = f"{len(items)} batches, {results.modes(modes)}"
    if level.failed:
        _explain(level, case)
    return level.conclude()


def _compare(
    level: results.Level, case: case_lib.Case, mode: str, batch: Batch, number: int
) -> bool:
    """Compares the losses of a batch. Returns false if the level cannot be judged."""
    graph = case.graphs[mode]

    def loss(batch: Batch) -> dict[str, np.ndarray]:
        return {"loss": graph.run(graph.loss, batch)}

    floor = case.floor(loss, mode, batch)
    case.load_port()
    try:
        with randomness.dropout_off(), warnings.catch_warnings(record=True) as caught_warnings:
            warnings.simplefilter("always")
            port_loss, _ = case.port.loss(batch, mode == legacy_model.TRAIN)
    except Exception as error:  # The user's own compute_loss can raise any error.
        level.verdict = results.UNKNOWN
        level.findings.append(
            f"The port's compute_loss failed: {port_lib.describe_error(error)} Compile the model "
            "with a loss, or define compute_loss."
        )
        return False
    level.findings.extend(_from_logits_findings(case, caught_warnings, level.findings))
    base = float(floor.base["loss"])
    if not np.isfinite(base):
        level.verdict = results.UNKNOWN
        level.findings.append(f"The model_fn's loss of batch {number} in {mode} is {base}.")
        return False
    deviation = tolerances.deviation(floor.base["loss"], np.asarray(port_loss))
    level.comparisons.append(
        results.Comparison(
            f"loss of batch {number} in {mode}: {base:.6g}",
            f"{port_loss:.6g}",
            deviation,
            floor.tolerance("loss"),
            abs(base),
        )
    )
    return True


def _explain(level: results.Level, case: case_lib.Case) -> None:
    """Adds the signs of the difference: a factor, a regularizer, some variables."""
    batch = case.batches.items[0]
    graph = case.graphs[legacy_model.TRAIN]
    case.load_port()
    graph.assign(case.weights)
    with randomness.dropout_off():
        port_loss, port_regularization = case.port.loss(batch, training=True)
    legacy_loss, parts = graph.run((graph.loss, graph.regularization), batch)
    regularization = float(np.sum([float(np.sum(part)) for part in parts.values()]))
    data = (
        f"{legacy_loss - regularization:.6g} against {port_loss - port_regularization:.6g}"
        if regularization or port_regularization
        else ""
    )
    if abs(regularization - port_regularization) > 1e-5 * max(
        abs(regularization), abs(port_regularization)
    ):
        level.findings.append(
            f"Regularization is {regularization:.6g} in the model_fn's collection and "
            f"{port_regularization:.6g} in the port's model.losses; the rest of the loss is {data}."
        )
    level.findings.extend(
        _factor(legacy_loss - regularization, port_loss - port_regularization, batch)
    )
    comparisons, _ = gradients.compare(case, batch)
    level.findings.extend(gradients.describe([c for c in comparisons if not c.same], comparisons))


def _from_logits_findings(
    case: case_lib.Case, caught_warnings: list[warnings.WarningMessage], findings: list[str]
) -> list[str]:
    """Returns a finding if Keras warned that a loss with from_logits=True got no logits."""
    finding = (
        f"The port's output is {case.output or 'probabilities'}, and its loss has "
        "from_logits=True, so the function is applied twice. Keras undoes that where it sees where "
        "the output comes from, and warns."
    )
    has_warning = any("from_logits=True" in str(w.message) for w in caught_warnings)
    return [finding] if has_warning and finding not in findings else []


def _factor(old: float, new: float, batch: Batch) -> list[str]:
    """Returns a finding if one loss is the other times the batch size, as with SUM for MEAN."""
    for name, factor in (("SUM for MEAN", batch.size), ("MEAN for SUM", 1 / batch.size)):
        if batch.size > 1 and old and abs(new / old / factor - 1) < _RATIO_RTOL:
            return [f"The port's loss is {factor:.4g} times the model_fn's: {name} as reduction."]
    return []
