"""Expands a model_fn as far as its analysis needs.

for draft in drafts(file, function):
    read(draft.file, draft.function)
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.expansion import (
    collected_losses,
    conditional_metrics,
    inlining,
    owners,
    records,
)
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.helpers import Depth

_LINE = re.compile(r"(?<=\bin line )\d+")


def drafts(file: SourceFile, function: ast.FunctionDef) -> Iterator[Draft]:
    """Yields copies of a file in which a model_fn is expanded more and more.

    Args:
      file: The file.
      function: The model_fn.

    Raises:
      NotUnderstood: It cannot be expanded.
    """
    text = file.text
    first = owners.renamed(Draft.of(file, function))
    for depth in Depth:
        draft = inlining.inlined(first, depth)
        draft = owners.without_state(draft, file)
        draft = collected_losses.without_collection(records.without_records(draft))
        draft = conditional_metrics.without_conditions(draft)
        if draft.file.text != text:
            text = draft.file.text
            yield draft


def in_original(draft: Draft, reason: str) -> str:
    """Returns a reason whose line numbers are those of the original file.

    Args:
      draft: The copy of the file.
      reason: The reason why it is not understood.
    """
    return _LINE.sub(lambda match: str(draft.origin(int(match[0]))), reason)


def removable(
    draft: Draft, file: SourceFile, replaced: list[ast.FunctionDef]
) -> list[ast.FunctionDef]:
    """Returns the functions of the original file that nothing uses after the change.

    Args:
      draft: The copy of the file.
      file: The original file.
      replaced: Functions that are replaced by classes.
    """
    functions = [node for node in file.nodes if isinstance(node, ast.FunctionDef)]
    left = [one for one in functions if one.lineno in draft.inlined]
    gone: list[ast.FunctionDef] = []
    inner = {id(node) for one in replaced for node in ast.walk(one)}
    left = [one for one in left if id(one) not in inner]
    if file.plan.is_shared:
        left = [one for one in left if one.name.startswith("_")]
    while True:
        inside = {id(node) for one in (*replaced, *gone) for node in ast.walk(one)}
        unused = [one for one in left if one not in gone and not _is_used(file, one, inside)]
        if not unused:
            return gone
        gone += unused


def _is_used(file: SourceFile, function: ast.FunctionDef, inside: set[int]) -> bool:
    own = {id(node) for node in ast.walk(function)}
    for node in file.nodes:
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        name = node.value if isinstance(node, ast.Constant) else name
        if name == function.name and id(node) not in inside | own:
            return True
    return False
