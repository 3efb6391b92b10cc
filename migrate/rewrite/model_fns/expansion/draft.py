r"""A copy of a file whose model_fn is expanded, and whose lines know where they come from.

>>> file = SourceFile("def f(x):\n    return g(x)\n")
>>> draft = Draft.of(file, file.tree.body[0])
>>> changed = draft.with_lines({draft.function.body[0]: [Line("    return x", 7)]})
>>> changed.file.text, changed.origin(2)
('def f(x):\n    return x\n', 7)
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.engine.source_file import SourceFile


class Line(NamedTuple):
    """A line of a draft.

    Attributes:
      text: Its text.
      origin: Number of the line in the file from which it comes.
    """

    text: str
    origin: int


@dataclasses.dataclass(frozen=True)
class Draft:
    """A copy of a file with an expanded model_fn.

    Attributes:
      file: The copy. Only the body of the model_fn differs from the original.
      function: The model_fn in the copy.
      origins: For each line of the copy, the number of its line in the original.
      inlined: Functions whose statements the model_fn contains, by their line in the original.
    """

    file: SourceFile
    function: ast.FunctionDef
    origins: tuple[int, ...]
    inlined: frozenset[int] = frozenset()

    @classmethod
    def of(cls, file: SourceFile, function: ast.FunctionDef) -> Draft:
        """Returns an unchanged copy.

        Args:
          file: The file.
          function: The model_fn.
        """
        return cls(file, function, tuple(range(1, file.text.count("\n") + 2)))

    def origin(self, line: int) -> int:
        """Returns the line of the original file from which a line comes."""
        return self.origins[line - 1]

    def lines_of(self, node: ast.stmt, text: str) -> list[Line]:
        """Returns a text as lines that come from the place of a statement.

        Args:
          node: The statement.
          text: The text.
        """
        return [Line(line, self.origin(node.lineno)) for line in text.splitlines()]

    def with_texts(self, places: Sequence[tuple[int, int]], text: str) -> Draft:
        """Returns a copy with another text at some places. No place has a line break.

        Args:
          places: Offsets of the starts and ends.
          text: The text.
        """
        changed = self.file.text
        for start, end in sorted(places, reverse=True):
            changed = changed[:start] + text + changed[end:]
        return self._with(changed, self.origins, self.inlined)

    def _with(self, text: str, origins: tuple[int, ...], inlined: frozenset[int]) -> Draft:
        file = SourceFile(text, self.file.path, self.file.plan)
        (function,) = (
            node
            for node in file.nodes
            if isinstance(node, ast.FunctionDef) and node.lineno == self.function.lineno
        )
        return Draft(file, function, origins, inlined)

    def with_lines(
        self, changed: Mapping[ast.stmt, Sequence[Line]], inlined: frozenset[int] = frozenset()
    ) -> Draft:
        """Returns a copy in which lines take the place of statements.

        Args:
          changed: The new lines of each statement. No statement contains another one.
          inlined: Functions whose statements are among the lines.
        """
        lines = [
            Line(text, origin)
            for text, origin in zip(self.file.text.split("\n"), self.origins, strict=True)
        ]
        for statement in sorted(changed, key=lambda one: -one.lineno):
            lines[statement.lineno - 1 : statement.end_lineno] = changed[statement]
        text = "\n".join(line.text for line in lines)
        origins = tuple(line.origin for line in lines)
        return self._with(text, origins, self.inlined | inlined)
