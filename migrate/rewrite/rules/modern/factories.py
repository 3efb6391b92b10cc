"""Writes out calls of functions that make the specs, the config or the Estimator of a training.

It changes only what another rule needs to replace an Estimator by a Keras model.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import cluster_configs
from migrate.rewrite.factories import drafts, factory
from migrate.rewrite.rules.modern import (
    canned_estimators,
    canned_models,
    estimators,
    keras_estimators,
    model_fns,
    train_and_evaluate,
)

_ESTIMATORS = tuple(
    module.RULE
    for module in (
        canned_estimators,
        canned_models,
        estimators,
        keras_estimators,
        model_fns,
        train_and_evaluate,
    )
)
_TOGETHER = "it changes together with the Estimator that gets the result"
_HELPERS = ("", "as_estimator", "porting")  # The best are last.
_NO_RANK = (0, False)


def _find(file: SourceFile) -> Iterator[Change]:
    problems: tuple[tuple[ast.Call, str], ...] = ()
    replaced_now: dict[int, Change] | None = None
    for classes in (factory.PARTS, factory.PARTS | factory.ESTIMATORS):
        step = drafts.next_step(file, classes)
        problems = problems or step.problems
        if not step.edits:
            continue
        replaced_now = _replaced_calls(file) if replaced_now is None else replaced_now
        changes = [*_enabled(file, replaced_now, classes)]
        if changes:
            yield from changes
            return
    if problems and _has_estimators(file):
        for call, reason in problems:
            yield file.suggestion(call, reason)


def _has_estimators(file: SourceFile) -> bool:
    """Says whether a file still has an Estimator, which may need the calls to be written out."""
    is_used = any(match.name == "tf.estimator.train_and_evaluate" for match in file.names())
    return is_used or cluster_configs.has_estimators(file)


def _replaced_calls(file: SourceFile) -> dict[int, Change]:
    """Returns the changes that replace Estimators in a file, by their lines."""
    pairs = fixed_point.changes(file, _ESTIMATORS)
    return {
        change.line: change for _, change in pairs if change.edits and change.replaced is not None
    }


def _enabled(
    file: SourceFile, replaced_now: dict[int, Change], classes: Collection[str]
) -> Iterator[Change]:
    """Yields the changes that make it possible to replace Estimators, or to replace them better.

    Args:
      file: The file.
      replaced_now: Changes of Estimators that are possible in the file as it is, by their lines.
      classes: Names of the classes whose objects the functions make.
    """
    draft = drafts.expanded(file, classes)
    replaced = {draft.origin(line): change for line, change in _replaced_calls(draft.file).items()}
    # An Estimator of a function that is removed moves to the calls of the function.
    moved = {line: change for line, change in replaced_now.items() if line not in draft.origins}
    if any(
        line not in moved and (line not in replaced or _rank(replaced[line]) < _rank(change))
        for line, change in replaced_now.items()
    ):
        return
    enabled = {
        line: change
        for line, change in replaced.items()
        if line not in replaced_now or _rank(change) > _rank(replaced_now[line])
    }
    lowest = min(map(_rank, enabled.values()), default=_NO_RANK)
    if any(lowest <= _rank(change) for change in moved.values()):
        return
    edits = [edit for change in enabled.values() for edit in change.edits]
    step = drafts.next_step(file, classes, draft.functions(file, edits))
    for line, change in {**enabled, **moved}.items() if step.edits else ():
        yield Change(line, step.edits, step.imports, _TOGETHER, replaced=change.replaced)


def _rank(change: Change) -> tuple[int, bool]:
    """Returns a number for each way to replace an Estimator. The best has the highest."""
    helpers = change.replaced.helpers if change.replaced is not None else ""
    return _HELPERS.index(helpers), bridged_configs.UNSEEN not in change.unsafe


RULE = Rule(
    __name__,
    _find,
    message="A call of a function that makes a spec, a config or an Estimator becomes the code of "
    "the function.",
    source="https://www.tensorflow.org/guide/migrate/migrating_estimator",
    symbols=("tf.estimator.train_and_evaluate",),
    recipe="evaluator",
    safe=False,
    instead_of=tuple(rule.name for rule in _ESTIMATORS),
)
