"""Plans model_fns that Estimators of other files use, so that both files change together.

    contexts = planned(around, contexts, rewritten)

The model_fn becomes a class in its own file, and the other files import the class. For example,
`task.py` then imports `Model` instead of `model_fn` from `model.py`. To find out whether all files
can use the class, they are rewritten on trial.
"""

from __future__ import annotations

import ast
import dataclasses
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from migrate.rewrite.engine import arguments, files
from migrate.rewrite.engine.context import Context, ModelClass, OtherModel
from migrate.rewrite.engine.source_file import MODELS, SourceFile
from migrate.rewrite.model_fns import writing
from migrate.rewrite.model_fns.analysis import checks
from migrate.rewrite.model_fns.layers import parts
from migrate.rewrite.program.program_files import Program

# Rewrites a file on trial: maps its path and context to its new code, or None if that fails.
Rewritten = Callable[[str, Context], "str | None"]
_MAKES = re.compile(r"\bEstimator\(")
_IN_CLUSTERS = re.compile(r"\btrain_and_evaluate\b")
_ESTIMATOR = "tf.estimator.Estimator"
_PARAMETERS = ("model_fn", "model_dir", "config", "params", "warm_start_from")
_UNKNOWN = OtherModel("")
_OTHERWISE = "its model_fn is used in its own file as well"


@dataclasses.dataclass(frozen=True)
class _Function:
    """A function of a file."""

    path: str
    name: str


class _Planner:
    """Decides which model_fns become classes, and for which files."""

    def __init__(
        self,
        around: Mapping[str, Program],
        contexts: Mapping[str, Context],
        rewritten: Rewritten,
    ) -> None:
        self._around, self._rewritten = around, rewritten
        self._contexts = {path: program.context for path, program in around.items()}
        self._contexts.update(contexts)

    def plan(self) -> dict[str, Context]:
        found: dict[str, Context] = {}
        for function, users in self._trained().items():
            model = self._model(function)
            if model.reason:
                for path, name in users:
                    models = {**self._contexts[path].models, name: model}
                    self._replace(found, path, models=models)
                continue
            kept = [(path, name) for path, name in users if self._is_carried(path, name, model)]
            for_all = len(kept) == len(users) and not self._is_used_otherwise(function, users)
            made = ModelClass(self._distributes(users), stays=not for_all)
            if kept and self._is_made(function, model, made):
                for path, name in kept:
                    models = {**self._contexts[path].models, name: model}
                    self._replace(found, path, models=models)
                classes = {**self._contexts[function.path].classes, function.name: made}
                self._replace(found, function.path, classes=classes)
        return found

    def _distributes(self, users: Collection[tuple[str, str]]) -> bool:
        """Says whether a strategy may train the model_fn in any of the files that use it."""
        paths = {path for path, _ in users}
        named = any(self._contexts[path].distributes for path in paths)
        return named or any(self._file(path, _IN_CLUSTERS) is not None for path in paths)

    def _replace(self, found: dict[str, Context], path: str, **changes: Any) -> None:
        found[path] = self._contexts[path] = dataclasses.replace(self._contexts[path], **changes)

    def _trained(self) -> dict[_Function, list[tuple[str, str]]]:
        """Returns the model_fns of Estimators in other files: the files, and the names there."""
        found: dict[_Function, list[tuple[str, str]]] = {}
        for path, program in self._around.items():
            if self._contexts[path].exported_functions:
                continue  # `shared_estimators` has decided about this file.
            file = self._file(path, _MAKES, models=dict.fromkeys(program.functions, _UNKNOWN))
            names = {_model_fn(file, match.call) for match in file.names()} if file else set()
            for name in sorted(names & set(program.functions)):
                found.setdefault(_Function(*program.functions[name]), []).append((path, name))
        return found

    def _file(self, path: str, wanted: re.Pattern[str], **context: Any) -> SourceFile | None:
        """Returns a file with its context. None if it lacks a pattern."""
        if path not in self._around or path.endswith(".ipynb"):
            return None
        try:
            code = files.read(path).code
            known = dataclasses.replace(self._contexts[path], **context)
            return SourceFile(code, path, known) if wanted.search(code) else None
        except (files.NotReadable, SyntaxError, RecursionError):
            return None

    def _model(self, function: _Function) -> OtherModel:
        """Returns the class that a function becomes, or the reason why there is none."""
        file = self._file(function.path, re.compile(re.escape(function.name)))
        node = checks.function_named(file, function.name) if file is not None else None
        if file is None or node is None:
            return OtherModel("", reason="its model_fn is not seen to be a function")
        if parts.used(file, function.name):
            return OtherModel("", reason=_OTHERWISE)
        model = writing.read(file, node)
        if isinstance(model, str):
            where = os.path.basename(function.path)
            said = re.sub(r"( in line [0-9]+)", rf"\1 of {where}", model, count=1)
            return OtherModel("", reason=said if said != model else f"{model} ({where})")
        return OtherModel(model.name, model.takes_params, model.problem, model.odd_signature)

    def _is_carried(self, path: str, name: str, model: OtherModel) -> bool:
        """Says whether a rewritten file replaces each trained use of the model_fn, and no other."""
        context = dataclasses.replace(self._contexts[path], models={name: model})
        code = self._rewritten(path, context)
        file = self._file(path, _MAKES, models={name: model})
        if code is None or file is None:
            return False
        trained = sum(_model_fn(file, match.call) == name for match in file.names())
        left = [*_names(SourceFile(code, path, context))]
        return len(left) == len([*_names(file)]) - trained

    def _is_used_otherwise(self, function: _Function, users: Collection[tuple[str, str]]) -> bool:
        """Says whether a function has any other use than as the model_fn of those Estimators."""
        for path, program in self._around.items():
            for name, place in program.functions.items():
                if place != (function.path, function.name):
                    continue
                file = self._file(path, re.compile(""), models={name: _UNKNOWN})
                uses = [*_names(file)] if file is not None else []
                trained = [_model_fn(file, match.call) for match in file.names()] if file else []
                if (path, name) not in users or len(uses) != trained.count(name):
                    return True
        return False

    def _is_made(self, function: _Function, model: OtherModel, made: ModelClass) -> bool:
        context = self._contexts[function.path]
        code = self._rewritten(
            function.path,
            dataclasses.replace(context, classes={**context.classes, function.name: made}),
        )
        body = ast.parse(code or "").body
        return any(isinstance(one, ast.ClassDef) and one.name == model.name for one in body)


def _model_fn(file: SourceFile | None, call: ast.Call | None) -> str:
    """Returns the name of another file's model_fn in a call that makes an Estimator, or ""."""
    if file is None or call is None or file.name_of(call.func) != _ESTIMATOR:
        return ""
    args = arguments.bind(call, _PARAMETERS) or {}
    name = file.name_of(args.get("model_fn")) or ""
    return f"@{name.removeprefix(MODELS)}" if name.startswith(MODELS) else ""


def _names(file: SourceFile) -> Iterator[str]:
    """Yields each occurrence of another file's model_fn in a file."""
    for match in file.names():
        if match.name.startswith(MODELS):
            yield f"@{match.name.removeprefix(MODELS)}"


def planned(
    around: Mapping[str, Program], contexts: Mapping[str, Context], rewritten: Rewritten
) -> dict[str, Context]:
    """Returns the contexts of files that have model_fns for others, and of those others.

    Args:
      around: Facts about each file.
      contexts: Contexts that replace those in `around` for some files.
      rewritten: Rewrites a file on trial.
    """
    return _Planner(around, contexts, rewritten).plan()
