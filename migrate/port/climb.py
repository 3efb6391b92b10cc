"""Rewrites Estimators as far as runs prove it, and reverts each one whose run differs.

    ascent = climb.climb(runs, say=print)
    ascent.estimators[0].rung  # "Keras"

First all Estimators rise as far as they can. If that run differs, they rise one group after the
other, each to its best rung that passes. An Estimator that the command line does not run stays on
the rung legacy, unless it shares its change with an Estimator that runs.

A process has one Keras. So a program goes on to Keras 3 as a whole, from the proven port to
tf_keras, and stays there if that run differs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence

from migrate.port import estimators
from migrate.port.estimators import KERAS, KERAS_3, LEGACY, RUNGS, Estimator
from migrate.port.runs import SAME, STAYS, Attempt, Runs
from migrate.rewrite.analysis import estimator_classes

UNMODIFIED = "unmodified"  # The rung of a program that only runs under `legacy.run`.
_NOT_RUN = "the command line does not use it, so that a run proves nothing about it"
_UNKNOWN = "no rule rewrites the {} that is made here"


@dataclasses.dataclass(frozen=True)
class PortedEstimator:
    """An Estimator after the climb.

    Attributes:
      original: Its place in the unmodified program.
      rung: Its rung.
      results: Number of its results that a run can compare, by kind. Empty if the command line
        does not use it.
      reasons: Reasons why it is not on a higher rung, the highest rung first.
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
      top: The rung that the program shall reach.
    """

    estimators: tuple[PortedEstimator, ...]
    proof: Attempt | None
    source: str
    reasons: tuple[str, ...] = ()
    top: str = KERAS

    @property
    def is_complete(self) -> bool:
        """True if everything is proven at the top rung, and each recorded part was compared."""
        return (
            self.proof is not None
            and not self.proof.not_compared
            and not self.reasons
            and all(
                estimator.is_proven and estimator.rung == self.top for estimator in self.estimators
            )
        )


def climb(runs: Runs, say: Callable[[str], None], keras: int = 2) -> Ascent:
    """Lifts each Estimator to the highest rung that a run proves.

    Args:
      runs: The runs of the program.
      say: Prints a line of progress.
      keras: The Keras that the program shall reach: 2 is tf_keras.

    Raises:
      cli.UsageError: The unmodified program does not run.
    """
    ascent = _with_tf_keras(runs, say)
    return _with_keras_3(ascent, runs, say) if keras == 3 else ascent


def _with_tf_keras(runs: Runs, say: Callable[[str], None]) -> Ascent:
    runs.unmodified()
    originals = estimators.find(runs.source)
    legacy = runs.legacy()
    if legacy.verdict != SAME:
        reason = f"rewritten to legacy: {legacy.verdict}: {_first_line(legacy)}"
        if runs.repeat_difference:
            reason += (
                "; the unmodified program does not repeat its own results either: "
                f"{runs.repeat_difference}"
            )
        say(f"  reverted to the unmodified program: {reason}")
        all_originals = (*originals, *runs.hidden_estimators(originals))
        outcomes = tuple(
            PortedEstimator(estimator, UNMODIFIED, runs.results_of(estimator))
            for estimator in all_originals
        )
        return Ascent(outcomes, None, runs.source, (reason,))
    hidden = runs.hidden_estimators(originals)
    originals_by_new = pairs(originals, estimators.find(legacy.source), hidden)
    ascent = _Climber(runs, legacy, say, originals_by_new).ascent()
    others = (
        PortedEstimator(
            estimator, LEGACY, runs.results_of(estimator), (_problem_of(estimator.name),)
        )
        for estimator in hidden
        if estimator not in originals_by_new.values()
    )
    return dataclasses.replace(ascent, estimators=(*ascent.estimators, *others))


def _with_keras_3(ascent: Ascent, runs: Runs, say: Callable[[str], None]) -> Ascent:
    """Lifts a program from tf_keras to Keras 3, if all its Estimators are Keras models."""
    ascent = dataclasses.replace(ascent, top=KERAS_3)
    lower = [estimator for estimator in ascent.estimators if estimator.rung != KERAS]
    if ascent.proof is None or lower:
        places = [
            f"{estimator.original.path}:{estimator.original.line} is {estimator.rung}"
            for estimator in lower
        ]
        reason = (
            "not tried with Keras 3: a process has one Keras, so all Estimators of the program "
            f"must become Keras models first. {', '.join(places)}"
        )
        return _stay_on_tf_keras(ascent, reason, say)
    attempt = runs.keras_3(ascent.proof)
    if attempt.verdict != SAME:
        reason = f"with Keras 3: {attempt.verdict}: {_first_line(attempt)}"
        if attempt.verdict == STAYS and len(attempt.lines) > 1:
            reason += f"; and {len(attempt.lines) - 1} more"
        return _stay_on_tf_keras(ascent, reason, say)
    return dataclasses.replace(
        ascent,
        estimators=tuple(
            dataclasses.replace(estimator, rung=KERAS_3) for estimator in ascent.estimators
        ),
        proof=attempt,
        source=attempt.source,
    )


def _stay_on_tf_keras(ascent: Ascent, reason: str, say: Callable[[str], None]) -> Ascent:
    say(f"  reverted to tf_keras: {reason}")
    return dataclasses.replace(ascent, reasons=(*ascent.reasons, reason))


class _Climber:
    """The climb that starts from the legacy text.

    Args:
      runs: Runs of the program.
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
        self._results = {
            estimator: runs.results_of(original) for estimator, original in originals.items()
        }
        self._reasons: dict[Estimator, list[str]] = {estimator: [] for estimator in originals}

    def ascent(self) -> Ascent:
        """Lifts all Estimators together, and if that run differs, by groups."""
        highest = {estimator: LEGACY for estimator, results in self._results.items() if not results}
        for estimator in highest:
            self._reasons[estimator].append(_NOT_RUN)
        top = self._runs.modern(self._legacy, highest)
        if top.verdict == SAME:
            return self._ascent_of(top)
        groups = [
            group for group in top.together if any(self._results[estimator] for estimator in group)
        ]
        if not groups:
            return self._stay_legacy((f"rewritten to modern: {top.verdict}: {_first_line(top)}",))
        if len(groups) == 1:
            return self._descend(groups[0], top, highest)
        return self._lift_each(groups, top)

    def _descend(
        self, group: Sequence[Estimator], attempt: Attempt, highest: dict[Estimator, str]
    ) -> Ascent:
        """Tries the rungs below a failed rung for the only group."""
        rung = attempt.rungs[group[0]]
        while True:
            self._revert(group, rung, attempt)
            lower_rungs = [
                lower_rung for lower_rung in RUNGS if RUNGS.index(lower_rung) > RUNGS.index(rung)
            ]
            if not lower_rungs or lower_rungs[0] == LEGACY:
                return self._stay_legacy()
            attempt = self._runs.modern(
                self._legacy, {**highest, **dict.fromkeys(group, lower_rungs[0])}
            )
            if attempt.verdict == SAME:
                return self._ascent_of(attempt)
            rung = attempt.rungs[group[0]]
            if rung == LEGACY:
                return self._stay_legacy()

    def _lift_each(self, groups: Sequence[Sequence[Estimator]], top: Attempt) -> Ascent:
        """Lifts one group after the other, each to its best rung that passes."""
        self._say("  together they differ: each rises alone")
        highest = dict.fromkeys(self._originals, LEGACY)
        proof: Attempt | None = None
        for group in groups:
            best = top.rungs[group[0]]
            for rung in RUNGS[RUNGS.index(best) : -1]:
                attempt = self._runs.modern(self._legacy, {**highest, **dict.fromkeys(group, rung)})
                if attempt.verdict == SAME:
                    highest.update(dict.fromkeys(group, rung))
                    proof = attempt
                    break
                self._revert(group, rung, attempt)
        return self._ascent_of(proof) if proof is not None else self._stay_legacy()

    def _revert(self, group: Sequence[Estimator], rung: str, attempt: Attempt) -> None:
        """Records and prints the reason why a group leaves a rung."""
        reason = f"as {rung}: {attempt.verdict}: {_first_line(attempt)}"
        for estimator in group:
            self._reasons[estimator].append(reason)
        originals = [self._originals[estimator] for estimator in group]
        places = ", ".join(f"{estimator.path}:{estimator.line}" for estimator in originals)
        self._say(f"  reverted {places}: {reason}")

    def _ascent_of(self, proof: Attempt) -> Ascent:
        """Returns the result that an attempt proves."""
        outcomes = []
        for estimator, original in self._originals.items():
            rung = proof.rungs.get(estimator, LEGACY)
            reasons = list(self._reasons[estimator])
            reason = proof.reasons.get(estimator, "")
            if rung != KERAS and not reasons and reason:
                reasons.append(reason)
            outcomes.append(
                PortedEstimator(original, rung, self._results[estimator], tuple(reasons))
            )
        return Ascent(tuple(outcomes), proof, proof.source)

    def _stay_legacy(self, reasons: tuple[str, ...] = ()) -> Ascent:
        """Returns the result that leaves the whole program on the rung legacy."""
        self._say("  the program stays rewritten to legacy")
        outcomes = tuple(
            PortedEstimator(
                original, LEGACY, self._results[estimator], tuple(self._reasons[estimator])
            )
            for estimator, original in self._originals.items()
        )
        return Ascent(outcomes, self._legacy, self._legacy.source, reasons)


