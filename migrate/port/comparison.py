"""Compares the recording of a rewritten program with that of the unmodified one.

comparison.compare(before, after).verdict  # "same"

The tolerances are those of `same_run`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence, Set

from migrate import same_run
from migrate.port import first_values, pairing
from migrate.same_run import allowances
from migrate.same_run import comparison as same_run_comparison

TOLERANCES = {
    "losses": same_run_comparison.LOSSES,
    "gradient norms": same_run_comparison.GRADIENTS,
    "metrics": same_run_comparison.METRICS,
    "predictions": same_run_comparison.PREDICTIONS,
    "outputs of exports": same_run_comparison.EXPORTS,
    "variables of checkpoints": same_run_comparison.VARIABLES,
    "initial values": first_values.TOLERANCE,
}
_SENTENCES = {
    same_run_comparison.ROUNDING: "Rounding moves the program's own results",
    same_run_comparison.REPEATING: "The unmodified program does not repeat its own results",
}
# Each part of a run, by its name among the compared parts.
_PARTS = {
    "trainings": "losses",
    "gradient norms": "gradients",
    "evaluations": "metrics",
    "predictions": "predictions",
    "signatures of exports": "exports",
    "checkpoints": "checkpoints",
}


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Result of a comparison.

    Attributes:
      verdict: "same", "different", "could not tell" or "failed".
      lines: Differences, or the error.
      compared: Number of compared parts by kind.
      not_compared: Parts that were not compared, with the reason.
      absent: Parts that the unmodified program does not have.
      details: Extent of some comparisons.
      keras: The Keras that trained the rewritten form, with its version, or "".
    """

    verdict: str
    lines: tuple[str, ...] = ()
    compared: Mapping[str, int] = dataclasses.field(default_factory=dict)
    not_compared: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    keras: str = ""


def compare(
    before: same_run.Recording,
    after: same_run.Recording,
    rates: tuple[Set[float], Set[float]] = (frozenset(), frozenset()),
    variations: Sequence[same_run.Recording] = (),
    cause: str = same_run_comparison.ROUNDING,
) -> Comparison:
    """Compares two runs.

    Args:
      before: Recording of the unmodified program.
      after: Recording of a rewritten form.
      rates: Dropout rates of the unmodified program and of its rewritten form.
      variations: Recordings of the unmodified program from weights that differ by rounding, or of
        repetitions that differ.
      cause: Cause of the differences in `variations`, of `same_run.comparison`.
    """
    after = pairing.renamed(before, after)
    variations = [pairing.renamed(before, variation) for variation in variations]
    outcome = same_run.same_run(before, after, variations, cause)
    # A port that leaves no checkpoint does less, although its results may be the same.
    missing = [line for line in outcome.missing if line.endswith("after")]
    missing = [line for line in missing if line.replace("after", "before") not in outcome.missing]
    first = first_values.compare(before, after, variations)
    lines = [*first.lines(), *outcome.differences, *missing]
    if rates[0] != rates[1]:
        old_rates, new_rates = (", ".join(map(str, sorted(values))) or "none" for values in rates)
        lines.insert(0, f"rates of dropout: {old_rates} before, {new_rates} after")
    verdict = same_run_comparison.DIFFERENT if lines else outcome.verdict
    if verdict == same_run_comparison.COULD_NOT_TELL:
        lines = [*outcome.not_compared] or [
            "the run recorded no training, evaluation or prediction"
        ]
    details = (*outcome.details, *first.details())
    if variations:
        sizes = "; ".join(allowances.Allowances(before, variations).sentences()) or "nothing"
        details = (*details, f"{_SENTENCES[cause]}. Allowed for it: {sizes}")
    not_compared = [line for line in outcome.not_compared if line not in missing]
    not_compared += first.not_compared()
    compared = {**outcome.compared}
    if first.compared:
        compared["initial values"] = first.compared
    return Comparison(
        verdict,
        tuple(lines),
        compared,
        tuple(not_compared),
        tuple(name for part, name in _PARTS.items() if _is_absent(before, part)),
        details,
        ", ".join(dict.fromkeys(training.keras for training in after.trainings if training.keras)),
    )


def _is_absent(before: same_run.Recording, part: str) -> bool:
    """Returns whether the unmodified program has no results of this kind."""
    results = {
        "trainings": before.trainings,
        "gradient norms": before.trainings,
        "evaluations": before.evaluations,
        "predictions": before.predictions,
        "signatures of exports": before.exports,
        "checkpoints": before.checkpoints,
    }
    return not results[part]
