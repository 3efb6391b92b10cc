"""Groups files into programs, and collects the facts about a file that follow from the others.

    facts = facts_of(list(sources.find(["my_jobs/"])))
    facts["my_jobs/train.py"].plan.program.api

A program is a file that no other file imports, together with all files that it imports, as
`legacy.reading.program_files` finds them. For example, `train.py` and the `model.py` that it
imports are one program. It is of TensorFlow 1 or 2 as a whole. `legacy.reading.api_choice` decides
which, as it does for `legacy.run`. Nothing is imported or executed.
"""

from __future__ import annotations

import ast
import collections
import dataclasses
import functools
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from legacy.reading import api_choice, bindings, local_modules, program_files
from legacy.reading import used_names as names
from legacy.reading.api_choice import Decision
from migrate import sources
from migrate.rewrite.analysis import bridged_configs, modern_names
from migrate.rewrite.engine import files, rebinding
from migrate.rewrite.engine.plan import FilePlan, ProgramFacts
from migrate.rewrite.engine.source_file import PACKAGES

_OLD = ("tf.estimator", "tf.contrib", "tf.compat.v1", "tensorflow_estimator", "@legacy")

_RUN_APP = ("tf.app.run", "tf.compat.v1.app.run", "@absl.app.run")

_PUBLIC = (
    ("tf.compat.v1.", "tf."),
    ("@legacy.compat.v1.estimator", "tf.estimator"),
    ("@legacy.contrib", "tf.contrib"),
    ("@legacy.estimator", "tf.estimator"),
)
_DEEPEST = 20  # Limit of files that only pass a name on.
# Calls that only set something up for other files.
_SETTINGS = re.compile(r"(^|\.)(DEFINE_|(append|filterwarnings|insert|use)$|disable_|enable_|set_)")


class _Read(NamedTuple):
    """The facts in a file about its program."""

    uses: list[names.Use]
    local: list[names.Use]
    exported: dict[str, str]
    imports: list[str]
    is_main: bool
    acts: bool
    others: frozenset[str] = frozenset()
    seeds: bool = False
    functions: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()


@dataclasses.dataclass(frozen=True)
class FileFacts:
    """The facts about a file that follow from the other files.

    Attributes:
      plan: Plan for the file, without decisions.
      is_imported: Whether another file imports it.
      imported_names: File and name there of each name that comes from another file, by its name in
        this file, as in `Decisions.imported_estimators`.
      defined_names: The same for the file that defines each name, if another one only passes it on.
      together: Files that share a program with it, including itself.
      disables_v2: Whether it disables behavior that Keras needs.
      notes: Notes for the user on the TensorFlow version that it is read as.
    """

    plan: FilePlan = FilePlan()
    is_imported: bool = False
    imported_names: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    defined_names: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    together: frozenset[str] = frozenset()
    disables_v2: bool = False
    notes: tuple[str, ...] = ()


class _Part(NamedTuple):
    """The facts of a program about each of its files.

    Attributes:
      entry: File that is run.
      facts: Facts that hold for all files of the program.
      decision: TensorFlow version that it is written for.
    """

    entry: str
    facts: ProgramFacts
    decision: Decision


