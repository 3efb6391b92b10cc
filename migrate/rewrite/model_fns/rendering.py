"""Writes statements with replaced parts, at a new indent.

rendered = Rendered(file)
rendered.replace(node, "self.dense(x)")
rendered.statement(statement, indent="        ")
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

from migrate.rewrite.engine.source_file import SourceFile, comments
from migrate.rewrite.model_fns import NotUnderstood

_WIDTH = 100


class Rendered:
    """Texts of a file's nodes, some of which are replaced."""

    def __init__(self, file: SourceFile) -> None:
        """Starts with no replacements.

        Args:
          file: The file.
        """
        self._file = file
        self._texts: dict[ast.AST, str] = {}

    def replace(self, node: ast.AST, text: str) -> None:
        """Replaces the text of a node in all later texts."""
        self._texts[node] = text

    def restore(self, node: ast.AST) -> None:
        """Ends the replacement of a node, but not those of its parts."""
        self._texts.pop(node, None)

    def text(self, node: ast.AST) -> str:
        """Returns the text of a node.

        Args:
          node: The node.

        Raises:
          NotUnderstood: A part of an f-string is replaced. Such parts have no reliable position.
        """
        start, end = self._file.span(node)
        parts, position = [], start
        for part in sorted(self._topmost(node), key=self._file.span):
            first, last = self._file.span(part)
            parts += [self._file.text[position:first], self._texts[part]]
            position = last
        return "".join([*parts, self._file.text[position:end]])

    def one_line(self, node: ast.expr) -> str:
        """Returns the text of an expression on one line.

        Args:
          node: The expression.
        """
        text = self.text(node)
        return ast.unparse(ast.parse(f"({text})", mode="eval")) if "\n" in text else text

    def _topmost(self, node: ast.AST) -> Iterator[ast.AST]:
        if node in self._texts:
            yield node
        elif isinstance(node, ast.JoinedStr):
            if any(part in self._texts for part in ast.walk(node)):
                raise NotUnderstood(
                    f"the f-string in line {node.lineno} contains code that changes"
                )
        else:
            for child in ast.iter_child_nodes(node):
                yield from self._topmost(child)

    def statement(self, statement: ast.stmt, indent: str) -> str:
        """Returns the lines of a statement, with its comments, at an indent.

        Args:
          statement: The statement.
          indent: Indentation of its lines.

        Raises:
          NotUnderstood: Another statement is on its line, or a new indent would change a string.
        """
        file = self._file
        start, end = file.span(statement)
        last = file.line_end(statement.end_lineno or statement.lineno)
        trailing_text = file.text[end:last].strip()
        if (
            file.text[file.line_start(statement.lineno) : start].strip()
            or trailing_text[:1] not in "#"
        ):
            raise NotUnderstood(f"there is more than one statement in line {statement.lineno}")
        is_moved = indent != file.indent(statement.lineno)
        for node in ast.walk(statement) if is_moved else ():
            if _has_lines(node) and "\n" in file.segment(node):
                raise NotUnderstood(f"a string in line {node.lineno} spans several lines")
        text = self.text(statement)
        lost_comments = [
            comment for comment in comments(file.segment(statement)) if comment not in text
        ]
        above = [*self._comments_above(statement), *lost_comments]
        old_indent = file.indent(statement.lineno)
        lines = [old_indent + text.splitlines()[0], *text.splitlines()[1:]]
        lines[-1] += f"  {trailing_text}" if trailing_text else ""
        lines = [line.removeprefix(old_indent) if line.strip() else "" for line in lines]
        return file.newline.join(indent + line if line else "" for line in [*above, *lines])

    def _comments_above(self, statement: ast.stmt) -> list[str]:
        texts: list[str] = []
        line = statement.lineno - 1
        while line > 0:
            text = self._file.text[self._file.line_start(line) : self._file.line_end(line)].strip()
            if not text.startswith("#"):
                break
            texts.insert(0, text)
            line -= 1
        return texts


def _has_lines(node: ast.AST) -> TypeGuard[ast.JoinedStr | ast.Constant]:
    """Says whether a node is a string that an indent could change."""
    if isinstance(node, ast.JoinedStr):
        return True
    if not isinstance(node, ast.Constant):
        return False
    value = node.value
    return "\n" in value if isinstance(value, str) else isinstance(value, bytes) and b"\n" in value


def one_line(file: SourceFile, node: ast.expr) -> str:
    """Returns the text of an expression on one line."""
    text = file.segment(node)
    return text if "\n" not in text else ast.unparse(node)


def call(
    function: str,
    parts: Sequence[str],
    indent: str,
    before: str = "",
    after: str = "",
    brackets: str = "()",
) -> str:
    """Returns a call on one line, or with one argument per line if that is too long.

    Args:
      function: Text of the called function.
      parts: Texts of the arguments.
      indent: Indentation of the statement with the call.
      before: Text between the indent and the call.
      after: Text after the call.
      brackets: Brackets around the arguments.
    """
    begin, end = brackets[0], brackets[1]
    flat = f"{before}{function}{begin}{', '.join(parts)}{end}{after}"
    if len(indent) + len(flat) <= _WIDTH:
        return flat
    lines = "".join(f"{indent}    {part},\n" for part in parts)
    return f"{before}{function}{begin}\n{lines}{indent}{end}{after}"


def block(lines: Iterable[str], indent: str) -> str:
    """Returns lines at an indent. Empty lines stay empty."""
    return "\n".join(re.sub(r"^(?=.)", indent, line, flags=re.MULTILINE) for line in lines)


def docstring(function: ast.FunctionDef, otherwise: str) -> str:
    """Returns the first line of a function's docstring, as the docstring of a class.

    Args:
      function: The function.
      otherwise: Text for a function without a docstring.
    """
    summary = (ast.get_docstring(function) or otherwise).splitlines()[0]
    quoted = summary.replace("\\", "\\\\").replace('"""', "'''")
    return f'"""{quoted}{" " if quoted.endswith(chr(34)) else ""}"""'


def class_name(file: SourceFile, function: ast.FunctionDef) -> str:
    """Returns a name for the class that a function becomes, such as CnnModel for cnn_model_fn.

    Args:
      file: The file.
      function: The function.
    """
    name = re.sub(r"_?(fn|function)$", "", function.name.strip("_"))
    preferred_name = "".join(part[:1].upper() + part[1:] for part in name.split("_")) or "Model"
    return file.new_name(preferred_name, ("the class of", function), is_public=True)
