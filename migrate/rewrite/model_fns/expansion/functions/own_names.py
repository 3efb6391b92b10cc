"""Renames an inner function whose name its result takes over.

draft = with_own_names(draft)

For example, `def loss(logits): ...` and then `loss = loss(logits)` become
`def loss_fn(logits): ...` and `loss = loss_fn(logits)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion.draft import Draft, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining


@expansion
def with_own_names(draft: Draft) -> Draft:
    """Returns a copy of a file in which each inner function of a model_fn keeps its name.

    Args:
      draft: The copy of the file.
    """
    while True:
        name, places = next(_replaced_functions(draft), ("", []))
        if not name:
            return draft
        new_name = inlining.free_name(f"{name}_fn", inlining.names_of(draft))
        draft = draft.with_texts(places, new_name)


def _replaced_functions(draft: Draft) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yields each function that one assignment replaces, with the spans of its name."""
    file = draft.file
    own = [node for node in ast.walk(draft.function) if file.function(node) is draft.function]
    for function in own:
        if not isinstance(function, ast.FunctionDef):
            continue
        names = [
            node
            for node in ast.walk(draft.function)
            if isinstance(node, ast.Name)
            and node.id == function.name
            and not _is_shadowed(draft, node)
        ]
        stores = [node for node in names if isinstance(node.ctx, ast.Store)]
        # A nested function may read either value.
        if len(stores) != 1 or any(node not in own for node in names):
            continue
        assignment = file.parent(stores[0])
        if isinstance(assignment, ast.Assign) and file.span(function) < file.span(assignment):
            _, end = file.span(assignment)
            loads = [node for node in names if node is not stores[0] and file.span(node)[1] <= end]
            start = file.span(function)[0] + len("def ")
            name_span = (start, start + len(function.name))
            if loads and file.text[slice(*name_span)] == function.name:
                yield function.name, [name_span, *map(file.span, loads)]


def _is_shadowed(draft: Draft, node: ast.Name) -> bool:
    """Says whether a nested function has a variable or a parameter of the name."""
    function = draft.file.function(node)
    while function is not None and function is not draft.function:
        parameters = {
            argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)
        }
        if node.id in parameters:
            return True
        if isinstance(function, ast.FunctionDef) and node.id in slices.bound_inside(function):
            return True
        function = draft.file.function(function)
    return False
