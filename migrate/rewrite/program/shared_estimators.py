"""Plans Estimators that one file makes and other files use.

    contexts = planned(around, rewritten)

A function that returns an Estimator to other files changes only if all of them can use a model
instead. For example, `model.py` defines `build_estimator()`, and `task.py` trains its result. To
find out, the files are rewritten on trial, each with the facts about the others.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from migrate.rewrite.analysis import estimator_uses
from migrate.rewrite.analysis.estimator_uses import EstimatorUse
from migrate.rewrite.engine import files
from migrate.rewrite.engine.context import Context
from migrate.rewrite.engine.source_file import ESTIMATORS, SourceFile
from migrate.rewrite.program.program_files import Program

# Rewrites a file on trial: maps its path and context to its new code, or None if that fails.
Rewritten = Callable[[str, Context], "str | None"]
_MAKES = re.compile(r"(Estimator|Classifier|Regressor)\(")
_ANY = re.compile("")
_HELPERS = ("as_estimator", "porting")


@dataclasses.dataclass(frozen=True)
class _Function:
    """A function of a file."""

    path: str
    name: str


def planned(around: Mapping[str, Program], rewritten: Rewritten) -> dict[str, Context]:
    """Returns the contexts of files that make Estimators for others, and of those others.

    Args:
      around: Facts about each file.
      rewritten: Rewrites a file on trial.
    """
    users = _users(around)
    distributes = {}
    for one in _estimator_functions(around, users):
        uses = _uses(around, users[one])
        if uses is not None:
            distributes[one] = any(use.is_trained_and_evaluated for use in uses)
    # Dropping a function can break others in the same files, so this repeats until all pass.
    while distributes:
        kinds = _kinds(around, rewritten, distributes)
        contexts = _contexts(around, users, distributes, kinds)
        left = {
            one
            for one in kinds
            if all(_is_carried(rewritten, path, contexts[path]) for path, _ in users[one])
        }
        if left == set(distributes):
            return contexts
        distributes = {one: value for one, value in distributes.items() if one in left}
    return {}


def _users(around: Mapping[str, Program]) -> dict[_Function, list[tuple[str, str]]]:
    """Returns the functions that other files name, with these files and their names for them."""
    found: dict[_Function, list[tuple[str, str]]] = {}
    for path, program in around.items():
        for name, (other, function) in program.functions.items():
            found.setdefault(_Function(other, function), []).append((path, name))
    return found


def _estimator_functions(
    around: Mapping[str, Program], functions: Collection[_Function]
) -> Iterator[_Function]:
    """Yields the functions that return only Estimators to other files."""
    for path in sorted({one.path for one in functions}):
        names = {one.name: False for one in functions if one.path == path}
        file = _file(path, around, _MAKES, exported_functions=names)
        if file is None:
            continue
        imported: set[str] = set()
        for match in file.names():
            if match.call is not None and estimator_uses.is_estimator(file, match.call):
                use = estimator_uses.read(file, match.call)
                imported |= use.exported_functions if isinstance(use, EstimatorUse) else set()
        yield from (_Function(path, name) for name in sorted(imported))


def _uses(around: Mapping[str, Program], users: list[tuple[str, str]]) -> list[EstimatorUse] | None:
    """Returns the uses of a function's result in other files. None if they are not known."""
    every: list[EstimatorUse] = []
    for path, name in users:
        file = _file(path, around, estimator_functions={name: ("porting", False)})
        if file is None:
            return None
        for match in file.names():
            if match.name.startswith(ESTIMATORS):
                use = estimator_uses.read(file, match.call) if match.call is not None else ""
                if isinstance(use, str):
                    return None
                every.append(use)
    return every


def _file(
    path: str, around: Mapping[str, Program], wanted: re.Pattern[str] = _ANY, **context: Any
) -> SourceFile | None:
    """Returns a file with its context. None if it lacks a pattern, or cannot be parsed."""
    if path not in around or path.endswith(".ipynb"):
        return None
    try:
        code = files.read(path).code
        if not wanted.search(code):
            return None
        return SourceFile(code, path, dataclasses.replace(around[path].context, **context))
    except (files.NotReadable, SyntaxError, RecursionError):
        return None


def _kinds(
    around: Mapping[str, Program], rewritten: Rewritten, functions: Mapping[_Function, bool]
) -> dict[_Function, str]:
    """Returns the helper module of each function once it is rewritten. Others are omitted."""
    found = {}
    for path in sorted({one.path for one in functions}):
        names = {one.name: value for one, value in functions.items() if one.path == path}
        code = rewritten(path, dataclasses.replace(around[path].context, exported_functions=names))
        tree = ast.parse(code or "")
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name in names and _helpers(tree, node):
                found[_Function(path, node.name)] = _helpers(tree, node)
    return found


def _helpers(tree: ast.Module, function: ast.FunctionDef) -> str:
    """Returns the module whose `restore` a function calls, or "" if there is not exactly one."""
    modules = {
        alias.asname or alias.name: alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in _HELPERS
    }
    found = {
        modules.get(node.value.id, "")
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        if node.attr == "restore"
    }
    return found.pop() if len(found) == 1 else ""


def _contexts(
    around: Mapping[str, Program],
    users: Mapping[_Function, list[tuple[str, str]]],
    functions: Mapping[_Function, bool],
    kinds: Mapping[_Function, str],
) -> dict[str, Context]:
    """Returns the contexts for files that change together."""
    exported: dict[str, dict[str, bool]] = {}
    imported: dict[str, dict[str, tuple[str, bool]]] = {}
    for one, kind in kinds.items():
        exported.setdefault(one.path, {})[one.name] = functions[one]
        for path, name in users[one]:
            imported.setdefault(path, {})[name] = kind, functions[one]
    return {
        path: dataclasses.replace(
            around[path].context,
            exported_functions=exported.get(path, {}),
            estimator_functions=imported.get(path, {}),
        )
        for path in (*exported, *imported)
    }


def _is_carried(rewritten: Rewritten, path: str, context: Context) -> bool:
    """Says whether a rewritten file has no more uses of another file's Estimators."""
    code = rewritten(path, context)
    if code is None:
        return False
    file = SourceFile(code, path, context)
    for match in file.names():
        if match.name.startswith(ESTIMATORS) and match.call is not None:
            # Calls on a model are not calls of an Estimator, so `read` rejects them.
            use = estimator_uses.read(file, match.call)
            if isinstance(use, EstimatorUse) and any(
                method_call.method != "model_dir" for method_call in use.calls
            ):
                return False
    return True
