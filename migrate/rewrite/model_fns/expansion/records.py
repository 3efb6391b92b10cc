"""Replaces entries of dictionaries in a model_fn by variables, if nothing needs the dictionaries.

draft = without_records(draft)

For example, after `outputs = {"loss": loss}`, the variable `loss` takes the place of
`outputs["loss"]`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.model_fns.rendering import Rendered


def without_records(draft: Draft) -> Draft:
    """Returns a copy of a file in which variables hold the entries of dictionaries.

    Args:
      draft: The copy of the file.
    """
    done: set[str] = set()
    while True:
        names = sorted(_records(draft) - done)
        if not names:
            return draft
        done.add(names[0])
        draft = _without(draft, names[0])


def _records(draft: Draft) -> set[str]:
    """Returns the names of dictionaries that the model_fn uses only entry by entry."""
    simple = [*inlining.statements_of(draft.function.body)]
    names = {
        target.id
        for statement in simple
        if isinstance(statement, ast.Assign) and _entries(statement.value) is not None
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    whole: set[str] = set()
    for node in ast.walk(draft.function):
        if not isinstance(node, ast.Name) or node.id not in names:
            continue
        parent = draft.file.parent(node)
        is_assignment = (
            isinstance(parent, ast.Assign)
            and parent in simple
            and parent.targets == [node]
            and _entries(parent.value) is not None
        )
        if not is_assignment and _key(parent) is None:
            whole.add(node.id)
    return names - whole


def _entries(node: ast.expr) -> dict[str, ast.expr] | None:
    """Returns the entries of a dictionary with constant keys. None for other expressions."""
    if not isinstance(node, ast.Dict) or not node.keys:
        return None
    keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
    if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(keys):
        return None
    return {str(key): value for key, value in zip(keys, node.values, strict=True)}


def _key(node: ast.AST | None) -> str | None:
    """Returns the constant key of an entry. None for other expressions."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return node.slice.value if isinstance(node.slice.value, str) else None
    return None


@expansion
def _without(draft: Draft, name: str) -> Draft:
    """Returns a copy in which variables replace the entries of a dictionary."""
    if any(name in slices.read(statement.test) for statement in _if_statements(draft.function)):
        return draft  # The head of an `if` shares its statement with the body.
    used_names = inlining.names_of(draft)
    texts: dict[str, str] = {}
    rendered = Rendered(draft.file)
    for node in ast.walk(draft.function):
        key = _key(node)
        if key is None or not isinstance(node, ast.Subscript) or slices.base(node) != name:
            continue
        if isinstance(node.value, ast.Name):
            rendered.replace(node, texts.setdefault(key, _free_name(name, key, used_names)))
            used_names.add(texts[key])
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    for statement in inlining.statements_of(draft.function.body):
        if name not in slices.bound(statement) | slices.read(statement):
            continue
        indent = draft.file.indent(statement.lineno)
        lines = rendered.statement(statement, indent)
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name:
            entries = _entries(statement.value) or {}
            for key in entries:
                texts.setdefault(key, _free_name(name, key, used_names))
                used_names.add(texts[key])
            values = [
                f"{texts[key]} = {rendered.text(expression)}" for key, expression in entries.items()
            ]
            lines = "\n".join(f"{indent}{value}" for value in values)
        new_lines[statement] = draft.lines_of(statement, lines)
    return draft.with_lines(new_lines)


def _if_statements(function: ast.FunctionDef) -> list[ast.If]:
    return [node for node in ast.walk(function) if isinstance(node, ast.If)]


def _free_name(name: str, key: str, used_names: set[str]) -> str:
    for candidate in (key, f"{name}_{key}"):
        if candidate.isidentifier() and candidate not in used_names:
            return candidate
    return inlining.free_name(f"{name}_{key}".replace(" ", "_"), used_names)