def facts_of(
    found: Sequence[sources.Source],
    mapped: Callable[
        [Callable[..., _Read | None], Iterable[tuple[str, frozenset[str]]]], Iterable
    ] = map,
    api: str = "auto",
) -> dict[str, FileFacts]:
    """Reads all files of some programs, and collects the facts about each.

    Args:
      found: The files. Modules that they import from other places are read too.
      mapped: A `map`, which may work in parallel.
      api: TensorFlow version of all programs, "v1" or "v2". "auto" reads it from each program.

    Returns:
      The facts about each file by path. Files that cannot be parsed have default facts.
    """
    found = [*found, *_beside(found)]
    roots = {source.path: source.root for source in found}
    places = [*roots.values(), *program_files.program_folders()]
    heads = local_modules.heads(roots) | program_files.heads_in(dict.fromkeys(places))
    tasks = [(path, heads) for path in roots]
    files = _Files(dict(zip(roots, mapped(_read, tasks), strict=True)), roots, heads)
    parts = {path: files.closure(path) for path, read in [*files.reads.items()] if read}
    reads = {path: read for path, read in files.reads.items() if read is not None}
    modules = files.modules()
    imported = {imported_path for path in parts for imported_path in files.imports(path)}
    starred = {
        modules.file_of(path, star.removeprefix("@"))
        for path, read in reads.items()
        for key, star in read.exported.items()
        if key.startswith("*") and star.startswith("@")
    }
    local = {path: _resolved(path, read, modules) for path, read in reads.items()}
    named = {path: _imported_names(path, read, modules) for path, read in reads.items()}
    decided = _decide(parts, reads, imported, modules, None if api == "auto" else Decision(api))
    together = {
        path: frozenset(file for part in decided[path] for file in parts[part.entry])
        for path in reads
    }
    names_of = {path: frozenset(map(_public, _all_names(read))) for path, read in reads.items()}
    elsewhere = _Elsewhere(names_of)
    changed = _Elsewhere({path: read.changed for path, read in reads.items()})
    return {
        path: FileFacts(
            FilePlan(
                _common(path, decided[path]),
                local=local[path],
                local_modules=frozenset(_local_heads(read) & heads),
                is_entry=read.is_main,
                is_starred=path in starred,
                is_shared=path in imported or not read.acts,
                names_elsewhere=elsewhere.names(path, together[path]),
                changed_elsewhere=changed.names(path, together[path]),
            ),
            path in imported,
            named[path],
            {name: _definition(place, reads, modules) for name, place in named[path].items()},
            together[path],
            any(bridged_configs.disables_v2(use.name) for use in read.uses),
            tuple(_notes(path, read, decided[path], imported)) if api == "auto" else (),
        )
        for path, read in reads.items()
    }


class _Files:
    """All files of some programs: the requested files, and other files that these import.

    Attributes:
      reads: Facts in each file by path, or None for a file that cannot be parsed.
    """

    def __init__(
        self, reads: dict[str, _Read | None], roots: Mapping[str, str], heads: frozenset[str]
    ) -> None:
        self.reads, self._roots, self._heads = reads, dict(roots), heads
        self._known = {os.path.realpath(path): path for path in reads}
        self._named = self.modules()
        self._files_of: dict[str, Callable[[str, str], list[str]]] = {}
        self._imported: dict[tuple[str, str], tuple[str, ...] | None] = {}
        self._relative = program_files.Search("")

    def modules(self) -> local_modules.LocalModules:
        """Returns the imports among the files that have been read."""
        exported = {path: read.exported for path, read in self.reads.items() if read}
        return local_modules.LocalModules(exported, self._roots, program_files.program_folders())

    def closure(self, entry: str) -> list[str]:
        """Returns the files of the program that starts with a file, and reads new ones."""
        folder = os.path.dirname(entry)
        return program_files.closure(
            [entry], functools.partial(self._imported_by, folder), lambda _, file: (file,)
        )

    def imports(self, path: str) -> set[str]:
        """Returns the files that a file imports when it is run."""
        return {*(self._imported_by(os.path.dirname(path), path) or ())} - {path}

    def _imported_by(self, folder: str, path: str) -> tuple[str, ...] | None:
        """Returns the files that a file imports in a program that starts in a folder, in order.

        None for a file that cannot be parsed.
        """
        key = folder, path
        if key not in self._imported:
            names = self._imports_of(path)
            files_of = self._finder(folder)
            files = None
            if names is not None:
                files = tuple(dict.fromkeys(f for name in names for f in files_of(path, name)))
            self._imported[key] = files
        return self._imported[key]

    def _imports_of(self, path: str) -> list[str] | None:
        if path not in self.reads:
            self.reads[path] = _read((path, self._heads))
            self._known[os.path.realpath(path)] = path
            self._roots[path] = os.path.dirname(path)
        read = self.reads[path]
        return read.imports if read is not None else None

    def _finder(self, folder: str) -> Callable[[str, str], list[str]]:
        """Returns a function that finds imported files for programs in a folder."""
        if folder not in self._files_of:
            search = program_files.Search(folder)

            @functools.cache
            def files_of(path: str, module: str) -> list[str]:
                if module.startswith("."):  # The folder in which the program starts is irrelevant.
                    files = self._relative.files(path, module)
                else:
                    files = search.files(path, module)
                paths = [self._known.get(os.path.realpath(f), os.path.normpath(f)) for f in files]
                # The program may run with another folder on sys.path that has such a module.
                named_path = None if paths else self._named.file_of(path, module)
                return [named_path] if named_path is not None else paths

            self._files_of[folder] = files_of
        return self._files_of[folder]


