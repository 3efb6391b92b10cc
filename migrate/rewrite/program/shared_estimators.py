"""Decides about Estimators that one file makes and other files use.

    decide(drafts)

A function that returns an Estimator to other files changes only if all of them can use a model
instead. For example, `model.py` defines `build_estimator()`, and `task.py` trains its result.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from migrate.rewrite.analysis import estimator_uses
from migrate.rewrite.analysis.estimator_uses import EstimatorUse
from migrate.rewrite.engine.plan import OtherEstimator
from migrate.rewrite.engine.source_file import ESTIMATORS, SourceFile
from migrate.rewrite.estimators import estimator_jobs
from migrate.rewrite.program.drafts import Drafts, Function, User

_MAKES = re.compile(r"(Estimator|Classifier|Regressor)\(")


def decide(drafts: Drafts) -> None:
    """Decides which functions return models to other files instead of Estimators.

    Args:
      drafts: The files. Gets the decisions.
    """
    users = drafts.users
    distributes = {}
    for function in _estimator_functions(drafts, users):
        uses = _uses(drafts, users[function])
        if uses is not None:
            distributes[function] = any(use.is_trained_and_evaluated for use in uses)
    # Dropping a function can break others in the same files, so this repeats until all pass.
    while distributes:
        helpers = _helpers(drafts, distributes)
        decisions = _decisions(users, distributes, helpers)
        passing = {
            function
            for function in helpers
            if all(_uses_models(drafts, path, decisions[path]) for path, _ in users[function])
        }
        if passing == set(distributes):
            for path, file_decisions in decisions.items():
                drafts.decide(path, **file_decisions)
            return
        distributes = {
            function: value for function, value in distributes.items() if function in passing
        }


def _estimator_functions(drafts: Drafts, functions: Collection[Function]) -> Iterator[Function]:
    """Yields the functions that return only Estimators to other files."""
    for path in sorted({function.path for function in functions}):
        if path not in drafts.facts or not _MAKES.search(drafts.text(path)):
            continue
        names = {function.name: False for function in functions if function.path == path}
        file = drafts.file(path, exported_estimators=names)
        if file is None:
            continue
        exported: set[str] = set()
        for match in file.names():
            if match.call is not None and estimator_uses.is_estimator(file, match.call):
                use = estimator_uses.read(file, match.call)
                exported |= use.exported_functions if isinstance(use, EstimatorUse) else set()
        yield from (Function(path, name) for name in sorted(exported))


def _uses(drafts: Drafts, users: Sequence[User]) -> list[EstimatorUse] | None:
    """Returns the uses of a function's result in other files. None if they are not known."""
    uses: list[EstimatorUse] = []
    for path, name in users:
        file = drafts.file(path, imported_estimators={name: OtherEstimator("porting", False)})
        # The file may pass its model_fn to the function, and the bridge cannot train such a one.
        text = drafts.text(path)
        has_graph_losses = ".get_losses_for(" in text and '"get_losses_for"' not in text
        if file is None or path.endswith(".ipynb") or has_graph_losses:
            return None
        for match in file.names():
            if match.name.startswith(ESTIMATORS):
                use = estimator_uses.read(file, match.call) if match.call is not None else ""
                if isinstance(use, str):
                    return None
                uses.append(use)
    return uses


def _helpers(drafts: Drafts, functions: Mapping[Function, bool]) -> dict[Function, str]:
    """Returns the helper module of each function's models. Functions without one are omitted."""
    candidates: dict[Function, set[str]] = {}
    for path in sorted({function.path for function in functions}):
        names = {
            function.name: value for function, value in functions.items() if function.path == path
        }
        for change in drafts.changes(drafts.file(path, exported_estimators=names)):
            if change.replaced is not None:
                for name in change.replaced.exported_functions & set(names):
                    candidates.setdefault(Function(path, name), set()).add(change.replaced.helpers)
    return {
        function: helpers.pop() for function, helpers in candidates.items() if len(helpers) == 1
    }


def _decisions(
    users: Mapping[Function, Sequence[User]],
    functions: Mapping[Function, bool],
    helpers: Mapping[Function, str],
) -> dict[str, dict[str, Any]]:
    """Returns the decisions about the files that change together."""
    decisions: dict[str, dict[str, Any]] = {}
    for function, module in helpers.items():
        exported = decisions.setdefault(function.path, {}).setdefault("exported_estimators", {})
        exported[function.name] = functions[function]
        for path, name in users[function]:
            imported = decisions.setdefault(path, {}).setdefault("imported_estimators", {})
            imported[name] = OtherEstimator(module, functions[function])
    return decisions


def _uses_models(drafts: Drafts, path: str, decisions: dict[str, Any]) -> bool:
    """Says whether a file can use models wherever it uses another file's Estimators."""
    file = drafts.file(path, **decisions)
    if file is None:
        return False
    lines = {change.line for change in drafts.changes(file) if change.replaced is not None}
    return all(use.constructions[0].call.lineno in lines for use in _estimators(file))


def names_left(file: SourceFile) -> set[str]:
    """Returns the functions of other files whose results a file still uses as Estimators.

    Args:
      file: The file, under its plan.
    """
    return {
        (file.name_of(construction.call.func) or "").removeprefix(ESTIMATORS)
        for use in _estimators(file)
        for construction in use.constructions
    }


def _estimators(file: SourceFile) -> Iterator[EstimatorUse]:
    """Yields the uses of other files' Estimators that a Keras model does not have as well."""
    for use in estimator_jobs.uses_of_other_files(file):
        if any(method_call.method != "model_dir" for method_call in use.calls):
            yield use
