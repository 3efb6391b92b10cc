"""Obstacles that keep a job from a rung.

for blocker in blockers.obstacles(job, scan):
    print(blocker.where, blocker.what, blocker.todo)
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from migrate.scan import scanner, symbols, training_calls

if TYPE_CHECKING:
    from migrate.scan import jobs as plan

_OWN_MODEL_FN = re.compile(r"(^|\.)(TPU)?Estimator$")
# Its model_fn does not return an EstimatorSpec, which the bridge needs.
_LEARN = "tf.contrib.learn.Estimator"
_NO_SPEC = "return an EstimatorSpec where the model_fn returns ModelFnOps"
_OF_CONTRIB_LEARN = "the bridge needs a class of tf.estimator: replace it by {} first"
_SUCCESSORS = {"KMeansClustering": "experimental.KMeans"}
# Verdicts of the names that a person ports, the most work first.
_LEFT_TO_KERAS = ("gone", "could not decide", "by hand", "bridge")
_WHEN_CALLED = "it fails when it is called: "


class Blocker(NamedTuple):
    """An obstacle that keeps a job from a rung.

    Attributes:
      rung: The rung that it does not reach.
      what: A name, or an error of a file.
      where: Place of the obstacle, as "file:line".
      todo: Instructions that remove the obstacle.
    """

    rung: int
    what: str
    where: str
    todo: str

    @property
    def is_late(self) -> bool:
        """True if the job starts, and fails later where it calls the name."""
        return self.todo.startswith(_WHEN_CALLED)


def find(
    files: Sequence[str],
    findings: Sequence[scanner.Finding],
    scan: scanner.Scan,
    trains_by: Sequence[str],
    model_functions: Sequence[str],
) -> list[Blocker]:
    """Returns the blockers of a job.

    Args:
      files: Its files, the file that is run first.
      findings: Findings in its files.
      scan: The scan.
      trains_by: Names that train, as `training_calls.find` returns them.
      model_functions: Names of its own model functions.
    """
    blockers = []
    for file in scan.unread:
        if os.path.normpath(file.path) in files:
            where = f"{file.path}:{file.error_line}" if file.error_line else file.path
            blockers.append(
                Blocker(0, str(file.error), where, "convert it to Python 3 first (2to3)")
            )
    first_findings: dict[str, scanner.Finding] = {}
    for finding in findings:
        first_findings.setdefault(symbols.public(finding.symbol.name), finding)
        symbol = finding.symbol
        key = f"blocks {symbol.name}"
        if symbol.runs is False and not finding.guarded and key not in first_findings:
            first_findings[key] = finding
            prefix = "" if finding.at_start else _WHEN_CALLED
            blockers.append(Blocker(0, symbol.name, _where(finding), prefix + symbol.todo))
    blockers += [
        Blocker(2, name, _where(first_findings[name]), todo)
        for name, todo in _not_bridged(trains_by)
    ]
    if set(trains_by) <= training_calls.SESSIONS:
        todo = "replace its loop by fit or a tf.function: see the recipe sessions_and_graphs"
        blockers.append(Blocker(2, "its own session", files[0], todo))
    elif set(trains_by) <= training_calls.RUNNERS | {training_calls.UNSEEN_ESTIMATOR}:
        todo = "scan it together with the files that create the Estimator"
        blockers.append(Blocker(2, "no Estimator in its files", files[0], todo))
    elif not model_functions and any(_OWN_MODEL_FN.search(name) for name in trains_by):
        todo = "scan it together with the file that defines the model_fn"
        blockers.append(Blocker(2, "no model_fn in its files", files[0], todo))
    return blockers


def shared(jobs: Sequence[plan.Job]) -> list[tuple[Blocker, int]]:
    """Returns the blockers of several jobs with their counts, the most frequent first.

    Args:
      jobs: Jobs of the plan. The first job of each blocker provides its `where`.
    """
    first: dict[tuple[int, str], Blocker] = {}
    counts: Counter[tuple[int, str]] = Counter()
    for job in jobs:
        for key in {(blocker.rung, blocker.what): blocker for blocker in job.blockers}.items():
            first.setdefault(*key)
            counts[key[0]] += 1
    repeated = [(first[key], count) for key, count in counts.items() if count > 1]
    return sorted(repeated, key=lambda pair: (-pair[1], pair[0]))


def obstacles(job: plan.Job, scan: scanner.Scan) -> list[Blocker]:
    """Returns the blockers of a job, followed by the names that no rule ports to Keras.

    Args:
      job: A job of the scan.
      scan: The scan.
    """
    files = set(job.files)
    # The first finding with the same instructions.
    finding_by_todo: dict[str, scanner.Finding] = {}
    for finding in scan.findings:
        if finding.symbol.verdict in _LEFT_TO_KERAS and os.path.normpath(finding.path) in files:
            finding_by_todo.setdefault(finding.symbol.todo, finding)
    todos = {blocker.todo for blocker in job.blockers}
    further = sorted(
        (_LEFT_TO_KERAS.index(finding.symbol.verdict), symbols.public(finding.symbol.name), todo)
        for todo, finding in finding_by_todo.items()
        if todo not in todos
    )
    return job.blockers + [
        Blocker(3, name, _where(finding_by_todo[todo]), todo) for _, name, todo in further
    ]


def _not_bridged(estimators: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yields Estimators whose model_fn the bridge does not accept, with instructions."""
    for name in estimators:
        if name == _LEARN:
            yield name, _NO_SPEC
        elif name.startswith("tf.contrib.learn.") and name not in training_calls.RUNNERS:
            last = name.rpartition(".")[2]
            successor = f"tf.estimator.{_SUCCESSORS.get(last, last)}"
            symbol = symbols.look_up(successor)
            is_available = symbol is not None and symbol.runs
            yield (
                name,
                _OF_CONTRIB_LEARN.format(
                    successor if is_available else "an Estimator with your own model_fn"
                ),
            )


def _where(finding: scanner.Finding) -> str:
    cell = f"cell {finding.cell}:" if finding.cell else ""
    return f"{finding.path}:{cell}{finding.line}"
