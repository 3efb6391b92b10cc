"""Compares the recording of a rewritten program with that of the unmodified one.

comparing.compare(before, after).verdict  # "same"

The tolerances are those of `same_run`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Set

from migrate import same_run
from migrate.port import pairing
from migrate.same_run import allowances, comparison

TOLERANCES = {
    "losses": comparison.LOSSES,
    "gradient norms": comparison.GRADIENTS,
    "metrics": comparison.METRICS,
    "predictions": comparison.PREDICTIONS,
    "outputs of exports": comparison.EXPORTS,
    "variables of checkpoints": comparison.VARIABLES,
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
    """

    verdict: str
    lines: tuple[str, ...] = ()
    compared: Mapping[str, int] = dataclasses.field(default_factory=dict)
    not_compared: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


def compare(
    before: same_run.Recording,
    after: same_run.Recording,
    rates: tuple[Set[float], Set[float]] = (frozenset(), frozenset()),
    nudged: same_run.Recording | None = None,
) -> Comparison:
    """Compares two runs.

    Args:
      before: Recording of the unmodified program.
      after: Recording of a rewritten form.
      rates: Rates of dropout in both.
      nudged: Recording of the unmodified program from weights that differ by rounding.
    """
    after = pairing.renamed(after, pairing.pairs(before, after))
    outcome = same_run.same_run(before, after, nudged)
    # A port that leaves no checkpoint does less, although its results may be the same.
    lost = [line for line in outcome.missing if line.endswith("after")]
    lost = [line for line in lost if line.replace("after", "before") not in outcome.missing]
    lines = [*outcome.differences, *lost]
    if rates[0] != rates[1]:
        one, other = (", ".join(map(str, sorted(each))) or "none" for each in rates)
        lines.insert(0, f"rates of dropout: {one} before, {other} after")
    verdict = comparison.DIFFERENT if lines else outcome.verdict
    if verdict == comparison.COULD_NOT_TELL:
        lines = [*outcome.not_compared] or [
            "the run recorded no training, evaluation or prediction"
        ]
    details = outcome.details
    if nudged is not None:
        sizes = "; ".join(allowances.Allowances(before, nudged).sentences())
        details = (*details, f"Rounding moves the program's own results. Allowed for it: {sizes}")
    not_compared = tuple(line for line in outcome.not_compared if line not in lost)
    return Comparison(
        verdict,
        tuple(lines),
        outcome.compared,
        not_compared,
        tuple(name for part, name in _PARTS.items() if _is_absent(before, part)),
        details,
    )


def _is_absent(before: same_run.Recording, part: str) -> bool:
    """Says whether the unmodified program has no results of this kind."""
    recorded = {
        "trainings": before.trainings,
        "gradient norms": before.trainings,
        "evaluations": before.evaluations,
        "predictions": before.predictions,
        "signatures of exports": before.exports,
        "checkpoints": before.checkpoints,
    }
    return not recorded[part]
