"""Decides about functions of one file that are the input_fns of another.

    decide(drafts, unsafe=True)

Keras needs a dataset. An Estimator also took tensors, for example those of an iterator. If an
input_fn returns tensors, `graph_dataset` reads them, also if another file defines the input_fn.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine.plan import FilePlan, InputFunction
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.program.drafts import Drafts, Function

_TRAINS = re.compile(r"\.(train|evaluate|predict)\(|\b(TrainSpec|EvalSpec)\(")
_GETS = re.compile(
    r"\bget_next\b|\btrain\.(\w*batch|\w*_producer|\w*batch_join)\(|\b(numpy|pandas)_input_fn\("
)
_ROUNDS = 5  # Limit of functions that only return the result of another file's function.


def decide(drafts: Drafts, unsafe: bool) -> None:
    """Decides which functions of other files return tensors.

    Args:
      drafts: The files. Gets the decisions.
      unsafe: Whether changes that may alter results will be made too.
    """
    users = {path for path in drafts.facts if _TRAINS.search(drafts.text(path))}
    if not users:
        return
    _decide_unpacked(drafts)
    offsets = {path: _tensor_offsets(drafts, path, unsafe) for path in drafts.facts}
    places = {
        path: _place(drafts, path, offsets[path]) for path in sorted(offsets) if offsets[path]
    }
    for path, facts in drafts.facts.items():
        others = (other for other in places if other != path and other in facts.together)
        if other := next(others, ""):
            drafts.decide(path, tensors_elsewhere=places[other])
    reader = _Facts(drafts, offsets)
    facts_of_functions: dict[Function, InputFunction] = {}
    for _ in range(_ROUNDS):
        new_facts = reader.used_by(users)
        if new_facts == facts_of_functions:
            return
        facts_of_functions = new_facts
        users |= {
            function.path for function in facts_of_functions
        }  # Each may return another's result.
        for path in users:
            defined_names = drafts.facts[path].defined_names
            places_of = {name: Function(*place) for name, place in defined_names.items()}
            inputs = {
                name: facts_of_functions[function]
                for name, function in places_of.items()
                if function in facts_of_functions
            }
            # Functions without tensors matter only next to others that return them.
            if any(map(any, inputs.values())) or any(offsets.values()):
                drafts.decide(path, imported_inputs=inputs)


def _decide_unpacked(drafts: Drafts) -> None:
    """Decides which functions return tensors that another file uses as such."""
    functions_of: dict[str, dict[str, Function]] = {}  # By the name in each file that uses it.
    for function, users in drafts.users.items():
        if function.path in drafts.facts and _GETS.search(drafts.text(function.path)):
            for path, name in users:
                functions_of.setdefault(path, {})[name] = function
    unpacked: dict[str, set[str]] = {}
    for path, by_name in functions_of.items():
        file = drafts.file(path)
        for name in _unpacked_in(file, by_name) if file is not None else ():
            unpacked.setdefault(by_name[name].path, set()).add(by_name[name].name)
    for path, names in unpacked.items():
        drafts.decide(path, unpacked_functions=frozenset(names))


def _unpacked_in(file: SourceFile, names: Collection[str]) -> Iterator[str]:
    """Yields those functions of other files whose results a file uses as tensors."""
    for node, name in file.imported_names.items():
        call = file.parent(node)
        if name in names and isinstance(call, ast.Call) and input_functions.is_unpacked(file, call):
            yield name


def _tensor_offsets(drafts: Drafts, path: str, unsafe: bool) -> list[int]:
    """Returns the offsets in a file at which it still gets tensors after the rewrite."""
    file = drafts.file(path) if _GETS.search(drafts.text(path)) else None
    if file is None:
        return []
    changed_spans = [
        (edit.start, edit.end)
        for change in drafts.changes(file)
        if change.replaced is None and (unsafe or not change.unsafe)
        for edit in change.edits
        if not _GETS.search(edit.text)
    ]
    offsets = [match.start() for match in _GETS.finditer(file.text)]
    return [at for at in offsets if not any(start <= at < end for start, end in changed_spans)]


def _place(drafts: Drafts, path: str, offsets: Sequence[int]) -> str:
    """Returns the first place of a file that still gets tensors."""
    line = drafts.text(path).count("\n", 0, offsets[0]) + 1
    return f"line {line} of {os.path.basename(path)}"


class _Facts:
    """The facts about functions that other files use. A file is read again if its plan changes.

    Args:
      drafts: The files.
      left: Offsets in each file at which it still gets tensors.
    """

    def __init__(self, drafts: Drafts, offsets: Mapping[str, Sequence[int]]) -> None:
        self._drafts, self._tensor_offsets = drafts, offsets
        self._cache: dict[str, tuple[FilePlan, dict[str, InputFunction | None]]] = {}

    def used_by(self, users: Collection[str]) -> dict[Function, InputFunction]:
        """Returns the facts about the functions of other files that some files use."""
        names: dict[str, set[str]] = {}
        for function, own_users in self._drafts.users.items():
            if function.path in self._drafts.facts and any(path in users for path, _ in own_users):
                names.setdefault(function.path, set()).add(function.name)
        return {
            Function(path, name): fact
            for path, function_names in names.items()
            for name, fact in self._of_file(path, function_names).items()
            if name in function_names and fact is not None
        }

    def _of_file(self, path: str, names: Set[str]) -> dict[str, InputFunction | None]:
        """Returns the facts about functions of a file. None for names of other objects."""
        plan = self._drafts.plans[path]
        cached_plan, cache = self._cache.get(path, (None, {}))
        if cached_plan != plan:
            cache = {}
        missing = names - cache.keys()
        if missing:
            file = self._drafts.file(path)
            cache.update(dict.fromkeys(missing))
            if file is not None:
                facts = ((node.name, self._of(file, node)) for node in _functions(file, missing))
                cache.update(facts)
        self._cache[path] = plan, cache
        return cache

    def _of(self, file: SourceFile, node: ast.FunctionDef) -> InputFunction:
        start, end = file.span(node)
        # The tensors of an iterator may become a dataset when this file is rewritten.
        gets = [match.start() for match in _GETS.finditer(file.text, start, end)]
        is_gone = gets and not any(at in self._tensor_offsets[file.path] for at in gets)
        return InputFunction() if is_gone else input_functions.tensors_of(file, node)


def _functions(file: SourceFile, names: Collection[str]) -> Iterator[ast.FunctionDef]:
    for node in file.tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in names:
            yield node
