"""Writes calls of functions in a dictionary as branches, one for each function with layers.

draft = without_registries(draft)

For example, after `MODELS = {"mlp": mlp, "cnn": cnn}`, the statement
`logits = MODELS[params["model"]](x)` becomes an `if` whose branches call `mlp` and `cnn`. Another
key raises a KeyError, as before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.model_fns.expansion.draft import Draft, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.model_fns.rendering import Rendered

_PLAIN = (ast.Attribute, ast.Constant, ast.Name, ast.Subscript)
_MAX_CALLS = 20


class _Site(NamedTuple):
    """A call of an entry of a registry.

    Attributes:
      statement: Statement whose value is the call.
      call: The call.
      key: Key of the entry.
      table: Dictionary of the functions.
    """

    statement: ast.Assign
    call: ast.Call
    key: ast.expr
    table: ast.Dict


@expansion
def without_registries(draft: Draft) -> Draft:
    """Returns a copy of a file in which a model_fn calls the functions of dictionaries by name.

    Args:
      draft: The copy of the file.
    """
    for _ in range(_MAX_CALLS):
        site = next(_sites(draft), None)
        if site is None:
            break
        definition = draft.file.statement(site.table)
        origin = draft.origin(definition.lineno)
        lines = draft.lines_of(site.statement, _branches(draft, site))
        draft = draft.with_lines({site.statement: lines}, frozenset((origin,)))
    return draft


def _sites(draft: Draft) -> Iterator[_Site]:
    """Yields the calls to write as branches."""
    for statement in inlining.statements_of(draft.function.body):
        call = statement.value if isinstance(statement, ast.Assign) else None
        if not isinstance(statement, ast.Assign) or not isinstance(call, ast.Call):
            continue
        entry: ast.expr | None = call.func
        if isinstance(entry, ast.Name):
            entry = bindings.assigned_value(draft.file, entry)
        if not isinstance(entry, ast.Subscript) or not _is_setting(entry.slice):
            continue
        table = _table(draft, entry.value)
        if table is not None:
            yield _Site(statement, call, entry.slice, table)


def _is_setting(key: ast.expr) -> bool:
    """Says whether a key is a name, or a part of one, so that each test may repeat it."""
    return all(
        isinstance(node, (*_PLAIN, ast.expr_context)) for node in ast.walk(key)
    ) and not isinstance(key, ast.Constant)


def _table(draft: Draft, node: ast.expr) -> ast.Dict | None:
    """Returns the dictionary of functions that a name of the module always holds."""
    file = draft.file
    table = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else None
    if not isinstance(node, ast.Name) or not isinstance(table, ast.Dict) or not table.keys:
        return None
    if bindings.scope(file, node) is not None or not _is_only_read(draft, node.id):
        return None
    keys = [key.value if isinstance(key, ast.Constant) else None for key in table.keys]
    is_clear = all(isinstance(key, str) for key in keys) and len({*keys}) == len(keys)
    return table if is_clear and all(_is_function(draft, value) for value in table.values) else None


def _is_function(draft: Draft, node: ast.expr) -> bool:
    """Says whether an expression is the name of a function of the module."""
    bound = bindings.of_scope(draft.file, node) if isinstance(node, ast.Name) else []
    is_shadowed = isinstance(node, ast.Name) and any(
        draft.file.function(other) is draft.function
        for other in bindings.binders(draft.file, node.id)
    )
    return not is_shadowed and len(bound) == 1 and isinstance(bound[0], ast.FunctionDef)


def _is_only_read(draft: Draft, name: str) -> bool:
    """Says whether a file only looks up entries of a dictionary, or lists its keys."""
    file = draft.file
    for node in file.nodes:
        if not isinstance(node, ast.Name) or node.id != name or isinstance(node.ctx, ast.Store):
            continue
        parent = file.parent(node)
        is_entry = isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Load)
        is_keys = isinstance(parent, ast.Attribute) and parent.attr == "keys"
        is_listed = isinstance(parent, ast.Call) and ast.unparse(parent.func) in ("list", "sorted")
        is_test = isinstance(parent, ast.Compare)
        if not (is_entry or is_keys or is_listed or is_test):
            return False
    changed = draft.file.plan.changed_elsewhere
    return not {"*", name, f"@{name}"} & changed


def _branches(draft: Draft, site: _Site) -> str:
    """Returns the text of the branches."""
    file, indent = draft.file, draft.file.indent(site.statement.lineno)
    key = Rendered(file).one_line(site.key)
    lines: list[str] = []
    for name, function in zip(site.table.keys, site.table.values, strict=True):
        rendered = Rendered(file)
        rendered.replace(site.call.func, file.segment(function))
        assert name is not None
        word = "elif" if lines else "if"
        lines.append(f"{indent}{word} {key} == {file.segment(name)}:")
        lines.append(rendered.statement(site.statement, f"{indent}    "))
    lines += [f"{indent}else:", f"{indent}    raise KeyError({key})"]
    return "\n".join(lines)
