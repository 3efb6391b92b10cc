"""Decides about Estimators that one file makes and other files use.

    decide(drafts)

A function that returns an Estimator to other files changes only if all of them can use a model
instead. For example, `model.py` defines `build_estimator()`, and `task.py` trains its result.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from migrate.rewrite.analysis import estimator_uses
from migrate.rewrite.analysis.estimator_uses import EstimatorUse
from migrate.rewrite.engine.plan import OtherEstimator
from migrate.rewrite.engine.source_file import ESTIMATORS, SourceFile
from migrate.rewrite.estimators import estimator_jobs
from migrate.rewrite.program import messages
from migrate.rewrite.program.across_files import methods
from migrate.rewrite.program.drafts import Drafts, Function, User

_UNCHANGED = "no rule replaces it"
_MAKES = re.compile(r"(Estimator|Classifier|Regressor)\(")


def decide(drafts: Drafts) -> None:
    """Decides which functions return models to other files instead of Estimators.

    Args:
      drafts: The files. Gets the decisions.
    """
    paths = [path for path in drafts.facts if _MAKES.search(drafts.text(path))]
    method_users = dict(methods.users(drafts, paths))
    users = {**drafts.users, **_of_experiments(drafts), **method_users}
    distributes = {}
    for function in _estimator_functions(drafts, users):
        uses = _uses(drafts, function, users[function])
        if isinstance(uses, str):
            _keep(drafts, function, uses)
        else:
            distributes[function] = any(use.is_trained_and_evaluated for use in uses)
    # Dropping a function can break others in the same files, so this repeats until all pass.
    while distributes:
        helpers, reasons = _helpers(drafts, distributes)
        decisions = _decisions(users, distributes, helpers)
        for function in helpers:
            problems = (_problem(drafts, path, decisions[path]) for path, _ in users[function])
            problem = next(filter(None, problems), "")
            reasons.update({function: problem} if problem else {})
        if not reasons:
            for path, file_decisions in decisions.items():
                drafts.decide(path, **file_decisions)
            return
        for function, reason in reasons.items():
            _keep(drafts, function, reason)
            del distributes[function]


def _keep(drafts: Drafts, function: Function, reason: str) -> None:
    """Keeps a function as it is, and stores the reason."""
    kept = drafts.plans[function.path].decisions.kept_estimators
    name = function.name.rpartition(".")[2]
    drafts.decide(function.path, kept_estimators={**kept, name: reason})


def _of_experiments(drafts: Drafts) -> Mapping[Function, Sequence[User]]:
    """Returns functions that no other file uses, in files that make Experiments for other files.

    The Experiment was the only thing of such a file that another file used. So a function that
    makes its Estimator is as private as a function of a single file.
    """
    functions: dict[Function, Sequence[User]] = {}
    for path, plan in drafts.plans.items():
        file = drafts.file(path) if plan.decisions.exported_experiments else None
        for statement in file.tree.body if file is not None else ():
            if isinstance(statement, ast.FunctionDef):
                function = Function(path, statement.name)
                functions[function] = drafts.users.get(function, ())
    return functions


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


def _uses(drafts: Drafts, function: Function, users: Sequence[User]) -> list[EstimatorUse] | str:
    """Returns the uses of a function's result in other files, or why one of them is not known."""
    uses: list[EstimatorUse] = []
    for path, name in users:
        file = drafts.file(path, imported_estimators={name: OtherEstimator("porting", False)})
        if file is None or path.endswith(".ipynb"):
            return f"{os.path.basename(path)} uses it"
        # The file may pass its model_fn to the function, and the bridge cannot train such a one.
        text = drafts.text(path)
        if ".get_losses_for(" in text and '"get_losses_for"' not in text:
            return f"{os.path.basename(path)} reads the losses of a graph's layers"
        for match in file.names():
            if match.name.startswith(ESTIMATORS):
                problem = methods.problem_of_object(file, match, function)
                node = estimator_uses.of_other_file(match)
                use: EstimatorUse | str = f"it is passed on in line {match.node.lineno}"
                if node is not None:
                    use = problem or estimator_uses.read(file, node)
                if isinstance(use, str):
                    return messages.with_file_name(use, path)
                uses.append(use)
    return uses


def _helpers(
    drafts: Drafts, functions: Mapping[Function, bool]
) -> tuple[dict[Function, str], dict[Function, str]]:
    """Returns the helper module of each function's models, and reasons why others have none."""
    candidates: dict[Function, set[str]] = {}
    reasons: dict[Function, str] = {}
    for path in sorted({function.path for function in functions}):
        names = {
            function.name: value for function, value in functions.items() if function.path == path
        }
        file = drafts.file(path, exported_estimators=names)
        for change in drafts.changes(file):
            if change.replaced is not None:
                for name in change.replaced.exported_functions & set(names):
                    candidates.setdefault(Function(path, name), set()).add(change.replaced.helpers)
        by_line = drafts.reasons(file)
        for name, line in _lines(file, names):
            if by_line.get(line):
                reasons[Function(path, name)] = by_line[line]
    helpers = {
        function: modules.pop() for function, modules in candidates.items() if len(modules) == 1
    }
    others = {
        function: reasons.get(function, _UNCHANGED)
        for function in functions
        if function not in helpers
    }
    return helpers, others


def _lines(file: SourceFile | None, names: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yields the functions that return Estimators to other files, and the lines that make these."""
    for match in file.names() if file is not None else ():
        if file is not None and match.call is not None:
            is_estimator = estimator_uses.is_estimator(file, match.call)
            use = estimator_uses.read(file, match.call) if is_estimator else ""
            if isinstance(use, EstimatorUse):
                yield from ((name, match.call.lineno) for name in use.exported_functions & {*names})


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


def _problem(drafts: Drafts, path: str, decisions: dict[str, Any]) -> str:
    """Returns the reason why a file cannot use a model for another file's Estimator, or ""."""
    file = drafts.file(path, **decisions)
    if file is None:
        return f"{os.path.basename(path)} uses it"
    lines = {change.line for change in drafts.changes(file) if change.replaced is not None}
    for use in _estimators(file):
        if use.constructions[0].call.lineno not in lines:
            reason = estimator_jobs.refused_of_other_file(file, use)
            return messages.with_file_name(reason or _UNCHANGED, path)
    return ""


def names_left(file: SourceFile) -> set[str]:
    """Returns the functions of other files whose results a file still uses as Estimators.

    Args:
      file: The file, under its plan.
    """
    return {
        estimator_uses.name_of(file, construction.call).removeprefix(ESTIMATORS)
        for use in _estimators(file)
        for construction in use.constructions
    }


def _estimators(file: SourceFile) -> Iterator[EstimatorUse]:
    """Yields the uses of other files' Estimators that a Keras model does not have as well."""
    for use in estimator_jobs.uses_of_other_files(file):
        if any(method_call.method != "model_dir" for method_call in use.calls):
            yield use
