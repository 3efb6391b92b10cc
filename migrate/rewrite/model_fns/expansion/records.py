"""Replaces entries of dictionaries in a model_fn by variables, if nothing needs the dictionaries.

draft = without_records(draft)

For example, after `outputs = {"loss": loss}`, the variable `loss` takes the place of
`outputs["loss"]`.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion import inlining
from migrate.rewrite.model_fns.expansion.draft import Draft, Line
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
    """Returns the dictionaries of which the model_fn uses only single entries."""
    simple = [*inlining.statements_of(draft.function.body)]
    made = {
        target.id
        for one in simple
        if isinstance(one, ast.Assign) and _entries(one.value) is not None
        for target in one.targets
        if isinstance(target, ast.Name)
    }
    whole: set[str] = set()
    for node in ast.walk(draft.function):
        if not isinstance(node, ast.Name) or node.id not in made:
            continue
        parent = draft.file.parent(node)
        is_made = (
            isinstance(parent, ast.Assign)
            and parent in simple
            and parent.targets == [node]
            and _entries(parent.value) is not None
        )
        if not is_made and _key(parent) is None:
            whole.add(node.id)
    return made - whole


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


def _without(draft: Draft, name: str) -> Draft:
    """Returns a copy without one dictionary."""
    taken = inlining.names_of(draft)
    texts: dict[str, str] = {}
    rendered = Rendered(draft.file)
    for node in ast.walk(draft.function):
        key = _key(node)
        if key is None or not isinstance(node, ast.Subscript) or slices.base(node) != name:
            continue
        if isinstance(node.value, ast.Name):
            rendered.replace(node, texts.setdefault(key, _free(name, key, taken)))
            taken.add(texts[key])
    changed: dict[ast.stmt, Sequence[Line]] = {}
    for statement in inlining.statements_of(draft.function.body):
        if name not in slices.bound(statement) | slices.read(statement):
            continue
        indent = draft.file.indent(statement.lineno)
        lines = rendered.statement(statement, indent)
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name:
            entries = _entries(statement.value) or {}
            for key in entries:
                texts.setdefault(key, _free(name, key, taken))
                taken.add(texts[key])
            values = [f"{texts[key]} = {rendered.text(one)}" for key, one in entries.items()]
            lines = "\n".join(f"{indent}{value}" for value in values)
        changed[statement] = draft.lines_of(statement, lines)
    for statement in _heads(draft.function.body):
        if name in slices.read(statement.test):
            return draft  # The head of an `if` shares its statement with the body.
    return draft.with_lines(changed)


def _heads(body: Sequence[ast.stmt]) -> list[ast.If]:
    return [node for one in body for node in ast.walk(one) if isinstance(node, ast.If)]


def _free(name: str, key: str, taken: set[str]) -> str:
    for wanted in (key, f"{name}_{key}"):
        if wanted.isidentifier() and wanted not in taken:
            return wanted
    return inlining.free_name(f"{name}_{key}".replace(" ", "_"), taken)
