r"""A copy of a file whose model_fn is expanded, with the original number of each line.

>>> file = SourceFile("def f(x):\n    return g(x)\n")
>>> draft = Draft.of(file, file.tree.body[0])
>>> changed = draft.with_lines({draft.function.body[0]: [Line("    return x", 7)]})
>>> changed.file.text, changed.origin(2)
('def f(x):\n    return x\n', 7)
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood

_LINE = re.compile(r"(?<=\bin line )\d+")
_MOST_REPLACEMENTS = 60  # Ends a replacement that makes new places for itself.
_P = ParamSpec("_P")
_Result = TypeVar("_Result")


class Line(NamedTuple):
    """A line of a draft.

    Attributes:
      text: Text of the line.
      origin: Number of the line of the original file that it comes from.
    """

    text: str
    origin: int


@dataclasses.dataclass(frozen=True)
class Draft:
    """A copy of a file with an expanded model_fn.

    Attributes:
      file: The copy. Only the body of the model_fn differs from the original, and functions of
        other files may follow at its end.
      function: The model_fn in the copy.
      origins: For each line of the copy, the number of the original line.
      inlined: Original line numbers of the functions whose statements the model_fn contains.
      helpers: Names of the functions of other files at the end of the copy.
      imports: Modules that these functions need, with their names in the copy.
    """

    file: SourceFile
    function: ast.FunctionDef
    origins: tuple[int, ...]
    inlined: frozenset[int] = frozenset()
    helpers: frozenset[str] = frozenset()
    imports: frozenset[tuple[Import, str]] = frozenset()

    @classmethod
    def of(cls, file: SourceFile, function: ast.FunctionDef) -> Draft:
        """Returns an unchanged copy.

        Args:
          file: The file.
          function: The model_fn.
        """
        return cls(file, function, tuple(range(1, file.text.count("\n") + 2)))

    def origin(self, line: int) -> int:
        """Returns the number of the original line that a line comes from."""
        return self.origins[line - 1]

    def in_original(self, reason: str) -> str:
        """Returns a reason whose line numbers are those of the original file.

        Args:
          reason: Reason why the model_fn is not understood, with line numbers of the copy.
        """
        return _LINE.sub(lambda match: str(self.origin(int(match[0]))), reason)

    def lines_of(self, node: ast.stmt, text: str) -> list[Line]:
        """Returns a text as lines whose origin is the line of a statement.

        Args:
          node: The statement.
          text: The text.
        """
        return [Line(line, self.origin(node.lineno)) for line in text.splitlines()]

    def with_texts(self, places: Sequence[tuple[int, int]], text: str) -> Draft:
        """Returns a copy in which a text replaces some spans. No span has a line break.

        Args:
          places: Start and end offset of each span.
          text: The text.
        """
        new_text = self.file.text
        for start, end in sorted(places, reverse=True):
            new_text = new_text[:start] + text + new_text[end:]
        return self._with(new_text, self.origins, self.inlined)

    def _with(self, text: str, origins: tuple[int, ...], inlined: frozenset[int]) -> Draft:
        file = SourceFile(text, self.file.path, self.file.plan)
        (function,) = (
            node
            for node in file.nodes
            if isinstance(node, ast.FunctionDef) and node.lineno == self.function.lineno
        )
        return Draft(file, function, origins, inlined, self.helpers, self.imports)

    def with_inlined(self, line: int) -> Draft:
        """Returns a copy that contains the statements of one more definition.

        Args:
          line: Original line number of the function, class or assignment.
        """
        return dataclasses.replace(self, inlined=self.inlined | {line})

    def with_helpers(
        self,
        calls: Sequence[ast.expr],
        name: str,
        texts: Mapping[str, str],
        imports: Mapping[Import, str],
    ) -> Draft:
        """Returns a copy that calls a function at its end instead of one of another file.

        Args:
          calls: The called expressions to replace.
          name: Name of the function in the copy.
          texts: Texts of that function, and of those that it calls, by their names in the copy.
          imports: Modules that these functions need, with their names in the copy.
        """
        origin = self.origin(calls[0].lineno)
        draft = self.with_texts([self.file.span(call) for call in calls], name)
        lines = [module.statement(text) for module, text in imports.items()]
        lines += "\n".join(texts.values()).split("\n")
        text = "\n".join([draft.file.text, *lines])
        changed = draft._with(text, (*draft.origins, *[origin] * len(lines)), self.inlined)
        return dataclasses.replace(
            changed, helpers=self.helpers | {*texts}, imports=self.imports | {*imports.items()}
        )

    def with_lines(
        self, replacements: Mapping[ast.stmt, Sequence[Line]], inlined: frozenset[int] = frozenset()
    ) -> Draft:
        """Returns a copy in which lines take the place of statements.

        Args:
          replacements: New lines of each statement. No statement contains another one.
          inlined: Original line numbers of the functions whose statements are among the lines.
        """
        lines = [
            Line(text, origin)
            for text, origin in zip(self.file.text.split("\n"), self.origins, strict=True)
        ]
        for statement in sorted(replacements, key=lambda statement: -statement.lineno):
            lines[statement.lineno - 1 : statement.end_lineno] = replacements[statement]
        text = "\n".join(line.text for line in lines)
        origins = tuple(line.origin for line in lines)
        return self._with(text, origins, self.inlined | inlined)

    def repeatedly(
        self, find: Callable[[Draft], Mapping[ast.stmt, Sequence[Line]] | None]
    ) -> Draft:
        """Returns a copy in which lines take the place of statements until none is left.

        Args:
          find: Returns the next lines of statements, as for `with_lines`, or None for none.
        """
        draft = self
        for _ in range(_MOST_REPLACEMENTS):
            lines = find(draft)
            if lines is None:
                break
            draft = draft.with_lines(lines)
        return draft


def expansion(
    function: Callable[Concatenate[Draft, _P], _Result],
) -> Callable[Concatenate[Draft, _P], _Result]:
    """Makes a function of a draft raise errors with the line numbers of the original file."""

    @functools.wraps(function)
    def with_original_lines(draft: Draft, *args: _P.args, **kwargs: _P.kwargs) -> _Result:
        try:
            return function(draft, *args, **kwargs)
        except NotUnderstood as error:
            raise NotUnderstood(draft.in_original(str(error))) from error

    return with_original_lines
