"""Level 6: compares evaluation metrics over the data set."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from migrate.batches import Batches
from migrate.verify import results
from migrate.verify.sides import case as case_lib
from migrate.verify.sides import legacy_model, randomness, tolerances

TITLE = "evaluation metrics"
_WHY = (
    f"{tolerances.WHY} For a metric also the rounding of a sum over the batches. A metric that "
    "counts, such as accuracy, may change by an example where two scores are equal but for "
    "rounding: that shows in the nudged runs."
)
# Names of the same metric: v1's usual name, and Keras' default names.
_SYNONYMS = (
    {"accuracy", "acc", "sparse_categorical_accuracy", "categorical_accuracy", "binary_accuracy"},
    {"rmse", "root_mean_squared_error"},
    {"mse", "mean_squared_error"},
    {"mae", "mean_absolute_error"},
    {"auc"},
    {"precision"},
    {"recall"},
)


def run(
    case: case_lib.Case, items: Batches, metric_names: Mapping[str, str] | None = None
) -> results.Level:
    """Evaluates both sides on the same batches from the same weights.

    Args:
      case: Both sides, with fixed weights.
      items: Batches to evaluate on.
      metric_names: Maps a legacy metric to the port's, if their names do not match.

    Returns:
      The level.
    """
    level = results.Level(6, TITLE, why=_WHY)
    if legacy_model.EVAL not in case.graphs:
        level.compared = "nothing: the model_fn has no evaluation"
        return level.conclude()
    graph = case.graphs[legacy_model.EVAL]
    floor = tolerances.Floor(_legacy(case, items, None))
    for nudge in range(tolerances.RUNS):
        floor.see(_legacy(case, items, nudge))
    case.load_port()
    with randomness.dropout_off():
        port_values = case.port.evaluate(items.items)
    examples = sum(batch.size for batch in items.items)
    part = "" if items.ended else ", the first of more"
    level.compared = f"{examples} examples{part}"
    old, new = (
        sorted(graph.metrics),
        sorted(n for n in port_values if not _is_loss(n, graph.metrics)),
    )
    pairs, old, new = pair(old, new, metric_names or {})
    for name, port_name in pairs.items():
        base = floor.base[name]
        deviation = tolerances.deviation(base, np.asarray(port_values[port_name]))
        # The rounding error of a sum grows with the square root of the number of its terms.
        rounding = np.finfo(np.float32).eps * np.sqrt(examples) * tolerances.size(base)
        level.comparisons.append(
            results.Comparison(
                f"{name}: {float(np.mean(base)):.6g}",
                f"{port_name}: {port_values[port_name]:.6g}",
                deviation,
                floor.tolerance(name) + float(rounding),
                tolerances.size(base),
            )
        )
        if not np.isfinite(base).all():
            level.verdict = results.UNKNOWN
            level.findings.append(f"The model_fn's {name} is not finite.")
    _mention(level, old, new)
    level.findings.extend(comparison.words() for comparison in level.failed)
    _compare_losses(level, floor, port_values)
    return level.conclude()


def _is_loss(name: str, old: Mapping[str, object]) -> bool:
    """Returns true for one of the losses that Keras reports next to the metrics."""
    return name not in old and (name == "loss" or name.endswith("_loss"))


def pair(
    old: Sequence[str], new: Sequence[str], settled_pairs: Mapping[str, str]
) -> tuple[dict[str, str], list[str], list[str]]:
    """Pairs metrics by name.

    The rules are tried in this order: settled pairs, equal names, names of the same words,
    synonyms, and names with an output's name in front.

    Args:
      old: Names on the legacy side.
      new: Names on the side of the port.
      settled_pairs: Settled pairs.

    Returns:
      The pairs, and the unpaired names of each side.
    """
    pairs = {
        name: port_name
        for name, port_name in settled_pairs.items()
        if name in old and port_name in new
    }
    pairs |= {name: name for name in old if name in new and name not in pairs}
    for name in old:
        matches = [n for n in new if n not in pairs.values() and _words(n) == _words(name)]
        if name not in pairs and len(matches) == 1:
            pairs[name] = matches[0]
    for words in _SYNONYMS:
        left = [n for n in old if n not in pairs and _plain(n) in words]
        right = [n for n in new if n not in pairs.values() and _plain(n) in words]
        if len(left) == len(right) == 1:
            pairs[left[0]] = right[0]
    # With several outputs, Keras puts the output's name in front of the metric's.
    unpaired = [n for n in new if n not in pairs.values()]
    candidates_by_name = {
        name: [n for n in unpaired if n.endswith(f"_{name}")] for name in old if name not in pairs
    }
    for name, candidates in candidates_by_name.items():
        if (
            len(candidates) == 1
            and sum(candidates[0] in group for group in candidates_by_name.values()) == 1
        ):
            pairs[name] = candidates[0]
    rest = [name for name in old if name not in pairs]
    return pairs, rest, [name for name in new if name not in pairs.values()]


def _words(name: str) -> list[str]:
    """Returns the sorted words of a name. Keras puts a head's name first, and v1 puts it last."""
    return sorted(re.split(r"[/_]", name.lower()))


def _plain(name: str) -> str:
    """Returns a metric's name without a head's prefix and Keras' number suffix."""
    return name.rpartition("/")[2].rstrip("0123456789").rstrip("_").lower()


def _legacy(case: case_lib.Case, items: Batches, nudge: int | None) -> dict[str, np.ndarray]:
    """Returns the values of the eval_metric_ops after all batches, and the loss of each batch."""
    graph = case.graphs[legacy_model.EVAL]
    graph.reset_local()
    graph.assign(case.weights if nudge is None else case.neighbours[nudge])
    updates = [update for _, update in graph.metrics.values()]
    with graph.nudged(nudge):
        losses = [graph.run((graph.loss, updates), batch)[0] for batch in items.items]
    values = graph.session.run({name: value for name, (value, _) in graph.metrics.items()})
    return {**values, "loss of each batch": np.asarray(losses)}


def _mention(level: results.Level, old: list[str], new: list[str]) -> None:
    if old and new:
        level.verdict = results.UNKNOWN
        level.findings.append(
            f"Which metric is which? The model_fn also has {results.some(old)}, the port "
            f"{results.some(new)}: pair them with --metric=LEGACY=PORT, or give them the same name."
        )
    elif old:
        level.notes.append(f"The port has no metric called {results.some(old)}: not compared.")
    elif new:
        level.notes.append(f"The model_fn has no metric called {results.some(new)}.")


def _compare_losses(
    level: results.Level, floor: tolerances.Floor[str], port_values: Mapping[str, float]
) -> None:
    """Notes that both sides average the reported loss differently."""
    mean = float(np.mean(floor.base["loss of each batch"]))
    if "loss" in port_values:
        level.notes.append(
            f"An Estimator reports the loss as the mean over the batches ({mean:.6g}), and Keras "
            f"as the mean over the examples ({port_values['loss']:.6g}). Level 3 compares the "
            "losses of batches."
        )
