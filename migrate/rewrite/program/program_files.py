"""Groups files into programs, and collects the facts about a file that follow from the others.

    facts = facts_of(list(sources.find(["my_jobs/"])))
    facts["my_jobs/train.py"].plan.program.api

A program is a file that no other file imports, together with all files that it imports, as
`legacy.reading.program_files` finds them. For example, `train.py` and the `model.py` that it
imports are one program. It is of TensorFlow 1 or 2 as a whole. `legacy.reading.api_choice` decides
which, as it does for `legacy.run`. Nothing is imported or executed.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from legacy.reading import api_choice, bindings, local_modules, program_files
from legacy.reading.api_choice import Decision
from migrate import sources
from migrate.rewrite.analysis import v2_switches
from migrate.rewrite.engine.plan import OF_MODULE, FilePlan, ProgramFacts
from migrate.rewrite.program import file_contents
from migrate.rewrite.program.file_contents import FileContents

_OLD = ("tf.estimator", "tf.contrib", "tf.compat.v1", "tensorflow_estimator", "@legacy")

_RUN_APP = ("tf.app.run", "tf.compat.v1.app.run", "@absl.app.run")

_PUBLIC = (
    ("tf.compat.v1.", "tf."),
    ("@legacy.compat.v1.estimator", "tf.estimator"),
    ("@legacy.contrib", "tf.contrib"),
    ("@legacy.estimator", "tf.estimator"),
)
_MAX_DEPTH = 20  # Limit of files that only pass a name on.


@dataclasses.dataclass(frozen=True)
class FileFacts:
    """The facts about a file that follow from the other files.

    Attributes:
      plan: Plan for the file, without decisions.
      is_imported: Whether another file imports it.
      imported_names: File and name there of each name that comes from another file, by its name in
        this file, as in `Decisions.imported_estimators`.
      defined_names: File that defines each of these names, and the name there. It differs from
        `imported_names` if a file only passes a name on.
      used_attributes: Attributes that it uses on objects which may come from other files.
      used_names: Other names as in `FilePlan.used_elsewhere` that it uses.
      methods: Methods of its classes, as "Class.method".
      own_attributes: Attributes of its classes, as "Class.name".
      together: Files that share a program with it, including itself.
      disables_v2: Whether it disables behavior that Keras needs.
      notes: Notes for the user on the TensorFlow version that it is read as.
    """

    plan: FilePlan = FilePlan()
    is_imported: bool = False
    imported_names: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    defined_names: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    used_attributes: frozenset[str] = frozenset()
    used_names: frozenset[str] = frozenset()
    methods: tuple[str, ...] = ()
    own_attributes: tuple[str, ...] = ()
    together: frozenset[str] = frozenset()
    disables_v2: bool = False
    notes: tuple[str, ...] = ()


class _Program(NamedTuple):
    """A program that a file belongs to.

    Attributes:
      entry: File that is run.
      facts: Facts that hold for all files of the program.
      decision: TensorFlow version that it is written for.
    """

    entry: str
    facts: ProgramFacts
    decision: Decision


def facts_of(
    requested: Sequence[sources.Source],
    parallel_map: Callable[
        [Callable[..., FileContents | None], Iterable[tuple[str, frozenset[str]]]], Iterable
    ] = map,
    api: str = "auto",
) -> dict[str, FileFacts]:
    """Reads all files of some programs, and collects the facts about each.

    Args:
      requested: The files. Modules that they import from other places are read too.
      parallel_map: A `map`, which may work in parallel.
      api: TensorFlow version of all programs, "v1" or "v2". "auto" reads it from each program.

    Returns:
      The facts about each file by path. Files that cannot be parsed have default facts.
    """
    requested = [*requested, *_neighbors(requested)]
    roots = {source.path: source.root for source in requested}
    places = [*roots.values(), *program_files.program_folders()]
    heads = local_modules.heads(roots) | program_files.heads_in(dict.fromkeys(places))
    tasks = [(path, heads) for path in roots]
    files = _Files(
        dict(zip(roots, parallel_map(file_contents.read, tasks), strict=True)), roots, heads
    )
    paths_of = {
        path: files.closure(path) for path, contents in [*files.contents.items()] if contents
    }
    contents_of = {
        path: contents for path, contents in files.contents.items() if contents is not None
    }
    modules = files.modules()
    imported = {imported_path for path in paths_of for imported_path in files.imports(path)}
    starred = {
        modules.file_of(path, star.removeprefix("@"))
        for path, contents in contents_of.items()
        for key, star in contents.exported.items()
        if key.startswith("*") and star.startswith("@")
    }
    full_names = {
        path: _full_names(path, contents, modules) for path, contents in contents_of.items()
    }
    imported_names = {
        path: _imported_names(path, contents, contents_of, modules)
        for path, contents in contents_of.items()
    }
    # `_api` counts only decisions with a reason.
    decision = None if api == "auto" else Decision(api, f"--api={api}")
    programs = _programs_of_files(paths_of, contents_of, imported, modules, decision)
    together = {
        path: frozenset(file for program in programs[path] for file in paths_of[program.entry])
        for path in contents_of
    }
    names_of = {
        path: frozenset(map(_public, contents.all_names)) for path, contents in contents_of.items()
    }
    other_names = _OtherNames(names_of)
    other_changes = _OtherNames(
        {path: contents.changed_names for path, contents in contents_of.items()}
    )
    used_names = {
        path: contents.used_attributes
        | contents.used_names
        | ({OF_MODULE} if _uses_any_function(path, contents, modules) else set())
        for path, contents in contents_of.items()
    }
    other_uses = _OtherNames(used_names)
    loading = frozenset(path for path, contents in contents_of.items() if contents.loads_modules)
    return {
        path: FileFacts(
            FilePlan(
                _common(path, programs[path]),
                local=full_names[path],
                local_modules=frozenset(contents.local_heads & heads),
                is_entry=contents.is_main or (contents.has_effects and path not in imported),
                is_starred=path in starred,
                is_shared=path in imported or not contents.has_effects,
                names_elsewhere=other_names.names(path, together[path]),
                changed_elsewhere=other_changes.names(path, together[path]),
                used_elsewhere=other_uses.names(path, together[path] | loading)
                if path in imported
                else None,
            ),
            path in imported,
            imported_names[path],
            {
                name: _definition(place, contents_of, modules)
                for name, place in imported_names[path].items()
            },
            contents.used_attributes,
            contents.used_names,
            contents.methods,
            contents.own_attributes,
            together[path],
            any(v2_switches.is_one(use.name) for use in contents.uses),
            tuple(_notes(path, contents, programs[path], imported)) if api == "auto" else (),
        )
        for path, contents in contents_of.items()
    }


class _Files:
    """All files of some programs: the requested files, and other files that these import.

    Attributes:
      contents: Facts in each file by path, or None for a file that cannot be parsed.
    """

    def __init__(
        self,
        contents_of: dict[str, FileContents | None],
        roots: Mapping[str, str],
        heads: frozenset[str],
    ) -> None:
        self.contents, self._roots, self._heads = contents_of, dict(roots), heads
        self._known = {os.path.realpath(path): path for path in contents_of}
        self._named = self.modules()
        self._files_of: dict[str, Callable[[str, str], list[str]]] = {}
        self._imported: dict[tuple[str, str], tuple[str, ...] | None] = {}
        self._relative = program_files.Search("")

    def modules(self) -> local_modules.LocalModules:
        """Returns the imports among the files that have been read."""
        exported = {path: contents.exported for path, contents in self.contents.items() if contents}
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
        if path not in self.contents:
            self.contents[path] = file_contents.read((path, self._heads))
            self._known[os.path.realpath(path)] = path
            self._roots[path] = os.path.dirname(path)
        contents = self.contents[path]
        return contents.imports if contents is not None else None

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


class _OtherNames:
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
        own_names = self._names_of[path]
        counts = self._counts[together]
        return frozenset(name for name, count in counts.items() if count > (name in own_names))


def _neighbors(requested: Sequence[sources.Source]) -> Iterator[sources.Source]:
    """Yields modules in the folders of single files. They are read, but not changed."""
    known_paths = {os.path.realpath(source.path) for source in requested}
    for folder in sorted({source.root for source in requested}):
        if any(os.path.dirname(s.path) != folder for s in requested if s.root == folder):
            continue  # The folder itself was requested, so all its files have been found.
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if name.endswith(".py") and os.path.realpath(path) not in known_paths:
                yield sources.Source(path, folder)


def _full_names(
    path: str, contents: FileContents, modules: local_modules.LocalModules
) -> dict[str, str]:
    """Returns the full names of names that come from other files."""
    names_used = {use.name for use in contents.local_uses} | contents.alternatives
    full_names = {name: modules.full_name(path, name) for name in sorted(names_used)}
    return {name: full_name for name, full_name in full_names.items() if full_name}


def _uses_any_function(
    path: str, contents: FileContents, modules: local_modules.LocalModules
) -> bool:
    """Says whether a file may use any function of a module, as in `getattr(models, name)`."""
    names = {use.name[1:] for use in contents.local_uses if use.form == "name"}
    places = {name: modules.find(path, name) for name in names}
    return contents.loads_modules or any(
        # A package without an `__init__` has no place.
        "." not in name if place is None else not place[1].removeprefix("*.")
        for name, place in places.items()
    )


def _imported_names(
    path: str,
    contents: FileContents,
    contents_of: Mapping[str, FileContents],
    modules: local_modules.LocalModules,
) -> dict[str, tuple[str, str]]:
    """Returns the file and the name there of names that other files of the program define."""
    names_used = {use.name for use in contents.local_uses}
    places = {name: _place(path, name, contents_of, modules) for name in sorted(names_used)}
    return {
        name: (defining_path, rest)
        for name, place in places.items()
        if place is not None
        for defining_path, rest in ((place[0], place[1].removeprefix("*.")),)
        if rest and "." not in rest and defining_path != path
    }


def _place(
    path: str,
    name: str,
    contents_of: Mapping[str, FileContents],
    modules: local_modules.LocalModules,
) -> tuple[str, str] | None:
    """Returns the file that a name of another file comes from, and the name there, or None.

    With several `import *`, exactly one of the modules must have the name as a function.
    """
    alternatives = bindings.alternatives(name)
    if len(alternatives) == 1:
        return modules.find(path, name[1:])
    places = [
        modules.find(path, alternative[1:]) if alternative.startswith("@") else None
        for alternative in alternatives
    ]
    function = name.rpartition(".*.")[2]
    defining_places = []
    for place in places:
        contents = contents_of.get(place[0]) if place is not None else None
        if place is None or contents is None:
            return None
        if contents.star_names is None:
            return None
        if function in contents.star_names:
            defining_places.append(place)
    if len(defining_places) != 1 or function.startswith("_"):
        return None
    (place,) = defining_places
    return place if function in contents_of[place[0]].functions else None


def _definition(
    place: tuple[str, str],
    contents_of: Mapping[str, FileContents],
    modules: local_modules.LocalModules,
) -> tuple[str, str]:
    """Returns the file that defines a name, and the name there.

    For example, `models/__init__.py` may import the name from `models/deep.py`.

    Args:
      place: File and name there, as in `FileFacts.imported_names`.
      contents_of: All files.
      modules: Imports among the files.
    """
    for _ in range(_MAX_DEPTH):
        path, name = place
        if path not in contents_of or name in contents_of[path].functions:
            return place
        exported = contents_of[path].exported
        values = (
            bindings.alternatives(exported[name])
            if name in exported
            else [f"{star}.{name}" for key, star in exported.items() if key.startswith("*")]
        )
        candidates = [modules.find(path, value[1:]) for value in values if value.startswith("@")]
        origins = [
            (file, rest.removeprefix("*."))
            for file, rest in filter(None, candidates)
            if rest.removeprefix("*.") and file != path and _may_have(contents_of.get(file), rest)
        ]
        if not origins:
            return place
        place = origins[0]
    return place


def _may_have(contents: FileContents | None, name: str) -> bool:
    """Says whether a file may define a name, or pass it on by a star import."""
    name = name.removeprefix("*.")
    if contents is None or "." in name:
        return False
    is_starred = any(key.startswith("*") for key in contents.exported)
    return name in contents.functions or name in contents.exported or is_starred


def _programs_of_files(
    paths_of: Mapping[str, Sequence[str]],
    contents_of: Mapping[str, FileContents],
    imported: Set[str],
    modules: local_modules.LocalModules,
    decision: Decision | None,
) -> dict[str, list[_Program]]:
    """Returns the programs of each file, with their facts.

    Args:
      paths_of: Files of the program that starts with each file.
      contents_of: All files.
      imported: Files that other files import.
      modules: Imports among the files.
      decision: TensorFlow version of all programs, or None to read it from each program.
    """
    programs: dict[str, list[_Program]] = {}
    entries = [path for path in paths_of if path not in imported or contents_of[path].is_main]
    for entry in dict.fromkeys((*entries, *paths_of)):
        if entry in programs and entry in imported and not contents_of[entry].is_main:
            continue  # It is only a part of programs that have been decided.
        uses = (
            api_choice.FileUses(p, contents_of[p].uses, contents_of[p].local_uses)
            for p in paths_of[entry]
        )
        version = decision or api_choice.decide(uses, modules)
        program = _Program(
            entry, _program_facts(paths_of[entry], contents_of, version.api), version
        )
        for path in paths_of[entry]:
            programs.setdefault(path, []).append(program)
    return programs


def _program_facts(
    paths: Sequence[str], contents_of: Mapping[str, FileContents], api: str
) -> ProgramFacts:
    """Returns the facts of a program that consists of some files."""
    names = {name for path in paths for name in contents_of[path].all_names}
    return ProgramFacts(
        api=api,
        names=frozenset(map(_public, names)),
        is_old=api == "v1" or any(name.startswith(_OLD) for name in names),
        has_several_files=len(paths) > 1,
        seeds_graphs=any(contents_of[path].sets_seed for path in paths),
        type_words=frozenset().union(*(contents_of[path].type_words for path in paths)),
        runs_app=not names.isdisjoint(_RUN_APP)
        and not any(contents_of[path].reads_flags_early for path in paths),
    )


def _public(name: str) -> str:
    """Returns the name as a program of TensorFlow 1 would write it, for any kind of import."""
    for start, public in _PUBLIC:
        if name.startswith(start):
            return public + name.removeprefix(start)
    return name


def _common(path: str, programs: Sequence[_Program]) -> ProgramFacts:
    """Returns the facts for a file that belongs to several programs."""
    all_facts = [program.facts for program in programs]
    return ProgramFacts(
        api=_api(path, programs),
        names=frozenset().union(*(facts.names for facts in all_facts)),
        is_old=any(facts.is_old for facts in all_facts),
        has_several_files=any(facts.has_several_files for facts in all_facts),
        seeds_graphs=any(facts.seeds_graphs for facts in all_facts),
        type_words=frozenset().union(*(facts.type_words for facts in all_facts)),
        runs_app=all(facts.runs_app for facts in all_facts),
    )


def _api(path: str, programs: Sequence[_Program]) -> str:
    """Returns the TensorFlow version of a file: that of most programs whose names decide it."""
    decided_apis = [program.decision.api for program in programs if program.decision.reason] or [
        "v2"
    ]
    own_apis = [program.decision.api for program in programs if program.entry == path]
    return max(("v2", "v1"), key=lambda api: (decided_apis.count(api), own_apis.count(api)))


def _notes(
    path: str, contents: FileContents, programs: Sequence[_Program], imported: Set[str]
) -> Iterator[str]:
    """Yields notes on a file: the decision for its program, and programs that disagree."""
    if not contents.uses and not contents.local_uses:
        return
    api = _api(path, programs)
    # An imported file whose own names decide nothing is reported only for its importers.
    programs = [
        program for program in programs if program.decision.reason or program.entry not in imported
    ] or programs
    yield from (
        api_choice.message(path, program.decision) for program in programs if program.entry == path
    )
    if other_entries := sorted(
        program.entry for program in programs if program.decision.api != api
    ):
        yield (
            f"{path} is read as {api_choice.TITLES[api]}, but belongs to {other_entries[0]}, "
            f"which is read as {api_choice.TITLES[api_choice.OTHER[api]]}. Set --api for both."
        )
