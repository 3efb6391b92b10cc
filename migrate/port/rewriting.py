"""Rewrites a copy of a program, and determines the rung that each Estimator reached.

rewritten = rewriting.to_modern("step/source", {})
rewritten.rungs  # {Estimator("job.py", 30, "tf.estimator.Estimator"): "Keras"}

Files are written in place, because a copy belongs to one step of a port.
"""

from __future__ import annotations

import collections
import dataclasses
import os
import re
from collections.abc import Mapping, Sequence

from migrate.port import estimators
from migrate.port.estimators import Estimator
from migrate.rewrite import rules
from migrate.rewrite.engine import files
from migrate.rewrite.program import run

_NO_KERAS = re.compile(r"# There is no Keras model for it yet: (.*)\.$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Work:
    """Hand work that remains, at a place of the rewritten program.

    Attributes:
      path: File, relative to the folder of the copy.
      line: Line in the file.
      rule: Rule that names the work.
      reason: Reason why the rule does not do the work.
    """

    path: str
    line: int
    rule: str
    reason: str


@dataclasses.dataclass(frozen=True)
class RewriteResult:
    """Result of rewriting a folder.

    Attributes:
      changed: Number of files with a new text.
      rungs: Rung of each Estimator of the original text.
      reasons: Reasons that rules gave why an Estimator did not reach Keras.
      failures: Files that could not be rewritten, with the reason.
      notes: Changes that may alter results, with place and reason.
      together: Groups of Estimators that rise together.
      stays: Reasons why a program with the rules of Keras 3 stays on tf_keras.
    """

    changed: int
    rungs: Mapping[Estimator, str]
    reasons: Mapping[Estimator, str]
    failures: tuple[str, ...]
    notes: tuple[str, ...]
    together: tuple[tuple[Estimator, ...], ...]
    stays: tuple[Work, ...] = ()


def to_legacy(folder: str, api: str = "auto") -> RewriteResult:
    """Rewrites a folder to legacy.

    Args:
      folder: The folder.
      api: TensorFlow of the program: "auto", "v1" or "v2".
    """
    return _rewrite(folder, "legacy", api)


def to_modern(folder: str, highest: Mapping[Estimator, str]) -> RewriteResult:
    """Rewrites a folder to modern, including changes that may alter results.

    Args:
      folder: The folder, rewritten to legacy.
      highest: Highest rung of some Estimators. The others rise as far as they can.
    """
    # A mark is added at the end of a line, so the line numbers of the others stay valid.
    for estimator, rung in highest.items():
        estimators.mark(folder, estimator, rung)
    result = _rewrite(folder, "modern", "auto")
    estimators.unmark(folder)
    return result


def to_keras_3(folder: str) -> RewriteResult:
    """Rewrites a folder from tf_keras to Keras 3, including changes that may alter results.

    Args:
      folder: The folder, rewritten to modern.
    """
    return _rewrite(folder, "keras3", "auto")


def reasons(folder: str, rewrite_result: RewriteResult) -> list[tuple[Estimator, str]]:
    """Returns the reasons against a Keras model, also from the comments above bridged models.

    Args:
      folder: The rewritten folder.
      rewrite_result: Result of rewriting it.
    """
    found = dict(rewrite_result.reasons)
    for path in dict.fromkeys(estimator.path for estimator in rewrite_result.rungs):
        bridged = [
            estimator
            for estimator, rung in rewrite_result.rungs.items()
            if estimator.path == path and rung == estimators.BRIDGED
        ]
        with open(os.path.join(folder, path), encoding="utf-8", errors="replace") as file:
            comments = _NO_KERAS.findall(file.read())
        found.update(zip(bridged, comments, strict=False))
    return [*found.items()]


def hand_work(folder: str, keras: int = 2) -> list[Work]:
    """Returns the hand work that remains in a rewritten folder.

    Args:
      folder: The folder.
      keras: The Keras that the program shall reach: 2 is tf_keras.
    """
    work = []
    directions = ["modern", "keras3"] if keras == 3 else ["modern"]
    selected_rules = [rule for to in directions for rule in rules.all_rules(to)]
    for result in run.results([folder], selected_rules, unsafe=True):
        path = os.path.relpath(result.path, folder)
        work += [
            Work(path, suggestion.line, suggestion.rule, suggestion.reason)
            for suggestion in result.suggestions
        ]
        if result.error:
            work.append(Work(path, 1, "", f"it could not be rewritten: {result.error}"))
    return list(dict.fromkeys(work))


def _rewrite(folder: str, to: str, api: str) -> RewriteResult:
    originals = estimators.find(folder)
    results = [*run.results([folder], rules.all_rules(to), unsafe=to != "legacy", api=api)]
    failures, notes, stays, changed = [], [], [], 0
    rules_by_line: dict[tuple[str, int], set[str]] = {}
    reasons_by_line: dict[tuple[str, int], dict[str, None]] = {}
    for result in results:
        path = os.path.relpath(result.path, folder)
        if result.error:
            failures.append(f"{path}: {result.error}")
            continue
        for line, rule in result.made:
            rules_by_line.setdefault((path, line), set()).add(rule)
        for message in result.suggestions:
            reasons_by_line.setdefault((path, message.line), {})[message.reason] = None
            if message.needed:
                stays.append(Work(path, message.line, message.rule, message.reason))
        notes += [
            f"{path}:{change.line}: {change.rule}: {change.reason}" for change in result.unsafe
        ]
        if result.is_rewritten and result.file is not None:
            files.write(result.file, result.text)
            changed += 1
    rungs = {
        estimator: estimators.rung_of(rules_by_line.get(estimator[:2], set()))
        for estimator in originals
    }
    rules_by_file: dict[str, set[str]] = {}
    for (path, _), names in rules_by_line.items():
        rules_by_file.setdefault(path, set()).update(names)
    together = _group_estimators(rungs, estimators.find(folder), folder, rules_by_file)
    reasons = {
        estimator: "; ".join(reasons_by_line[estimator[:2]])
        for estimator, rung in rungs.items()
        if rung != estimators.KERAS and estimator[:2] in reasons_by_line
    }
    return RewriteResult(
        changed,
        rungs,
        reasons,
        tuple(failures),
        tuple(dict.fromkeys(notes)),
        together,
        tuple(dict.fromkeys(stays)),
    )


def _group_estimators(
    rungs: dict[Estimator, str],
    new_estimators: Sequence[Estimator],
    folder: str,
    rules_by_file: Mapping[str, set[str]],
) -> tuple[tuple[Estimator, ...], ...]:
    """Sets the rungs of Estimators that changed together with another Estimator.

    Estimators that may reach the same variable share one change, which is reported once.

    Args:
      rungs: Rungs according to the reported lines. The function corrects them in place.
      new_estimators: Estimators in the new text.
      folder: Folder with the new text.
      rules_by_file: Names of the rules that have changed each file.

    Returns:
      Groups of Estimators that rise together: each by itself, or all of a file.
    """
    groups: list[tuple[Estimator, ...]] = []
    for path in dict.fromkeys(estimator.path for estimator in rungs):
        members = [estimator for estimator in rungs if estimator.path == path]
        candidates = [estimator for estimator in members if rungs[estimator] == estimators.LEGACY]
        new_counts = collections.Counter(
            estimator.name for estimator in new_estimators if estimator.path == path
        )
        old_counts = collections.Counter(estimator.name for estimator in candidates)
        changed_estimators = [
            estimator
            for estimator in candidates
            if new_counts[estimator.name] < old_counts[estimator.name]
        ]
        group_rungs = {rungs[estimator] for estimator in members} - {estimators.LEGACY}
        if not changed_estimators:
            groups += [(estimator,) for estimator in members]
            continue
        group_rungs = group_rungs or {
            _rung_of_file(os.path.join(folder, path), rules_by_file.get(path, set()))
        }
        rungs.update(
            dict.fromkeys(changed_estimators, max(group_rungs, key=estimators.RUNGS.index))
        )
        groups.append(tuple(members))
    return tuple(groups)


def _rung_of_file(path: str, rules: set[str]) -> str:
    """Returns the rung of a file that no longer creates an Estimator.

    If no rule has lifted one, the Estimator was removed, and the run proves nothing about Keras.

    Args:
      path: The file with its new text.
      rules: Names of the rules that have changed it.
    """
    with open(path, encoding="utf-8", errors="replace") as file:
        is_bridged = "KerasModelFn(" in file.read()
    return estimators.BRIDGED if is_bridged else estimators.rung_of(rules)
