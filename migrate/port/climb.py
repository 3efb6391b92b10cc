"""Climbs as far as runs prove it: reverts each Estimator whose rewriting does not pass.

    ascent = climb.climb(runs, say=print)
    ascent.estimators[0].rung  # "Keras"

First all Estimators rise as far as they can. If that run differs, they rise one group after the
other, each to its best rung that passes. An Estimator that the command line does not run stays,
unless it shares its change with one that runs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from migrate.port import estimators
from migrate.port.estimators import KERAS, LEGACY, RUNGS, Estimator
from migrate.port.runs import FAILED, SAME, Attempt, Runs

UNMODIFIED = "unmodified"  # The rung of a program that only runs under `legacy.run`.
_NOT_RUN = "the command line does not use it, so that a run proves nothing about it"
_UNKNOWN = "no rule rewrites the {} that is made here"


@dataclasses.dataclass(frozen=True)
class Climbed:
    """An Estimator after the climb.

    Attributes:
      original: Its place in the unmodified program.
      rung: Its rung.
      results: Number of its results that a run can compare, by kind. Empty if the command line
        does not use it.
      reasons: Reasons why it is not higher, from the highest rung on.
    """

    original: Estimator
    rung: str
    results: Mapping[str, int]
    reasons: tuple[str, ...] = ()

    @property
    def is_proven(self) -> bool:
        """True if a run has shown the same results on its rung."""
        return bool(self.results) and self.rung != UNMODIFIED


@dataclasses.dataclass(frozen=True)
class Ascent:
    """The result of a climb.

    Attributes:
      estimators: The Estimators, in order.
      proof: The run that proves the result. None if only the unmodified program runs.
      source: Folder of the resulting text.
      reasons: Reasons that hold for the whole program.
    """

    estimators: tuple[Climbed, ...]
    proof: Attempt | None
    source: str
    reasons: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """True if everything is proven at the top rung, and each recorded part was compared."""
        return (
            self.proof is not None
            and not self.proof.not_compared
            and not self.reasons
            and all(one.is_proven and one.rung == KERAS for one in self.estimators)
        )


def climb(runs: Runs, say: Callable[[str], None]) -> Ascent:
    """Climbs.

    Args:
      runs: The runs of the program.
      say: Prints a line of progress.

    Raises:
      cli.UsageError: The unmodified program does not run.
    """
    runs.unmodified()
    originals = estimators.find(runs.source)
    legacy = runs.legacy()
    if legacy.verdict != SAME:
        reason = f"rewritten to legacy: {legacy.verdict}: {_first(legacy)}"
        if legacy.verdict != FAILED and (again := _not_repeated(runs)):
            reason = again
        say(f"  reverted to the unmodified program: {reason}")
        made = (*originals, *runs.unknown(originals))
        found = tuple(Climbed(one, UNMODIFIED, runs.results_of(one)) for one in made)
        return Ascent(found, None, runs.source, (reason,))
    pairs = _pairs(originals, estimators.find(legacy.source))
    ascent = _Rising(runs, legacy, say, pairs).ascent()
    others = (
        Climbed(one, LEGACY, runs.results_of(one), (_UNKNOWN.format(one.name),))
        for one in runs.unknown(originals)
    )
    return dataclasses.replace(ascent, estimators=(*ascent.estimators, *others))


class _Rising:
    """The climb from the legacy text on.

    Args:
      runs: The runs.
      legacy: The run of the legacy text.
      say: Prints a line of progress.
      originals: Estimator of the unmodified text for each of the legacy text.
    """

    def __init__(
        self,
        runs: Runs,
        legacy: Attempt,
        say: Callable[[str], None],
        originals: dict[Estimator, Estimator],
    ) -> None:
        self._runs, self._legacy, self._say = runs, legacy, say
        self._originals = originals
        self._results = {one: runs.results_of(original) for one, original in originals.items()}
        self._reasons: dict[Estimator, list[str]] = {one: [] for one in originals}

    def ascent(self) -> Ascent:
        """Climbs."""
        kept = {one: LEGACY for one, results in self._results.items() if not results}
        for one in kept:
            self._reasons[one].append(_NOT_RUN)
        top = self._runs.modern(self._legacy, kept)
        if top.verdict == SAME:
            return self._reached(top)
        groups = [g for g in top.together if any(self._results[one] for one in g)]
        if not groups:
            return self._lower((f"rewritten to modern: {top.verdict}: {_first(top)}",))
        if len(groups) == 1:
            return self._alone(groups[0], top, kept)
        return self._one_by_one(groups, top)

    def _alone(
        self, group: Sequence[Estimator], failed: Attempt, kept: dict[Estimator, str]
    ) -> Ascent:
        """Tries the rungs below a failed one for the only group."""
        rung = failed.rungs[group[0]]
        while True:
            self._revert(group, rung, failed)
            below = [one for one in RUNGS if RUNGS.index(one) > RUNGS.index(rung)]
            if not below or below[0] == LEGACY:
                return self._lower()
            failed = self._runs.modern(self._legacy, {**kept, **dict.fromkeys(group, below[0])})
            if failed.verdict == SAME:
                return self._reached(failed)
            rung = failed.rungs[group[0]]
            if rung == LEGACY:
                return self._lower()

    def _one_by_one(self, groups: Sequence[Sequence[Estimator]], top: Attempt) -> Ascent:
        """Lifts one group after the other, each to its best rung that passes."""
        self._say("  together they differ: each rises alone")
        highest = dict.fromkeys(self._originals, LEGACY)
        reached: Attempt | None = None
        for group in groups:
            best = top.rungs[group[0]]
            for rung in RUNGS[RUNGS.index(best) : -1]:
                tried = self._runs.modern(self._legacy, {**highest, **dict.fromkeys(group, rung)})
                if tried.verdict == SAME:
                    highest.update(dict.fromkeys(group, rung))
                    reached = tried
                    break
                self._revert(group, rung, tried)
        return self._reached(reached) if reached is not None else self._lower()

    def _revert(self, group: Sequence[Estimator], rung: str, failed: Attempt) -> None:
        """Notes why a group does not stay on a rung."""
        reason = f"as {rung}: {failed.verdict}: {_first(failed)}"
        for one in group:
            self._reasons[one].append(reason)
        originals = [self._originals[one] for one in group]
        places = ", ".join(f"{one.path}:{one.line}" for one in originals)
        self._say(f"  reverted {places}: {reason}")

    def _reached(self, proof: Attempt) -> Ascent:
        found = []
        for one, original in self._originals.items():
            rung = proof.rungs.get(one, LEGACY)
            reasons = list(self._reasons[one])
            why = proof.reasons.get(one, "")
            if rung != KERAS and not reasons and why:
                reasons.append(why)
            found.append(Climbed(original, rung, self._results[one], tuple(reasons)))
        return Ascent(tuple(found), proof, proof.source)

    def _lower(self, reasons: tuple[str, ...] = ()) -> Ascent:
        """Returns the result that leaves the whole program on the rung legacy."""
        self._say("  the program stays rewritten to legacy")
        found = tuple(
            Climbed(original, LEGACY, self._results[one], tuple(self._reasons[one]))
            for one, original in self._originals.items()
        )
        return Ascent(found, self._legacy, self._legacy.source, reasons)


def _not_repeated(runs: Runs) -> str:
    """Returns the reason why results cannot be compared, or "" if the program repeats them."""
    again = runs.repeats()
    if again.verdict == SAME:
        return ""
    return f"the unmodified program does not repeat its own results: {_first(again)}"


def _first(attempt: Attempt) -> str:
    return attempt.lines[0] if attempt.lines else "nothing was compared"


def _pairs(
    originals: Sequence[Estimator], rewritten: Sequence[Estimator]
) -> dict[Estimator, Estimator]:
    """Returns the Estimator of the unmodified text for each of the legacy text.

    Files keep the order of their Estimators.
    """
    pairs: dict[Estimator, Estimator] = {}
    for path in dict.fromkeys(one.path for one in rewritten):
        old = [one for one in originals if one.path == path]
        new = [one for one in rewritten if one.path == path]
        old = old if len(old) == len(new) else new
        pairs.update(zip(new, old, strict=True))
    return pairs
