"""Results of a verification: comparisons, levels and the overall verdict."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Sequence
from typing import Any

SAME, DIFFERENT, UNKNOWN = "same", "different", "could not tell"
NOT_REACHED, NOT_ASKED = "not reached", "not asked for"
EXIT_CODES = {SAME: 0, DIFFERENT: 1, UNKNOWN: 2}


@dataclasses.dataclass(frozen=True)
class Comparison:
    """Comparison of one number, or array, of both sides.

    Attributes:
      what: Name on the legacy side, with the place, such as "conv/kernel after step 3".
      port: Name on the side of the port.
      deviation: Largest absolute difference of any element.
      tolerance: Largest deviation that passes.
      size: Largest absolute value on the legacy side.
    """

    what: str
    port: str
    deviation: float
    tolerance: float
    size: float

    @property
    def same(self) -> bool:
        """True if the deviation is within the tolerance."""
        return self.deviation <= self.tolerance

    @property
    def used(self) -> float:
        """The deviation as a fraction of the tolerance."""
        if self.deviation == 0:
            return 0.0
        return self.deviation / self.tolerance if self.tolerance else math.inf

    def words(self) -> str:
        """Returns the comparison as a sentence."""
        port_name = f" (in the port: {self.port})" if self.port and self.port != self.what else ""
        return (
            f"{self.what}{port_name}: off by {self.deviation:.3g}, the tolerance is "
            f"{self.tolerance:.3g}; the largest value is {self.size:.3g}."
        )


@dataclasses.dataclass
class Level:
    """Level of a verification, with its verdict.

    Attributes:
      number: 1 to 8.
      title: Name of the compared aspect.
      verdict: SAME, DIFFERENT, UNKNOWN, NOT_REACHED or NOT_ASKED.
      compared: Number and kind of the compared items, in words.
      comparisons: All compared numbers.
      findings: Reasons for a verdict other than SAME, the most informative first.
      notes: Further remarks, such as values that were not compared, with the reason.
      why: Reason for the tolerance.
      seconds: Duration.
    """

    number: int
    title: str
    verdict: str = NOT_REACHED
    compared: str = ""
    comparisons: list[Comparison] = dataclasses.field(default_factory=list)
    findings: list[str] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)
    why: str = ""
    seconds: float = 0.0

    @property
    def worst(self) -> Comparison | None:
        """The comparison that uses the largest fraction of its tolerance."""
        return max(self.comparisons, key=lambda c: c.used, default=None)

    @property
    def failed(self) -> list[Comparison]:
        """The comparisons that do not pass, worst first."""
        return sorted((c for c in self.comparisons if not c.same), key=lambda c: -c.used)

    def conclude(self) -> Level:
        """Sets the verdict from comparisons and findings, unless it is UNKNOWN."""
        if self.verdict != UNKNOWN:
            problems = self.failed or self.findings
            self.verdict = DIFFERENT if problems else SAME
        return self

    def to_dict(self) -> dict[str, Any]:
        """Returns the level in the form of verify.json."""
        worst = self.worst
        return {
            "number": self.number,
            "title": self.title,
            "verdict": self.verdict,
            "compared": self.compared,
            "worst": None if worst is None else _comparison(worst),
            "findings": self.findings,
            "notes": self.notes,
            "tolerance": self.why,
            "seconds": round(self.seconds, 2),
            "comparisons": [_comparison(c) for c in self.comparisons],
        }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    fields = dataclasses.asdict(comparison)
    # JSON has no infinity.
    fields = {k: str(v) if isinstance(v, float) and math.isinf(v) else v for k, v in fields.items()}
    return {**fields, "same": comparison.same}


@dataclasses.dataclass
class Report:
    """Report of a whole verification.

    Attributes:
      levels: Levels 1 to 7, and level 8 if it was asked for.
      pairs: Maps legacy variable names to the port's.
      asked: Compared objects: references, files with their hashes, options.
      versions: Versions of Python, TensorFlow, tf_keras and the toolkit.
      randomness: Sources of randomness that were switched off or aligned, and the method.
      notes: Limits of the verdict.
      created: Date and time, UTC.
      seconds: Duration.
    """

    levels: list[Level]
    pairs: dict[str, str]
    asked: dict[str, Any]
    versions: dict[str, str]
    randomness: list[str]
    notes: list[str]
    created: str
    seconds: float

    @property
    def verdict(self) -> str:
        """SAME if all requested levels are SAME, else DIFFERENT if any level is, else UNKNOWN."""
        verdicts = [level.verdict for level in self.levels if level.verdict != NOT_ASKED]
        for verdict in (DIFFERENT, UNKNOWN):
            if verdict in verdicts:
                return verdict
        return SAME if verdicts and set(verdicts) == {SAME} else UNKNOWN

    @property
    def exit_code(self) -> int:
        """0 for same, 1 for different, 2 for could not tell."""
        return EXIT_CODES[self.verdict]

    @property
    def summary(self) -> str:
        """The verdict as a sentence."""
        levels = [level for level in self.levels if level.verdict != NOT_ASKED]
        first_failure = next((level for level in levels if level.verdict != SAME), None)
        if first_failure is None:
            return f"The same: all {len(levels)} levels agree."
        words = "Different" if first_failure.verdict == DIFFERENT else "Could not tell"
        return f"{words}: level {first_failure.number}, {first_failure.title}."

    def to_dict(self) -> dict[str, Any]:
        """Returns the contents of verify.json."""
        return {
            "verdict": self.verdict,
            "exit_code": self.exit_code,
            "summary": self.summary,
            "levels": [level.to_dict() for level in self.levels],
            "pairs": self.pairs,
            "asked": self.asked,
            "versions": self.versions,
            "randomness": self.randomness,
            "notes": self.notes,
            "created": self.created,
            "seconds": round(self.seconds, 2),
        }


def modes(compared: Collection[str]) -> str:
    """Returns the compared modes in words, for `Level.compared`."""
    return "both modes" if len(compared) > 1 else f"{next(iter(compared))} alone"


def some(names: Sequence[str], limit: int = 5) -> str:
    """Returns the first of some names, and the number of the others."""
    suffix = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + suffix