def _problem_of(name: str) -> str:
    """Returns the reason why no rule rewrites an Estimator of a class."""
    if estimator_classes.is_of_learn(name):
        return estimator_classes.problem_of_learn(name)
    return _UNKNOWN.format(name)


def _first_line(attempt: Attempt) -> str:
    return attempt.lines[0] if attempt.lines else "nothing was compared"


def pairs(
    originals: Sequence[Estimator],
    rewritten: Sequence[Estimator],
    hidden: Sequence[Estimator] = (),
) -> dict[Estimator, Estimator]:
    """Returns the Estimator of the unmodified text for each of the legacy text.

    Files keep the order of their Estimators. Where one text shows more of them than the other,
    those of the same class are paired, from the top.

    Args:
      originals: Estimators that the unmodified text shows.
      rewritten: Estimators that the legacy text shows.
      hidden: Estimators that the unmodified program created in other places. For example, its text
        may name the class by a private module, which the legacy text no longer does.
    """
    originals_by_new: dict[Estimator, Estimator] = {}
    for path in dict.fromkeys(estimator.path for estimator in rewritten):
        old = [estimator for estimator in originals if estimator.path == path]
        new = [estimator for estimator in rewritten if estimator.path == path]
        if len(old) == len(new):
            originals_by_new.update(zip(new, old, strict=True))
            continue
        candidates = [estimator for estimator in (*old, *hidden) if estimator.path == path]
        candidates.sort(key=lambda estimator: estimator.line)
        for estimator in new:
            match = next(
                (other for other in candidates if _kind(other) == _kind(estimator)), estimator
            )
            originals_by_new[estimator] = match
            candidates = [other for other in candidates if other != match]
    return originals_by_new


def _kind(estimator: Estimator) -> str:
    """Returns the name of an Estimator's class, without its module and version."""
    return estimator.name.rpartition(".")[2].removesuffix("V2").removesuffix("_v2")
