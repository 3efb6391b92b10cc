"""What a verification found: comparisons, levels, and the verdict over all of them."""

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
    """One number, or array, of both sides.

    Attributes:
      what: as the legacy side calls it, and where, such as "conv/kernel after step 3".
      port: as the port calls it.
      deviation: the largest absolute difference of any element.
      tolerance: the largest that passes.
      size: the largest absolute value on the legacy side.
    """

    what: str
    port: str
    deviation: float
    tolerance: float
    size: float

    @property
    def same(self) -> bool:
        """Whether it passes."""
        return self.deviation <= self.tolerance

    @property
    def used(self) -> float:
        """The deviation in parts of the tolerance."""
        if self.deviation == 0:
            return 0.0
        return self.deviation / self.tolerance if self.tolerance else math.inf

    def words(self) -> str:
        """In one sentence."""
        other = f" (in the port: {self.port})" if self.port and self.port != self.what else ""
        return (
            f"{self.what}{other}: off by {self.deviation:.3g}, the tolerance is "
            f"{self.tolerance:.3g}; the largest value is {self.size:.3g}."
        )


@dataclasses.dataclass
class Level:
    """One level of the verification.

    Attributes:
      number: 1 to 7.
      title: what is compared.
      verdict: SAME, DIFFERENT, UNKNOWN, NOT_REACHED or NOT_ASKED.
      compared: in words, how many of what.
      comparisons: every number compared.
      findings: why it is not the same, most telling first.
      notes: what to know beside: what was not compared, and why.
      why: of the tolerance.
      seconds: that it took.
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
        """The comparison that uses up most of its tolerance."""
        return max(self.comparisons, key=lambda c: c.used, default=None)

    @property
    def failed(self) -> list[Comparison]:
        """Those that do not pass, worst first."""
        return sorted((c for c in self.comparisons if not c.same), key=lambda c: -c.used)

    def conclude(self) -> Level:
        """Sets the verdict from comparisons and findings; UNKNOWN stays where it is set."""
        if self.verdict != UNKNOWN:
            bad = self.failed or self.findings
            self.verdict = DIFFERENT if bad else SAME
        return self

    def to_dict(self) -> dict[str, Any]:
        """For verify.json."""
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
    found = dataclasses.asdict(comparison)
    # JSON knows no infinity.
    found = {k: str(v) if isinstance(v, float) and math.isinf(v) else v for k, v in found.items()}
    return {**found, "same": comparison.same}


@dataclasses.dataclass
class Report:
    """The whole verification.

    Attributes:
      levels: all seven.
      pairs: legacy variable name -> the port's.
      asked: what was compared with what: references, files and their hashes, options.
      versions: of Python, TensorFlow, tf_keras and the toolkit.
      randomness: what was switched off or aligned, and how.
      notes: what the verdict does not cover.
      created: date and time, UTC.
      seconds: it took.
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
        """SAME where each level that was asked for is."""
        verdicts = [level.verdict for level in self.levels if level.verdict != NOT_ASKED]
        for verdict in (DIFFERENT, UNKNOWN):
            if verdict in verdicts:
                return verdict
        return SAME if verdicts and set(verdicts) == {SAME} else UNKNOWN

    @property
    def exit_code(self) -> int:
        """0 same, 1 different, 2 could not tell."""
        return EXIT_CODES[self.verdict]

    @property
    def summary(self) -> str:
        """The verdict in a sentence."""
        asked = [level for level in self.levels if level.verdict != NOT_ASKED]
        bad = next((level for level in asked if level.verdict != SAME), None)
        if bad is None:
            return f"The same: all {len(asked)} levels agree."
        words = "Different" if bad.verdict == DIFFERENT else "Could not tell"
        return f"{words}: level {bad.number}, {bad.title}."

    def to_dict(self) -> dict[str, Any]:
        """What verify.json has."""
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
    """Returns which modes were compared, for `Level.compared`."""
    return "both modes" if len(compared) > 1 else f"{next(iter(compared))} alone"


def some(names: Sequence[str], shown: int = 5) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
