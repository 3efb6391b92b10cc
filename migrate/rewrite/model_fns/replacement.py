"""Replaces a model_fn and its helpers by their classes.

replacement = Replacement(file, draft, place)
replacement.edits(text, "Model", classes, uses=1)
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeVar

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import rendering
from migrate.rewrite.model_fns.analysis.heads import Head
from migrate.rewrite.model_fns.expansion import expanded
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.layers.parts import PartClass
from migrate.rewrite.model_fns.places import Place

_Statement = TypeVar("_Statement", bound=ast.stmt)


class Replacement:
    """The edits of a file that replace functions by classes."""

    def __init__(self, file: SourceFile, draft: Draft, place: Place) -> None:
        """Starts with a model_fn.

        Args:
          file: The file.
          draft: The copy of the file in which the model_fn is expanded.
          place: Place of the class.
        """
        self._file, self._draft, self._place = file, draft, place

    def edits(
        self,
        text: str,
        name: str,
        classes: Sequence[PartClass],
        uses: int,
        head: Head | None = None,
    ) -> Iterator[Edit]:
        """Yields the edits.

        Args:
          text: Text of the class of the model_fn.
          name: Name of the class of the model_fn.
          classes: Classes of the functions with layers.
          uses: Number of uses of the model_fn's name that are removed.
          head: Head of the model_fn, or None.
        """
        yield from self._of_model(text, name, uses, head)
        functions = [self._draft.function, *(part_class.function for part_class in classes)]
        replaced_functions = [self._original(function) for function in functions]
        removed_functions = expanded.removable(self._draft, self._file, replaced_functions)
        for part_class in classes:
            others = bindings.count_reads(
                self._file, part_class.function.name, [*replaced_functions, *removed_functions]
            )
            yield self._edit(part_class.function, part_class.text(), others > 0)
        gone_functions = [*replaced_functions, *removed_functions]
        for function in removed_functions:
            if self._file.function(function) not in gone_functions:
                yield self._removal(function)

    def _of_model(self, text: str, name: str, uses: int, head: Head | None) -> Iterator[Edit]:
        """Yields the edits that replace the model_fn by its class."""
        file, function = self._file, self._original(self._draft.function)
        if self._place.of_class is not None:
            start = file.line_start(self._place.of_class.lineno)  # It has no decorator.
            yield Edit(start, start, f"{text}{file.newline * 3}")
            if self._count_names(self._place.of_class, function.name) <= uses:
                yield self._removal(function)
            return
        is_inner = file.parent(function) is not file.tree
        remaining_uses = 0 if is_inner else bindings.count_reads(file, function.name) - uses
        yield self._edit(function, text, remaining_uses > 0)
        if head is not None and remaining_uses <= 0 and not file.plan.is_shared:
            yield from self._without_head(head)
        if self._place.return_name is not None:
            yield Edit(*file.span(self._place.return_name), name)

    def _count_names(self, of_class: ast.ClassDef, name: str) -> int:
        """Returns the number of places that may use a method, here and in other files."""
        if name == "__call__":
            is_shared = of_class.name in (self._file.plan.used_elsewhere or ())
            return bindings.count_reads(self._file, of_class.name) + is_shared
        other_classes = {
            definition.name
            for definition in self._file.tree.body
            if isinstance(definition, ast.ClassDef) and definition is not of_class
            if any(getattr(statement, "name", "") == name for statement in definition.body)
        }
        nodes = [
            node
            for node in self._file.nodes
            if name in (getattr(node, "attr", ""), getattr(node, "value", ""))
            and not (isinstance(node, ast.Attribute) and ast.unparse(node.value) in other_classes)
        ]
        return len(nodes) + (name in (self._file.plan.used_elsewhere or ()))

    def _without_head(self, head: Head) -> Iterator[Edit]:
        """Yields the edit that removes a head of the module, if nothing else uses it."""
        copy = self._draft.file
        uses = bindings.uses_of_value(copy, head.call)
        if copy.function(head.call) is not None or uses is None:
            return
        if all(copy.function(use) is self._draft.function for use in uses):
            statement = self._original(copy.statement(head.call))
            yield bridged_configs.removal(self._file, statement)

    def _original(self, statement: _Statement) -> _Statement:
        """Returns the statement of the original file that a statement of the draft comes from."""
        line = self._draft.origin(statement.lineno)
        nodes = self._file.nodes
        return next(n for n in nodes if isinstance(n, type(statement)) and n.lineno == line)

    def _removal(self, function: expanded.Definition) -> Edit:
        """Returns the edit that removes a definition, with the empty lines above it."""
        file = self._file
        siblings = getattr(file.parent(function), "body", ())
        first = _first_line(function)
        last = function.end_lineno or function.lineno
        if len(siblings) == 1:  # A class cannot be empty.
            return Edit(file.line_start(first), file.line_end(last), f"{file.indent(first)}pass")
        while first > 1 and not file.text[file.line_start(first - 1) : file.line_end(first - 1)]:
            first -= 1
        return Edit(file.line_start(first), file.line_start(last + 1), "")

    def _edit(self, function: ast.FunctionDef, text: str, stays: bool) -> Edit:
        file, function = self._file, self._original(function)
        stays = stays or bool(function.decorator_list)  # The decorator adds it to a dictionary.
        start = file.line_start(_first_line(function))
        end = file.line_end(function.end_lineno or function.lineno)
        text = rendering.block([text], file.indent(function.lineno))
        return Edit(start, start, f"{text}{file.newline * 3}") if stays else Edit(start, end, text)


def _first_line(definition: expanded.Definition) -> int:
    """Returns the first line of a definition with its decorators."""
    decorators = getattr(definition, "decorator_list", ())
    return min([definition.lineno, *(decorator.lineno for decorator in decorators)])
