"""Which files belong together, and what that says of each: API, names from other files, entry.

    of_file = contexts(list(sources.find(["my_jobs/"])))
    of_file["my_jobs/train.py"].api

A program is a file that no other imports, with all that it imports. It is of TensorFlow 1 or 2 as a
whole, and `legacy.facade.api_choice` decides, as for `legacy.run`. Nothing is imported or executed.
"""

from __future__ import annotations

import ast
import dataclasses
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from legacy.facade import api_choice, names
from migrate.rewrite import files, modern_names
from migrate.rewrite.context import Context
from migrate.rewrite.rules.legacy import imports as imports_rule
from migrate.rewrite.rules.legacy import keras_choice
from migrate.rewrite.source_file import FOLLOWED
from migrate.scan import local_modules, sources

_OLD = ("tf.estimator", "tf.contrib", "tf.compat.v1", "tensorflow_estimator", "@legacy")

_RUN_APP = ("tf.app.run", "tf.compat.v1.app.run", "@absl.app.run")

_PUBLIC = (
    ("tf.compat.v1.", "tf."),
    ("@legacy.compat.v1.estimator", "tf.estimator"),
    ("@legacy.contrib", "tf.contrib"),
    ("@legacy.estimator", "tf.estimator"),
)
# Calls that a file does for others: it sets something up.
_SETTINGS = re.compile(r"(^|\.)(DEFINE_|(append|filterwarnings|insert|use)$|disable_|enable_|set_)")


class _Read(NamedTuple):
    """What a file says of the program that it is in."""

    uses: list[names.Use]
    local: list[names.Use]
    exported: dict[str, str]
    imports: list[str]
    is_main: bool
    acts: bool


class Program(NamedTuple):
    """What is known of a file from the others.

    Attributes:
      context: What rules take from it.
      is_imported: Whether another file imports it.
      functions: What the names of other files' functions and the like stand for, as a context's
        `handed` has them: the file, and the name there.
      together: The files that are in a program with it, and itself.
    """

    context: Context
    is_imported: bool
    functions: Mapping[str, tuple[str, str]] = MappingProxyType({})
    together: frozenset[str] = frozenset()


def around(
    found: Sequence[sources.Source],
    mapped: Callable[
        [Callable[..., _Read | None], Iterable[tuple[str, frozenset[str]]]], Iterable
    ] = map,
) -> dict[str, Program]:
    """Reads all files of some programs, for what they say of one another.

    Args:
      found: The files. Modules that they import from beside them are read too.
      mapped: A `map`, which may work in parallel.

    Returns:
      By path, what is known of each file; files that cannot be parsed have what is known of none.
    """
    found = [*found, *_beside(found)]
    heads = local_modules.heads(found)
    tasks = [(source.path, heads) for source in found]
    reads = {task[0]: read for task, read in zip(tasks, mapped(_read, tasks), strict=True) if read}
    modules = local_modules.LocalModules(
        {path: read.exported for path, read in reads.items()},
        {source.path: source.root for source in found},
    )
    imports = {path: _imported(path, read, modules) for path, read in reads.items()}
    imported = {path for paths in imports.values() for path in paths}
    local = {path: _resolved(path, read, modules) for path, read in reads.items()}
    decided, together = _decide(reads, imports, imported, local)
    return {
        path: Program(
            _context(read, local[path], heads, decided[path], path in imported),
            path in imported,
            _functions(path, read, modules),
            frozenset(together[path]),
        )
        for path, read in reads.items()
    }


def _beside(found: Sequence[sources.Source]) -> Iterator[sources.Source]:
    """The modules beside files that are named themselves: read, but not to be changed."""
    known = {os.path.realpath(source.path) for source in found}
    for folder in sorted({source.root for source in found}):
        if any(os.path.dirname(s.path) != folder for s in found if s.root == folder):
            continue  # A folder that was named: all that is in it has been found.
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name.endswith(".py") and os.path.realpath(path) not in known:
                yield sources.Source(path, folder)


def _read(task: tuple[str, frozenset[str]]) -> _Read | None:
    """Reads a file; None where it cannot be parsed, which is said when it is rewritten."""
    path, heads = task
    try:
        text = files.read(path).code
        if "tensorflow" not in text and "import" not in text:
            return _Read([], [], {}, [], False, False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        uses = names.uses_in(tree, path)
        every, exported = names.read(tree, path, True, heads.union(FOLLOWED).__contains__)
    except (files.NotReadable, SyntaxError, ValueError, RecursionError):
        return None
    local = [use for use in every if use.name.startswith("@")]
    is_main = path.endswith(".ipynb") or "__main__" in text
    acts = is_main or _acts(tree)
    return _Read(uses, local, exported, sorted(set(_modules(tree))), is_main, acts)


def _acts(tree: ast.Module) -> bool:
    """Says whether a file does something when it is read, besides settings."""
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr)]
    names = [ast.unparse(call.func) for call in calls if isinstance(call, ast.Call)]
    return any(not _SETTINGS.search(name) for name in names)


