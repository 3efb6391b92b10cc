"""Replaces imports of dropped names of Python and NumPy: `from collections import Iterable`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.rules.legacy import python_names

_MODULES = frozenset(name.partition(".")[0] for name in python_names.NAMES) | {"inspect"}


class _Part(NamedTuple):
    """A name that an import binds: its module, its name there, and its name here."""

    module: str
    name: str
    local: str

    def text(self) -> str:
        return self.name if self.local == self.name else f"{self.name} as {self.local}"


def _find(file: SourceFile) -> Iterator[Change]:
    if not file.plan.program.is_old:
        return
    guarded_lines = {use.line for use in file.uses if use.guarded}
    for node in file.nodes:
        if not isinstance(node, ast.ImportFrom) or node.level or node.module not in _MODULES:
            continue
        if any(alias.lineno in guarded_lines for alias in node.names):
            continue
        parts = [_old_and_new(file, node.module, alias) for alias in node.names]
        if any(new != old for old, new in parts):
            yield file.replacement(node, _statements(file, node, [new for _, new in parts]))


def _old_and_new(file: SourceFile, module: str, alias: ast.alias) -> tuple[_Part, _Part]:
    """Returns a part of an import, and the part that replaces it."""
    old = _Part(module, alias.name, alias.asname or alias.name)
    full_name = f"{module}.{alias.name}"
    new = python_names.NAMES.get(full_name, "")
    if full_name == python_names.GETARGSPEC:
        calls = [match for match in file.names() if match.name == full_name and match.call]
        local = alias.asname or "getfullargspec"
        return old, _Part(module, "getfullargspec", local) if calls else old
    if not new.startswith("."):
        return old, old  # It still exists, or became a builtin, as in `from numpy import int`.
    path = f"{module}{new}"
    return old, _Part(path.rpartition(".")[0], path.rpartition(".")[2], old.local)


def _statements(file: SourceFile, node: ast.ImportFrom, parts: list[_Part]) -> str:
    by_module: dict[str, list[str]] = {}
    for part in parts:
        by_module.setdefault(part.module, []).append(part.text())
    statements = [f"from {module} import {', '.join(names)}" for module, names in by_module.items()]
    start, end = file.span(node)
    line = file.text[file.line_start(node.lineno) : file.line_end(node.end_lineno or node.lineno)]
    has_own_line = line.partition("#")[0].strip() == file.text[start:end].partition("#")[0].strip()
    return (f"{file.newline}{file.indent(node.lineno)}" if has_own_line else "; ").join(statements)


RULE = Rule(
    __name__,
    _find,
    message="Names that Python has moved or removed are imported from their current modules.",
    source="https://docs.python.org/3/whatsnew/3.10.html#removed",
    symbols=(*python_names.NAMES, python_names.GETARGSPEC),
    recipe="sessions_and_graphs",
)