class _Elsewhere:
    """The names that other files of a file's programs use.

    Args:
      names_of: Names that each file uses.
    """

    def __init__(self, names_of: Mapping[str, frozenset[str]]) -> None:
        self._names_of = names_of
        self._counts: dict[frozenset[str], collections.Counter[str]] = {}

    def names(self, path: str, together: frozenset[str]) -> frozenset[str]:
        """Returns the names that the files of a group use, without those of one file alone."""
        if together not in self._counts:
            names = (name for file in together for name in self._names_of.get(file, ()))
            self._counts[together] = collections.Counter(names)
        own = self._names_of[path]
        counts = self._counts[together]
        return frozenset(name for name, count in counts.items() if count > (name in own))


def _beside(found: Sequence[sources.Source]) -> Iterator[sources.Source]:
    """Yields modules in the folders of single files. They are read, but not changed."""
    known = {os.path.realpath(source.path) for source in found}
    for folder in sorted({source.root for source in found}):
        if any(os.path.dirname(s.path) != folder for s in found if s.root == folder):
            continue  # The folder itself was requested, so all its files have been found.
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name.endswith(".py") and os.path.realpath(path) not in known:
                yield sources.Source(path, folder)


def _read(task: tuple[str, frozenset[str]]) -> _Read | None:
    """Reads a file. None if it cannot be parsed, which is reported when it is rewritten."""
    path, heads = task
    try:
        text = files.read(path).code
        if "tensorflow" not in text and "import" not in text:
            return _Read([], [], {}, [], False, False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        uses = names.uses_in(tree, path)
        every, exported = names.read(tree, path, True, heads.union(PACKAGES).__contains__)
    except (files.NotReadable, SyntaxError, ValueError, RecursionError):
        return None
    local = [use for use in every if use.name.startswith("@")]
    is_main = path.endswith(".ipynb") or "__main__" in text
    acts = is_main or _acts(tree)
    imports = list(dict.fromkeys(program_files.imports_in(tree)))
    others = frozenset(
        full_name for use in every for full_name in use.others if full_name.startswith("@")
    )
    seeds = modern_names.seeds_graphs(text)
    functions = frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    modules = (f"@{name}" for name in rebinding.indirectly(tree))
    changed = frozenset((*_changed(tree), *modules))
    return _Read(uses, local, exported, imports, is_main, acts, others, seeds, functions, changed)


def _changed(tree: ast.Module) -> Iterator[str]:
    """Yields the attributes that a file assigns, and the classes from which it derives others."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield node.attr
        elif isinstance(node, ast.ClassDef):
            for base in node.bases:
                yield ast.unparse(base).rpartition(".")[2]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "setattr":
            name = node.args[1] if len(node.args) > 1 else None
            yield str(name.value) if isinstance(name, ast.Constant) else "*"


def _acts(tree: ast.Module) -> bool:
    """Says whether a file does something on import, other than to change settings."""
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr)]
    names = [ast.unparse(call.func) for call in calls if isinstance(call, ast.Call)]
    return any(not _SETTINGS.search(name) for name in names)


def _resolved(path: str, read: _Read, modules: local_modules.LocalModules) -> dict[str, str]:
    """Returns the full names of names that come from other files."""
    names_used = {use.name for use in read.local} | read.others
    full_names = {name: modules.full_name(path, name) for name in sorted(names_used)}
    return {name: full_name for name, full_name in full_names.items() if full_name}


def _imported_names(
    path: str, read: _Read, modules: local_modules.LocalModules
) -> dict[str, tuple[str, str]]:
    """Returns the file and the name there of names that other files of the program define."""
    names_used = {use.name for use in read.local}
    places = {name: modules.find(path, name[1:]) for name in sorted(names_used)}
    return {
        name: (defining_path, rest)
        for name, place in places.items()
        if place is not None
        for defining_path, rest in ((place[0], place[1].removeprefix("*.")),)
        if rest and "." not in rest and defining_path != path
    }


def _definition(
    place: tuple[str, str], reads: Mapping[str, _Read], modules: local_modules.LocalModules
) -> tuple[str, str]:
    """Returns the file that defines a name, and the name there.

    For example, `models/__init__.py` may import the name from `models/deep.py`.

    Args:
      place: File and name there, as in `FileFacts.imported_names`.
      reads: All files.
      modules: Imports among the files.
    """
    for _ in range(_DEEPEST):
        path, name = place
        if path not in reads or name in reads[path].functions:
            return place
        exported = reads[path].exported
        values = (
            bindings.alternatives(exported[name])
            if name in exported
            else [f"{star}.{name}" for key, star in exported.items() if key.startswith("*")]
        )
        places = [modules.find(path, value[1:]) for value in values if value.startswith("@")]
        further = [
            (file, rest.removeprefix("*."))
            for file, rest in filter(None, places)
            if rest.removeprefix("*.") and file != path and _may_have(reads.get(file), rest)
        ]
        if not further:
            return place
        place = further[0]
    return place


def _may_have(read: _Read | None, name: str) -> bool:
    """Says whether a file may define a name, or pass it on by a star import."""
    name = name.removeprefix("*.")
    if read is None or "." in name:
        return False
    is_starred = any(key.startswith("*") for key in read.exported)
    return name in read.functions or name in read.exported or is_starred


def _decide(
    parts: Mapping[str, Sequence[str]],
    reads: Mapping[str, _Read],
    imported: Set[str],
    modules: local_modules.LocalModules,
    decision: Decision | None,
) -> dict[str, list[_Part]]:
    """Returns the programs of each file, with their facts.

    Args:
      parts: Files of the program that starts with each file.
      reads: All files.
      imported: Files that other files import.
      modules: Imports among the files.
      decision: TensorFlow version of all programs, or None to read it from each program.
    """
    programs: dict[str, list[_Part]] = {}
    entries = [path for path in parts if path not in imported or reads[path].is_main]
    for entry in dict.fromkeys((*entries, *parts)):
        if entry in programs and entry in imported and not reads[entry].is_main:
            continue  # It is only a part of programs that have been decided.
        uses = (api_choice.FileUses(p, reads[p].uses, reads[p].local) for p in parts[entry])
        chosen = decision or api_choice.decide(uses, modules)
        program = _Part(entry, _program(parts[entry], reads, chosen.api), chosen)
        for path in parts[entry]:
            programs.setdefault(path, []).append(program)
    return programs


def _program(parts: Sequence[str], reads: Mapping[str, _Read], api: str) -> ProgramFacts:
    """Returns the facts of a program that consists of some files."""
    names = {name for path in parts for name in _all_names(reads[path])}
    return ProgramFacts(
        api=api,
        names=frozenset(map(_public, names)),
        is_old=api == "v1" or any(name.startswith(_OLD) for name in names),
        has_several_files=len(parts) > 1,
        seeds_graphs=any(reads[path].seeds for path in parts),
        runs_app=not names.isdisjoint(_RUN_APP),
    )


def _public(name: str) -> str:
    """Returns the name as a program of TensorFlow 1 would write it, for any kind of import."""
    for start, public in _PUBLIC:
        if name.startswith(start):
            return public + name.removeprefix(start)
    return name


def _common(path: str, parts: Sequence[_Part]) -> ProgramFacts:
    """Returns the facts for a file that belongs to several programs."""
    programs = [part.facts for part in parts]
    return ProgramFacts(
        api=_api(path, parts),
        names=frozenset().union(*(program.names for program in programs)),
        is_old=any(program.is_old for program in programs),
        has_several_files=any(program.has_several_files for program in programs),
        seeds_graphs=any(program.seeds_graphs for program in programs),
        runs_app=all(program.runs_app for program in programs),
    )


def _api(path: str, parts: Sequence[_Part]) -> str:
    """Returns the TensorFlow version of a file: that of most programs whose names decide it."""
    telling = [part.decision.api for part in parts if part.decision.reason] or ["v2"]
    own = [part.decision.api for part in parts if part.entry == path]
    return max(("v2", "v1"), key=lambda api: (telling.count(api), own.count(api)))


def _notes(path: str, read: _Read, parts: Sequence[_Part], imported: Set[str]) -> Iterator[str]:
    """Yields notes on a file: the decision for its program, and programs that disagree."""
    if not read.uses and not read.local:
        return
    api = _api(path, parts)
    # An imported file whose own names decide nothing is reported only for its importers.
    parts = [part for part in parts if part.decision.reason or part.entry not in imported] or parts
    yield from (api_choice.message(path, part.decision) for part in parts if part.entry == path)
    if others := sorted(part.entry for part in parts if part.decision.api != api):
        yield (
            f"{path} is read as {api_choice.TITLES[api]}, but belongs to {others[0]}, which is "
            f"read as {api_choice.TITLES[api_choice.OTHER[api]]}. Set --api for both."
        )


def _all_names(read: _Read) -> Iterator[str]:
    yield from (use.name for use in read.uses)
    yield from (use.name for use in read.local)


def _local_heads(read: _Read) -> set[str]:
    """Returns the first parts of the names in a file that come from other files."""
    named = [*(use.name for use in read.local), *read.others]
    return {name[1:].partition(".")[0] for name in named}