def _modules(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            yield start
            yield from (f"{start.rstrip('.') and start + '.' or start}{a.name}" for a in node.names)


def _imported(path: str, read: _Read, modules: local_modules.LocalModules) -> set[str]:
    found = {modules.file_of(path, module) for module in read.imports}
    return {other for other in found if other and other != path}


def _resolved(path: str, read: _Read, modules: local_modules.LocalModules) -> dict[str, str]:
    """What names that come from other files stand for."""
    names_used = {use.name for use in read.local}
    found = {name: modules.full_name(path, name) for name in sorted(names_used)}
    return {name: full_name for name, full_name in found.items() if full_name}


def _functions(
    path: str, read: _Read, modules: local_modules.LocalModules
) -> dict[str, tuple[str, str]]:
    """What names stand for that are directly in other files of the program."""
    names_used = {use.name for use in read.local}
    found = {name: modules.find(path, name[1:]) for name in sorted(names_used)}
    return {
        name: (other, rest)
        for name, place in found.items()
        if place is not None
        for other, rest in (place,)
        if rest and "." not in rest and other != path
    }


def _decide(
    reads: dict[str, _Read],
    imports: dict[str, set[str]],
    imported: set[str],
    local: dict[str, dict[str, str]],
) -> tuple[dict[str, Context], dict[str, set[str]]]:
    """Returns for each file what is true of the programs that it is a part of, and their files."""
    said: dict[str, list[Context]] = {}
    together: dict[str, set[str]] = {}
    entries = [path for path, read in reads.items() if path not in imported or read.is_main]
    for entry in dict.fromkeys((*entries, *reads)):
        if entry in said and entry in imported and not reads[entry].is_main:
            continue  # A part of programs that have been decided.
        parts = _closure(entry, imports)
        program = _program(parts, reads, local)
        for path in parts:
            said.setdefault(path, []).append(program)
            together.setdefault(path, set()).update(parts)
    return {path: _common(programs) for path, programs in said.items()}, together


def _program(
    parts: Sequence[str], reads: dict[str, _Read], local: dict[str, dict[str, str]]
) -> Context:
    """What is true of a program, which is made of some files."""
    uses = [use for path in parts for use in reads[path].uses]
    api, reason = api_choice.choose(uses)
    if not reason:
        # What no name of a file's own tells, one that comes from another file may.
        api = api_choice.choose(_through_files(parts, reads, local))[0]
    seen = {use.name.replace("tf.compat.v1.", "tf.") for use in uses}
    every = {_public(name) for path in parts for name in _all_names(reads[path])}
    return Context(
        api=api,
        needs_keras=any(map(keras_choice.depends_on_keras, seen)),
        is_old=api == "v1" or any(n.startswith(_OLD) for p in parts for n in _all_names(reads[p])),
        distributes=any(map(modern_names.distributes, every)),
        enables_eager=any(map(imports_rule.enables_eager, seen)),
        collects_losses=any(map(modern_names.collects_losses, every)),
        collects_layers=any(map(modern_names.collects_layers, every)),
        has_model_fn=len(parts) > 1 and any(map(modern_names.returned_by_model_fn, every)),
        runs_app=any(n in _RUN_APP for path in parts for n in _all_names(reads[path])),
    )


def _public(name: str) -> str:
    """The name as a program of TensorFlow 1 would write it, whatever it is imported as."""
    for start, public in _PUBLIC:
        if name.startswith(start):
            return public + name.removeprefix(start)
    return name


def _common(programs: list[Context]) -> Context:
    """What is to be reckoned with in a file that belongs to several programs."""
    of_v1 = sum(program.api == "v1" for program in programs)
    return Context(
        api="v1" if of_v1 * 2 > len(programs) else "v2",
        needs_keras=any(program.needs_keras for program in programs),
        is_old=any(program.is_old for program in programs),
        distributes=any(program.distributes for program in programs),
        enables_eager=any(program.enables_eager for program in programs),
        collects_losses=any(program.collects_losses for program in programs),
        collects_layers=any(program.collects_layers for program in programs),
        has_model_fn=any(program.has_model_fn for program in programs),
        runs_app=all(program.runs_app for program in programs),
    )


def _through_files(
    paths: Sequence[str], reads: dict[str, _Read], local: dict[str, dict[str, str]]
) -> Iterator[names.Use]:
    for path in paths:
        for use in reads[path].local:
            full_name = local[path].get(use.name, "")
            if full_name.startswith("tensorflow."):
                yield use._replace(name=f"tf.{full_name.removeprefix('tensorflow.')}")


def _all_names(read: _Read) -> Iterator[str]:
    yield from (use.name for use in read.uses)
    yield from (use.name for use in read.local)


def _closure(path: str, imports: dict[str, set[str]]) -> list[str]:
    found, waiting = {path}, [path]
    while waiting:
        for other in imports.get(waiting.pop(), ()):
            if other in imports and other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found)


def _context(
    read: _Read,
    local: dict[str, str],
    heads: frozenset[str],
    programs: Context,
    is_imported: bool,
) -> Context:
    used = {use.name[1:].partition(".")[0] for use in read.local}
    return dataclasses.replace(
        programs,
        local=local,
        local_modules=frozenset(used & heads),
        is_entry=read.is_main,
        is_shared=is_imported or not read.acts,
    )
