"""Turns comprehensions that make layers into loops.

draft = without_comprehensions(draft)

For example, `nets = [tf.layers.dense(x[key], 8) for key in KEYS]` becomes `nets = []` and a loop
that appends to it. The layers of a loop become a list of the Keras model.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.model_fns.analysis import checks
from migrate.rewrite.model_fns.expansion.draft import Draft, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.model_fns.layers import parts
from migrate.rewrite.model_fns.rendering import Rendered

_MAX_COMPREHENSIONS = 60
_NAME = "parts"


@expansion
def without_comprehensions(draft: Draft) -> Draft:
    """Returns a copy of a file in which loops make the layers of comprehensions.

    Args:
      draft: The copy of the file.
    """
    for _ in range(_MAX_COMPREHENSIONS):
        site = next(_with_layers(draft), None)
        if site is None:
            break
        draft = _without(draft, *site)
    return draft


def _with_layers(draft: Draft) -> Iterator[tuple[ast.stmt, ast.ListComp]]:
    """Yields the comprehensions that make layers, with their statements."""
    for statement in inlining.statements_of(draft.function.body):
        for node in ast.walk(statement):
            is_own = isinstance(node, ast.ListComp) and draft.file.statement(node) is statement
            if not isinstance(node, ast.ListComp) or not is_own:
                continue
            if _makes_layers(draft, node) and _is_plain(node):
                yield statement, node


def _makes_layers(draft: Draft, node: ast.ListComp) -> bool:
    names = [match.name for match in checks.names_in(draft.file, node.elt)]
    makes = any(name.startswith(parts.MAKE_VARIABLES) for name in names)
    return makes and not any("Cell" in name or "Wrapper" in name for name in names)


def _is_plain(node: ast.ListComp) -> bool:
    (loop, *others) = node.generators
    inner = [part for part in ast.walk(node.elt) if isinstance(part, (ast.ListComp, ast.Lambda))]
    return not others and not loop.ifs and not loop.is_async and not inner


def _without(draft: Draft, statement: ast.stmt, node: ast.ListComp) -> Draft:
    """Returns a copy in which a loop replaces a comprehension."""
    file, loop = draft.file, node.generators[0]
    used_names = inlining.names_of(draft)
    is_whole = getattr(statement, "value", None) is node and isinstance(statement, ast.Assign)
    target = statement.targets[0] if isinstance(statement, ast.Assign) and is_whole else None
    is_read = any(
        isinstance(part, ast.Name) and isinstance(target, ast.Name) and part.id == target.id
        for part in ast.walk(node)
    )
    if isinstance(target, ast.Name) and not is_read:
        name = target.id
    else:
        name = inlining.free_name(_NAME, used_names)
        used_names.add(name)
    rendered = Rendered(file)
    # A comprehension has variables of its own.
    outside = {
        part.id
        for part in ast.walk(draft.function)
        if isinstance(part, ast.Name) and not _is_inside(part, node)
    }
    for variable in {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}:
        new_name = inlining.free_name(variable, outside) if variable in outside else variable
        for part in (*ast.walk(loop.target), *ast.walk(node.elt)):
            if isinstance(part, ast.Name) and part.id == variable and new_name != variable:
                rendered.replace(part, new_name)
    indent = file.indent(statement.lineno)
    lines = [
        f"{indent}{name} = []",
        f"{indent}for {rendered.text(loop.target)} in {rendered.one_line(loop.iter)}:",
        f"{indent}    {name}.append({rendered.one_line(node.elt)})",
    ]
    if not isinstance(target, ast.Name) or name != target.id:
        rendered.replace(node, name)
        lines += rendered.statement(statement, indent).splitlines()
    return draft.with_lines({statement: draft.lines_of(statement, "\n".join(lines))})


def _is_inside(part: ast.AST, node: ast.AST) -> bool:
    return any(part is inner for inner in ast.walk(node))
