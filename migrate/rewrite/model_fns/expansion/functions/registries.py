"""Writes calls of functions in a dictionary as branches, one for each function with layers.

draft = without_registries(draft)

For example, after `MODELS = {"mlp": mlp, "cnn": cnn}`, the statement
`logits = MODELS[params["model"]](x)` becomes an `if` whose branches call `mlp` and `cnn`. Another
key raises a KeyError, as before. The entries may also come from decorators, as in
`@register("mlp")`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.model_fns.expansion.draft import Draft, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining, registering
from migrate.rewrite.model_fns.rendering import Rendered

_PLAIN = (ast.Attribute, ast.Constant, ast.Name, ast.Subscript)
_MAX_CALLS = 20


class _Table(NamedTuple):
    """A dictionary of functions.

    Attributes:
      definition: Its value where the module assigns it to a name.
      functions: Names of the functions, by the texts of their keys.
    """

    definition: ast.expr
    functions: Mapping[str, str]


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
    table: _Table


@expansion
def without_registries(draft: Draft) -> Draft:
    """Returns a copy of a file in which a model_fn calls the functions of dictionaries by name.

    Args:
      draft: The copy of the file.
    """
    registries: set[int] = set()
    for _ in range(_MAX_CALLS):
        site = next(_sites(draft), None)
        if site is None:
            break
        definition = draft.file.statement(site.table.definition)
        origin = draft.origin(definition.lineno)
        lines = draft.lines_of(site.statement, _branches(draft, site))
        draft = draft.with_lines({site.statement: lines}, frozenset((origin,)))
        registries.add(origin)
    return _without_decorators(draft, registries)


def _without_decorators(draft: Draft, registries: Collection[int]) -> Draft:
    """Returns a copy without the decorators that add functions to dictionaries.

    The later steps read only functions without decorators.

    Args:
      draft: The copy of the file.
      registries: Original lines of the dictionaries.
    """
    spans = [
        draft.file.span(entry.decorator)
        for statement in draft.file.tree.body
        if isinstance(statement, ast.Assign) and draft.origin(statement.lineno) in registries
        for entry in registering.entries(draft.file, statement.value)
    ]
    at_signs = [(draft.file.text.rindex("@", 0, start), end) for start, end in spans]
    return draft.with_texts(at_signs, "") if spans else draft


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


def _table(draft: Draft, node: ast.expr) -> _Table | None:
    """Returns the dictionary of functions that a name of the module always holds."""
    file = draft.file
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else None
    if not isinstance(node, ast.Name) or value is None or bindings.scope(file, node) is not None:
        return None
    entries = registering.entries(file, value)
    if not _is_only_read(draft, node.id, [entry.store for entry in entries]):
        return None
    if entries:
        functions = {entry.key: entry.function.name for entry in entries}
        if any(_is_shadowed(draft, name) for name in functions.values()):
            return None
        return _Table(value, functions)
    if not isinstance(value, ast.Dict) or not value.keys:
        return None
    keys = [key.value if isinstance(key, ast.Constant) else None for key in value.keys]
    is_clear = all(isinstance(key, str) for key in keys) and len({*keys}) == len(keys)
    if not is_clear or not all(_is_function(draft, part) for part in value.values):
        return None
    texts = [file.segment(key) for key in value.keys if key is not None]
    return _Table(value, dict(zip(texts, map(file.segment, value.values), strict=True)))


def _is_function(draft: Draft, node: ast.expr) -> bool:
    """Says whether an expression is the name of a function of the module."""
    if not isinstance(node, ast.Name) or _is_shadowed(draft, node.id):
        return False
    bound = bindings.of_scope(draft.file, node)
    return len(bound) == 1 and isinstance(bound[0], ast.FunctionDef)


def _is_shadowed(draft: Draft, name: str) -> bool:
    """Says whether the model_fn binds a name itself."""
    return any(
        draft.file.function(other) is draft.function for other in bindings.binders(draft.file, name)
    )


def _is_only_read(draft: Draft, name: str, stores: Sequence[ast.Name]) -> bool:
    """Says whether a file only looks up entries of a dictionary, or lists its keys.

    Args:
      draft: The copy of the file.
      name: Name of the dictionary.
      stores: Uses of the name in decorators that add entries.
    """
    file = draft.file
    for node in file.nodes:
        if not isinstance(node, ast.Name) or node.id != name or isinstance(node.ctx, ast.Store):
            continue
        if node in stores:
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
    for text, function in site.table.functions.items():
        rendered = Rendered(file)
        rendered.replace(site.call.func, function)
        word = "elif" if lines else "if"
        lines.append(f"{indent}{word} {key} == {text}:")
        lines.append(rendered.statement(site.statement, f"{indent}    "))
    lines += [f"{indent}else:", f"{indent}    raise KeyError({key})"]
    return "\n".join(lines)
