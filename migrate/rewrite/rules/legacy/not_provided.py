"""Marks names that nothing provides with a comment that says how to replace them."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from legacy.names import left_out
from legacy.reading import expressions
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile, public_name
from migrate.rewrite.names import legacy_names, symbol_places

_MARK = "# migrate: "
_WIDTH = 100  # Maximum length of a line.


def _find(file: SourceFile) -> Iterator[Change]:
    reports = set()
    for node, message in _missing_names(file):
        statement = file.statement(node)
        if (statement.lineno, message) in reports:
            continue
        reports.add((statement.lineno, message))
        yield Change(node.lineno, unsafe=message)
        indent = file.indent(statement.lineno)
        comment = _comment(message, indent)
        if not _has_comment(file, statement.lineno, comment):
            start = file.line_start(statement.lineno)
            text = "".join(f"{indent}{line}{file.newline}" for line in comment)
            yield Change(statement.lineno, (Edit(start, start, text),))


def _missing_names(file: SourceFile) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yields the nodes of names that neither TensorFlow nor legacy has, each with a message."""
    for match in file.names():
        is_imported = legacy_names.base_home(file, match) is None  # The import is marked.
        if not match.guarded and not is_imported and _is_missing(file, match.full_name):
            yield match.node, left_out.message(_public_name(match.full_name))
    guarded_lines = {use.line for use in file.uses if use.guarded}
    for node in file.nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}".removesuffix(".*") for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names if node.lineno not in guarded_lines else ():
            if legacy_names.is_old(name) and _is_missing(file, name):
                yield node, left_out.message(_public_name(name))


def _is_missing(file: SourceFile, full_name: str) -> bool:
    if full_name.endswith(f".{expressions.UNKNOWN}"):
        return False
    if full_name.startswith("legacy."):
        return symbol_places.lacks(full_name)  # The module before the name was already rewritten.
    if not legacy_names.is_old(full_name) or symbol_places.constant(full_name) is not None:
        return False
    return legacy_names.home_of(file, full_name) is None


def _public_name(full_name: str) -> str:
    if full_name.startswith("legacy."):
        return public_name(full_name)
    return left_out.public_name(full_name.replace("tensorflow.compat.v1.", "tensorflow.", 1))


def _comment(message: str, indent: str) -> list[str]:
    """Returns the lines of the comment, wrapped to the maximum length."""
    return textwrap.wrap(
        _MARK + message,
        # Deeply indented comments may exceed the width, but stay readable.
        max(_WIDTH - len(indent), 40),
        subsequent_indent="#     ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _has_comment(file: SourceFile, line: int, comment: list[str]) -> bool:
    """Says whether the comment is already above a line."""
    comment_lines: list[str] = []
    while line > 1:
        line -= 1
        text = file.text[file.line_start(line) : file.line_end(line)].strip()
        if not text.startswith("#"):
            break
        comment_lines.insert(0, text)
    return any(comment_lines[i : i + len(comment)] == comment for i in range(len(comment_lines)))


RULE = Rule(
    __name__,
    _find,
    message="Names that legacy does not provide get a comment with the reason and the remedy.",
    source="https://github.com/tensorflow/community/blob/master/rfcs/20180907-contrib-sunset.md",
    symbols=("tf.contrib.*", "tf.estimator.*"),
    recipe="sessions_and_graphs",
)
