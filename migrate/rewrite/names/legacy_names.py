"""Spells old names in new code: `tf.contrib.slim` becomes `tf_contrib.slim`.

The rules of --to=legacy share it. A name is a chain of attributes, such as
`tf.contrib.slim.conv2d`. The new spelling replaces the shortest beginning of the chain for which
the rest keeps its meaning.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from legacy.reading import expressions
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.names import symbol_index, symbol_places

_OLD = ("tensorflow", "tensorflow_estimator")
# Modules with their names in new code. Importing a module of legacy chooses a Keras version, which
# must happen before TensorFlow is imported.
_MODULES = {
    "legacy.contrib": Import("legacy.contrib", "tf_contrib", first=True),
    "legacy.compat.v1.estimator": Import("legacy.compat.v1.estimator", "tf_estimator", first=True),
    "tensorflow.compat.v1": Import("tensorflow.compat.v1", "tf"),
    "tensorflow.core": Import("tensorflow.core", "tf_core"),
    "tensorflow.python": Import("tensorflow.python", "tf_python"),
    "tensorflow.tools": Import("tensorflow.tools", "tf_tools"),
}
_V2_ESTIMATOR = Import("legacy.estimator", "tf_estimator", first=True)
# The v1 Estimators in a program of TensorFlow 2. Its tf.estimator is the module above.
_V1_ESTIMATOR = Import("legacy.compat.v1.estimator", "tf_v1_estimator", first=True)
_TENSORFLOW = Import("tensorflow", "tf")


class Spelling(NamedTuple):
    """A name that needs another spelling.

    Attributes:
      match: The whole name.
      node: Beginning of the name that is replaced.
      place: Full name of its meaning today, or "" for a constant.
      text: The new text.
      imports: Imports that the new text needs.
    """

    match: Match
    node: ast.expr
    place: str
    text: str
    imports: tuple[Import, ...]


def home_of(file: SourceFile, full_name: str) -> str | None:
    """Returns the place of a name today. See `symbol_places.home`.

    The names of one old module may be in several modules today. The old module then maps to
    the module that has most of the names that the file uses.
    """
    homes = file.computed(_homes_of_modules)
    return homes.get(full_name) or symbol_places.home(full_name, file.plan.program.api)


def _homes_of_modules(file: SourceFile) -> dict[str, str]:
    names_of_modules: dict[str, set[str]] = {}
    for match in file.names():
        base = _chain(match.node)[0]
        depth = len(_chain(match.node)) - 1
        parts = match.full_name.split(".")
        if isinstance(base, ast.Name) and 0 < depth < len(parts) and is_old(parts[0]):
            names_of_modules.setdefault(".".join(parts[:-depth]), set()).add(parts[-depth])
    homes = {}
    for module, names in names_of_modules.items():
        places = symbol_places.places_of_module(module, file.plan.program.api)
        if len(places) > 1:
            homes[module] = max(
                places, key=lambda at: sum(symbol_places.has(at, name) for name in names)
            )
    return homes


def is_old(full_name: str) -> bool:
    """Says whether a name is one of old TensorFlow, and so has to be looked up."""
    return full_name.partition(".")[0] in _OLD


def spellings(file: SourceFile) -> Iterator[Spelling]:
    """Yields the names in expressions that need another spelling."""
    for match in file.names():
        # For a computed name, getattr(tf.contrib, name), the written part has its own match.
        if not is_old(match.full_name) or expressions.UNKNOWN in match.full_name.split("."):
            continue
        constant = symbol_places.constant(match.full_name)
        if constant is not None:
            yield Spelling(match, match.node, "", constant, ())
            continue
        home = home_of(file, match.full_name)
        part = _replaced_part(file, match, home) if home else None
        if part is None or is_undecided(file, match):
            continue
        node, place = part
        text, imports = expression(file, place)
        yield Spelling(match, node, place, text, imports)


def is_undecided(file: SourceFile, match: Match) -> bool:
    """Says whether a name is in different places, depending on a condition at run time."""
    home = home_of(file, match.full_name)
    return any(home_of(file, other) != home for other in match.others)


def _replaced_part(file: SourceFile, match: Match, home: str) -> tuple[ast.expr, str] | None:
    """Returns the beginning of a name to replace, and the place that it stands for."""
    chain = _chain(match.node)
    names = match.full_name.split(".")
    chain = chain[-len(names) :]  # The program's own modules may precede it: `common.tf.layers`.
    meaning = None
    for i, node in enumerate(chain):
        depth = len(chain) - 1 - i
        full_name = ".".join(names[: len(names) - depth])
        rest = "".join(f".{name}" for name in names[len(names) - depth :])
        place = home_of(file, full_name)
        if i == 0:
            # The meaning of the name after its import or assignment has been rewritten.
            meaning = _called_place(file, node, full_name) if isinstance(node, ast.Call) else place
            if meaning and _same(meaning + rest, home):
                return None
            if isinstance(node, ast.Name):
                continue
        if place and _same(place + rest, home):
            return node, place
    return match.node, home


def base_home(file: SourceFile, match: Match) -> str | None:
    """Returns the place today of the first part of a name: `tf`, or an imported name."""
    chain = _chain(match.node)
    names = match.full_name.split(".")
    depth = len(chain) - 1
    return home_of(file, ".".join(names[: len(names) - depth])) if depth < len(names) else None


def _called_place(file: SourceFile, call: ast.Call, full_name: str) -> str | None:
    """Returns the current meaning of `getattr(tf, "name")`, or of an import by a function."""
    owner = file.name_of(call.args[0]) if call.args else None
    if len(call.args) > 1 and owner is not None:
        match = next(match for match in file.names() if match.node is call.args[0])
        place = home_of(file, match.full_name)
        return f"{place}.{full_name.rpartition('.')[2]}" if place else None
    return full_name


def _chain(node: ast.expr) -> list[ast.expr]:
    """Returns the beginnings of an attribute, from its first name to the whole."""
    chain = [node]
    while isinstance(node, ast.Attribute):
        node = node.value
        chain.append(node)
    if isinstance(node, ast.Name) and node.id == "self":
        chain.pop()
    return chain[::-1]


def _same(name: str, other: str) -> bool:
    """Says whether two full names are the same. tf.compat.v1 contains itself as compat.v1."""
    return _short(name) == _short(other)


def _short(name: str) -> str:
    for prefix in ("tensorflow.compat.v1.compat.v1", "tensorflow.compat.v1.compat.v2"):
        name = name.replace(prefix, f"tensorflow.{prefix[-9:]}")
    return name


def expression(file: SourceFile, place: str) -> tuple[str, tuple[Import, ...]]:
    """Returns the expression for a place, and the imports that it needs.

    Args:
      file: File that will contain the expression.
      place: A full name of today, such as "legacy.contrib.layers.l2_regularizer".
    """
    module = _module_of(file, place)
    module_import = _MODULES.get(module) or Import(module, module.rpartition(".")[2], first=True)
    if module == "legacy.estimator":
        module_import = _V2_ESTIMATOR
    if module == "legacy.compat.v1.estimator" and file.plan.program.api == "v2":
        module_import = _V1_ESTIMATOR
    if module == "tensorflow":
        module_import = _TENSORFLOW
    suffix = place.removeprefix(module)
    for name, value in file.exported.items():
        full_name = file.full_name(value) if "." in value or "@" in value else value
        is_named_so = not module.startswith("legacy.") or module.rpartition(".")[2] in name
        if is_named_so and name not in file.rebound and home_of(file, full_name) == module:
            return name + suffix, ()
    return file.module_name(module_import) + suffix, (module_import,)


def _module_of(file: SourceFile, place: str) -> str:
    """Returns the module to import for a place: the first from which the rest can be reached."""
    for module in sorted(_MODULES, reverse=True):
        is_below = place == module or place.startswith(f"{module}.")
        if is_below and (module != "legacy.contrib" or _can_be_reached(place, module)):
            return module
    if place.startswith("legacy."):
        if file.plan.program.api == "v2" and _can_be_reached(place, "legacy.estimator"):
            return "legacy.estimator"
        parts = place.split(".")
        while not symbol_index.is_module(".".join(parts)):
            parts.pop()
        return ".".join(parts)
    return "tensorflow"


def _can_be_reached(place: str, module: str) -> bool:
    """Says whether attributes alone lead to a place, once a module is imported."""
    if place != module and not place.startswith(f"{module}."):
        return False
    for name in place.removeprefix(module).split(".")[1:]:
        if not symbol_index.is_module(module):
            return True
        if not symbol_index.has(module, name):
            return False
        module = f"{module}.{name}"
    return True
