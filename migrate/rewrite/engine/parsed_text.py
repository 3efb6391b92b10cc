r"""A parsed text, which files with different plans share.

>>> parsed = ParsedText("def f(x):\n    return x\n", "job.py")
>>> parsed.functions[parsed.tree.body[0].body[0]].name
'f'
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator

from legacy.reading import used_names as names
from legacy.reading.used_names import Use
from legacy.reading.version_tests import VERSIONS

_LINE_END = re.compile(r"\r\n|\n|\r")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class ParsedText:
    """A text with its tree, and the facts that are derived from these two alone.

    Attributes:
      text: The text.
      tree: Its tree. Nothing may change the tree.
      newline: Its line end.
      starts: Offset of the start of each line.
    """

    def __init__(self, text: str, path: str) -> None:
        """Parses a text.

        Args:
          text: Text of a file.
          path: Name of the file, for messages.

        Raises:
          SyntaxError: The text is not Python of this version.
        """
        self.text, self._path = text, path
        self.tree = ast.parse(text, path)
        ends = [match.end() for match in _LINE_END.finditer(text)]
        self.starts = [0, *ends]
        self.newline = (_LINE_END.search(text) or ["\n"])[0]
        self._names: dict[tuple[frozenset[str], str], tuple[list[Use], dict[str, str]]] = {}

    def names(self, local: frozenset[str], api: str) -> tuple[list[Use], dict[str, str]]:
        """Returns the uses of names, and the names for other files, as `used_names.read` does.

        Args:
          local: Top-level names of the modules that count as the program's.
          api: TensorFlow version of the program, "v1" or "v2".
        """
        key = local, api
        if key not in self._names:
            self._names[key] = names.read(
                self.tree, self._path, True, local.__contains__, VERSIONS[api]
            )
        return self._names[key]

    @functools.cached_property
    def parents(self) -> dict[ast.AST, ast.AST | None]:
        """The node that each node is a part of, in the order of `ast.walk`."""
        parents: dict[ast.AST, ast.AST | None] = {self.tree: None}
        # The list grows during the loop, so the order is breadth-first, like that of ast.walk.
        queue: list[ast.AST] = [self.tree]
        for node in queue:
            for child in children(node):
                parents[child] = node
                queue.append(child)
        return parents

    @functools.cached_property
    def functions(self) -> dict[ast.AST | None, Function | None]:
        """The innermost function that each node is in. None at the module's level."""
        functions: dict[ast.AST | None, Function | None] = {}
        for node, parent in self.parents.items():
            # Parents come first, except for nodes such as ast.Load(), which is the same object
            # everywhere in a tree.
            functions[node] = parent if isinstance(parent, _FUNCTIONS) else functions.get(parent)
        return functions

    @functools.cached_property
    def by_place(self) -> dict[tuple[int, int, int, int], ast.expr]:
        """The node at each position: first line and column, last line and column."""
        return {
            (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0): node
            for node in self.parents
            if isinstance(node, (ast.Attribute, ast.Name, ast.Call))
        }


def children(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes that are direct parts of a node, as `ast.iter_child_nodes`, but faster.

    Args:
      node: The node.
    """
    for field in node._fields:
        value = getattr(node, field, None)
        if value.__class__ is list:
            for part in value:
                if isinstance(part, ast.AST):
                    yield part
        elif isinstance(value, ast.AST):
            yield value
