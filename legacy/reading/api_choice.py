"""Decides whether a program is written for TensorFlow 1 or 2, from the names it uses.

>>> from legacy.reading.used_names import Use
>>> choose([Use("tf.placeholder", "old.py", 7, guarded=False, at_start=True)])
Decision(api='v1', reason='tf.placeholder, old.py:7')

A program has one version: `decide` considers all its files. `legacy.run` and `migrate rewrite` use
this decision and print it with `message`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from legacy.names import graph_only, tables, v1_only
from legacy.reading import local_modules, program_files, source, used_names

# Names that cannot have run on TensorFlow 2, regardless of the program's other names.
_ONLY_IN_1 = ("tf.contrib", "tf.examples", "tf.python.estimator")
# Public in TensorFlow 1 only, but programs of both versions import the private modules below it.
_PRIVATE = "tf.python"
TITLES = {"v1": "TensorFlow 1", "v2": "TensorFlow 2"}
OTHER = {"v1": "v2", "v2": "v1"}


class Decision(NamedTuple):
    """The TensorFlow that a program is written for.

    Attributes:
      api: "v1" or "v2".
      reason: The first use that decides, or the option. "" if none does.
    """

    api: str
    reason: str = ""


class FileUses(NamedTuple):
    """The names that a file uses.

    Attributes:
      path: The file.
      uses: Names of TensorFlow, as `used_names.uses_in` lists them.
      local: Names of the program's other modules, with "@" in front, as `used_names.read` lists
        them.
    """

    path: str
    uses: list[used_names.Use]
    local: list[used_names.Use]


def of_program(program: source.Module) -> tuple[list[used_names.Use], Decision]:
    """Reads a program and decides its API.

    Args:
      program: The file that is run.

    Returns:
      The uses of TensorFlow names in all its files, and the decision.
    """
    return of_modules(list(program.modules()), program.folder, program)


def of_modules(
    modules: Sequence[source.Module], folder: str, main: source.Module | None = None
) -> tuple[list[used_names.Use], Decision]:
    """Reads modules that belong together, such as the tests of a project, and decides their API.

    Args:
      modules: The modules.
      folder: Value of `sys.path[0]` when they run.
      main: The module that is run as `__main__`, or None.

    Returns:
      As for `of_program`.
    """
    heads = local_modules.heads(module.path for module in modules)
    file_uses, exports = [], {}
    for module in modules:
        uses = used_names.uses_in(module.tree, module.path, module is main)
        all_uses, exports[module.path] = used_names.read(
            module.tree, module.path, module is main, heads.__contains__
        )
        local = [use for use in all_uses if use.name.startswith("@")]
        file_uses.append(FileUses(module.path, uses, local))
    folders = [folder, *program_files.program_folders()]
    decision = decide(file_uses, local_modules.LocalModules(exports, {}, folders))
    return [use for file in file_uses for use in file.uses], decision


def decide(files: Iterable[FileUses], modules: local_modules.LocalModules) -> Decision:
    """Decides for a program, from the uses in all its files, including uses through one another.

    Args:
      files: Files of the program. The first one is run.
      modules: Resolves imports between the files.
    """
    return choose(use for file in files for use in (*file.uses, *_through(file, modules)))


def _through(file: FileUses, modules: local_modules.LocalModules) -> Iterator[used_names.Use]:
    """Yields the TensorFlow names that a file uses through the program's other files."""
    for use in file.local:
        full_name = modules.full_name(file.path, use.name) or ""
        if full_name.startswith("tensorflow."):
            yield use._replace(name=used_names.public_spelling(full_name))


def choose(uses: Iterable[used_names.Use]) -> Decision:
    """Chooses the API that provides the names.

    - Guarded names are ignored, because the program handles their absence.
    - A single name below `tf.contrib`, `tf.examples` or `tf.python.estimator` decides for
      TensorFlow 1, because the program cannot have run on TensorFlow 2. The other names do not
      count then.
    - Otherwise the API of most uses is chosen, and TensorFlow 2 if there are as many of each.
    - Private modules, below `tf.python`, decide only if no other name does.
    - A program without any deciding name is assumed to be written for TensorFlow 2.

    Args:
      uses: Uses of names in all files of a program.
    """
    uses = list(uses)
    explicit = _explicit_files(uses)
    uses_by_api: dict[str, list[used_names.Use]] = {"v1": [], "v2": [], _PRIVATE: []}
    for use in uses:
        if use.guarded or (_is_of_object(use.name) and use.file in explicit):
            continue
        if _is_below(use.name, _ONLY_IN_1):
            return Decision("v1", _where(use))
        uses_by_api.setdefault(_api_of(use.name) or "", []).append(use)
    v1_uses, v2_uses = uses_by_api["v1"], uses_by_api["v2"]
    if not v1_uses and not v2_uses:
        v1_uses = uses_by_api[_PRIVATE]
    api, majority, minority = (
        ("v1", v1_uses, v2_uses) if len(v1_uses) > len(v2_uses) else ("v2", v2_uses, v1_uses)
    )
    if not majority:
        return Decision("v2")
    counts = f"; {len(majority)} such names against {len(minority)}" if minority else ""
    return Decision(api, _where(majority[0]) + counts)


def for_run(decision: Decision, uses: Iterable[used_names.Use]) -> Decision:
    """Returns the decision for a program that runs by itself.

    If no name decides, and the program calls functions of tf.compat.v1 that fail with eager
    execution, it has run on TensorFlow 1. This does not hold for a program whose functions
    something else calls in a graph, as `migrate train` does.

    Args:
      decision: The decision by the names of the program.
      uses: Uses of names in all its files.
    """
    uses = list(uses)
    calls = [use for use in uses if graph_only.needs_graph(use.name) and not use.guarded]
    if decision.reason or not calls or any(graph_only.provides_graph(use.name) for use in uses):
        return decision
    return Decision("v1", f"{_where(calls[0])}, without eager execution")


def message(program: str, decision: Decision) -> str:
    """Returns the line that reports a decision to the user.

    Args:
      program: Name of the program.
      decision: The decision.
    """
    other_api = OTHER[decision.api]
    reason = decision.reason or "it uses no name of only one version"
    return (
        f"{program} is read as {TITLES[decision.api]} ({reason}); "
        f"--api={other_api} reads it as {TITLES[other_api]}."
    )


def _explicit_files(uses: Iterable[used_names.Use]) -> set[str]:
    """Returns the files that use only tf.compat. Old methods of their datasets decide nothing."""
    by_compat, plain = set(), set()
    for use in uses:
        if use.name.startswith("tf."):
            (by_compat if _is_below(use.name, ("tf.compat",)) else plain).add(use.file)
    return by_compat - plain


def _is_of_object(name: str) -> bool:
    """Returns whether a name is a method or an argument, which does not name its owner."""
    return name in v1_only.METHODS or name in v1_only.ARGUMENTS


def _api_of(name: str) -> str | None:
    if _is_of_object(name):
        return "v1"
    if _is_below(name, (_PRIVATE,)):
        return _PRIVATE
    while name:
        for api in ("v1", "v2"):
            if name in tables.names_of(api):
                return api
        name = name.rpartition(".")[0]
    return None


def _is_below(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _where(use: used_names.Use) -> str:
    return f"{use.name}, {use.file}:{use.line}"
