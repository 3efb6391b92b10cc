"""Rewrites a copy of a program, and tells which rung each Estimator reached.

rewritten = rewriting.to_modern("step/source", {})
rewritten.rungs  # {Estimator("job.py", 30, "tf.estimator.Estimator"): "Keras"}

Files are written in place, because a copy belongs to one step of a port.
"""

from __future__ import annotations

import collections
import dataclasses
import os
from collections.abc import Mapping, Sequence

from migrate.port import estimators
from migrate.port.estimators import Estimator
from migrate.rewrite import rules
from migrate.rewrite.engine import files
from migrate.rewrite.program import run


@dataclasses.dataclass(frozen=True)
class Work:
    """Hand work that remains, at a place of the rewritten program.

    Attributes:
      path: File, relative to the folder of the copy.
      line: Its line.
      rule: Rule that names it.
      reason: Reason why the rule does not do it.
    """

    path: str
    line: int
    rule: str
    reason: str


@dataclasses.dataclass(frozen=True)
class Rewritten:
    """Result of rewriting a folder.

    Attributes:
      changed: Number of files with a new text.
      rungs: Rung of each Estimator of the text before.
      reasons: Reasons why an Estimator did not reach Keras, where rules have named some.
      failures: Files that could not be rewritten, with the reason.
      notes: Changes that may alter results, with place and reason.
      together: Estimators by groups that rise together.
    """

    changed: int
    rungs: Mapping[Estimator, str]
    reasons: Mapping[Estimator, str]
    failures: tuple[str, ...]
    notes: tuple[str, ...]
    together: tuple[tuple[Estimator, ...], ...]


def nothing() -> Rewritten:
    """Returns the result of leaving a text as it is."""
    return Rewritten(0, {}, {}, (), (), ())


def to_legacy(folder: str, api: str = "auto") -> Rewritten:
    """Rewrites a folder to legacy.

    Args:
      folder: The folder.
      api: TensorFlow of the program: "auto", "v1" or "v2".
    """
    return _rewrite(folder, "legacy", api)


def to_modern(folder: str, highest: Mapping[Estimator, str]) -> Rewritten:
    """Rewrites a folder to modern, also with changes that may alter results.

    Args:
      folder: The folder, rewritten to legacy.
      highest: Highest rung of some Estimators. The others rise as far as they can.
    """
    # From the last one, so that the lines of the others stay.
    for estimator, rung in highest.items():
        estimators.mark(folder, estimator, rung)
    rewritten = _rewrite(folder, "modern", "auto")
    estimators.unmark(folder)
    return rewritten


def hand_work(folder: str) -> list[Work]:
    """Returns the hand work that remains in a rewritten folder."""
    found = []
    for result in run.results([folder], rules.all_rules("modern"), unsafe=True):
        path = os.path.relpath(result.path, folder)
        found += [Work(path, one.line, one.rule, one.reason) for one in result.suggestions]
        if result.error:
            found.append(Work(path, 1, "", f"it could not be rewritten: {result.error}"))
    return list(dict.fromkeys(found))


def _rewrite(folder: str, to: str, api: str) -> Rewritten:
    before = estimators.find(folder)
    results = [*run.results([folder], rules.all_rules(to), unsafe=to == "modern", api=api)]
    failures, notes, changed = [], [], 0
    made: dict[tuple[str, int], set[str]] = {}
    why: dict[tuple[str, int], dict[str, None]] = {}
    for result in results:
        path = os.path.relpath(result.path, folder)
        if result.error:
            failures.append(f"{path}: {result.error}")
            continue
        for line, rule in result.made:
            made.setdefault((path, line), set()).add(rule)
        for message in result.suggestions:
            why.setdefault((path, message.line), {})[message.reason] = None
        notes += [f"{path}:{one.line}: {one.rule}: {one.reason}" for one in result.unsafe]
        if result.is_rewritten and result.file is not None:
            files.write(result.file, result.text)
            changed += 1
    rungs = {one: estimators.rung_of(made.get(one[:2], set())) for one in before}
    together = _with_their_groups(rungs, estimators.find(folder), folder)
    reasons = {
        one: "; ".join(why[one[:2]])
        for one, rung in rungs.items()
        if rung != estimators.KERAS and one[:2] in why
    }
    return Rewritten(
        changed, rungs, reasons, tuple(failures), tuple(dict.fromkeys(notes)), together
    )


def _with_their_groups(
    rungs: dict[Estimator, str], left: Sequence[Estimator], folder: str
) -> tuple[tuple[Estimator, ...], ...]:
    """Sets the rungs of Estimators that changed together with another one.

    Estimators that may reach the same variable share one change, which is reported once.

    Args:
      rungs: Rungs by the reported lines. Gets the other rungs.
      left: Estimators in the new text.
      folder: Folder with the new text.

    Returns:
      The Estimators that rise together. All those of a file if any two of them do.
    """
    groups: list[tuple[Estimator, ...]] = []
    for path in dict.fromkeys(one.path for one in rungs):
        here = [one for one in rungs if one.path == path]
        unreported = [one for one in here if rungs[one] == estimators.LEGACY]
        remaining = collections.Counter(one.name for one in left if one.path == path)
        names = collections.Counter(one.name for one in unreported)
        hidden = [one for one in unreported if remaining[one.name] < names[one.name]]
        reported = {rungs[one] for one in here} - {estimators.LEGACY}
        if not hidden:
            groups += [(one,) for one in here]
            continue
        reported = reported or {_rung_of_text(os.path.join(folder, path))}
        rungs.update(dict.fromkeys(hidden, max(reported, key=estimators.RUNGS.index)))
        groups.append(tuple(here))
    return tuple(groups)


def _rung_of_text(path: str) -> str:
    """Returns the rung of a file whose Estimators are gone."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return estimators.BRIDGED if "KerasModelFn(" in file.read() else estimators.KERAS
