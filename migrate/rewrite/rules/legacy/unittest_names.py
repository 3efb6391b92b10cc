"""Renames methods of TestCase that Python has dropped: `assertEquals` is `assertEqual`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile

_NAMES = {
    "assertAlmostEquals": "assertAlmostEqual",
    "assertEquals": "assertEqual",
    "assertItemsEqual": "assertCountEqual",
    "assertNotAlmostEquals": "assertNotAlmostEqual",
    "assertNotEquals": "assertNotEqual",
    "assertNotRegexpMatches": "assertNotRegex",
    "assertRaisesRegexp": "assertRaisesRegex",
    "assertRegexpMatches": "assertRegex",
    "assert_": "assertTrue",
    "failIf": "assertFalse",
    "failIfAlmostEqual": "assertNotAlmostEqual",
    "failIfEqual": "assertNotEqual",
    "failUnless": "assertTrue",
    "failUnlessAlmostEqual": "assertAlmostEqual",
    "failUnlessEqual": "assertEqual",
    "failUnlessRaises": "assertRaises",
}


def _find(file: SourceFile) -> Iterator[Change]:
    if not file.plan.program.is_old or not any(name in file.text for name in _NAMES):
        return
    classes = [node for node in file.nodes if isinstance(node, ast.ClassDef)]
    cases = _cases(classes)
    own_methods = {
        part.name for node in classes for part in node.body if isinstance(part, _FUNCTIONS)
    }
    for node in file.nodes:
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        if node.value.id != "self" or node.attr not in _NAMES or node.attr in own_methods:
            continue
        if _enclosing_class(file, node) in cases:
            end = file.span(node)[1]
            edit = Edit(end - len(node.attr), end, _NAMES[node.attr])
            yield Change(file.line_of(end), (edit,))


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _cases(classes: list[ast.ClassDef]) -> set[ast.AST]:
    """Returns the classes that inherit from a TestCase, directly or through others of this file."""
    cases: set[ast.AST] = set()
    names: set[str] = set()
    # Repeat, because a class may inherit from a class that is found later.
    while True:
        subclasses = [
            node
            for node in classes
            if node not in cases
            and any(
                _last_part(base).endswith("TestCase") or _last_part(base) in names
                for base in node.bases
            )
        ]
        if not subclasses:
            return cases
        cases.update(subclasses)
        names.update(node.name for node in subclasses)


def _last_part(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _enclosing_class(file: SourceFile, node: ast.AST) -> ast.AST | None:
    outer = file.parent(node)
    while outer is not None and not isinstance(outer, ast.ClassDef):
        outer = file.parent(outer)
    return outer


RULE = Rule(
    __name__,
    _find,
    message="Methods of TestCase get their current names.",
    source="https://docs.python.org/3/whatsnew/3.12.html#id3",
    symbols=tuple(f"unittest.TestCase.{name}" for name in _NAMES),
    recipe="sessions_and_graphs",
)
