"""Replaces tf.flags by `from absl import flags`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Edit, Import, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile

_ABSL = Import("absl.flags", "flags")
_MODULES = ("tf.flags", "tf.app.flags")
_VALUES = tuple(f"{module}.FLAGS" for module in _MODULES)
_ARGUMENTS = {"flag_name": "name", "default_value": "default", "docstring": "help"}
_UNPARSED = (
    "absl parses flags only in app.run, which the program does not seem to call, but tf.flags "
    "parses them on first use"
)
_EARLY = "the program reads a flag before app.run parses the flags, which only tf.flags allows"
_RUNS = ("tf.app.run", "absl.app.run")


def _find(file: SourceFile) -> Iterator[Change]:
    early_read = _early_read(file)
    if early_read is not None:
        yield file.suggestion(early_read, _EARLY)
        return
    names = {match.name for match in file.names()}
    parses = file.plan.program.runs_app or not names.isdisjoint(_RUNS)
    assignment = _assignment(file)
    for match in file.v1_names():
        yield from _arguments(file, match)
        node = _module(match)
        if node is None:
            continue
        if not parses:
            yield file.suggestion(node, _UNPARSED)
            return
        if assignment is not None and node is assignment.value:
            yield file.replacement(assignment, "from absl import flags")
        elif assignment is not None:
            yield file.replacement(node, "flags")
        else:
            yield file.replacement(node, file.module_name(_ABSL), (_ABSL,))
    for statement in file.tree.body:
        yield from _import(file, statement, parses)


def _assignment(file: SourceFile) -> ast.Assign | None:
    """Returns the statement `flags = tf.app.flags`, which has the effect of an import."""
    for node in file.tree.body:
        if isinstance(node, ast.Assign) and file.name_of(node.value) in _MODULES:
            names = [ast.unparse(target) for target in node.targets]
            if names == ["flags"]:
                return node
    return None


def _arguments(file: SourceFile, match: Match) -> Iterator[Change]:
    """Yields the renames of arguments to absl's names, which tf.flags accepts too."""
    is_definition = match.name.startswith(_MODULES) and ".DEFINE_" in match.name
    for keyword in match.call.keywords if is_definition and match.call else ():
        if keyword.arg in _ARGUMENTS:
            start, _ = file.span(keyword)
            edit = Edit(start, start + len(keyword.arg), _ARGUMENTS[keyword.arg])
            yield Change(file.line_of(start), (edit,))


def _module(match: Match) -> ast.expr | None:
    """Returns the part of a name that is the module of the flags."""
    node, name = match.node, match.name
    while name not in _MODULES and isinstance(node, ast.Attribute):
        node, name = node.value, name.rpartition(".")[0]
    return node if name in _MODULES and isinstance(node, ast.Attribute) else None


def _import(file: SourceFile, node: ast.stmt, parses: bool) -> Iterator[Change]:
    """Rewrites `from tensorflow import flags`."""
    if isinstance(node, ast.ImportFrom) and len(node.names) == 1:
        full_name = f"{node.module}.{node.names[0].name}".replace("compat.v1.", "")
        if full_name.replace("tensorflow", "tf", 1) not in _MODULES:
            return
        if parses:
            start = file.span(node)[0] + file.segment(node).index(node.module or "")
            edit = Edit(start, start + len(node.module or ""), "absl")
            yield Change(node.lineno, (edit,))
        else:
            yield file.suggestion(node, _UNPARSED)


def _early_read(file: SourceFile) -> ast.Attribute | None:
    """Returns a flag that is read before a main function runs."""
    flags = {match.node for match in file.names() if match.name in _VALUES}
    names = {
        target.id
        for node in file.tree.body
        if isinstance(node, ast.Assign) and node.value in flags
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in file.nodes:
        if isinstance(node, ast.Attribute) and file.function(node) is None:
            value = node.value
            if value in flags or (isinstance(value, ast.Name) and value.id in names):
                return node
    return None


RULE = Rule(
    __name__,
    _find,
    message="absl.flags replaces tf.flags, which is another name for the same module.",
    source="https://abseil.io/docs/python/guides/flags",
    symbols=("tf.flags.*", "tf.app.flags.*"),
    recipe="flags_and_app",
)
