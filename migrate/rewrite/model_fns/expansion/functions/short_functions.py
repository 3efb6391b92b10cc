"""Writes calls of partials and lambdas of layers as calls of the layers themselves.

draft = without_short_functions(draft)

For example, after `dense = functools.partial(tf.layers.dense, activation=tf.nn.relu)`, the call
`dense(x, 8)` becomes `tf.layers.dense(x, 8, activation=tf.nn.relu)`. The same holds after
`dense = lambda x, units: tf.layers.dense(x, units, tf.nn.relu)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis import checks
from migrate.rewrite.model_fns.expansion.draft import Draft, expansion
from migrate.rewrite.model_fns.layers import parts
from migrate.rewrite.model_fns.rendering import Rendered

_PARTIAL = ("functools.partial", "partial")
_ATOMS = (ast.Attribute, ast.Call, ast.Constant, ast.List, ast.Name, ast.Subscript, ast.Tuple)
_PLAIN = (ast.Attribute, ast.Constant, ast.Name, ast.Subscript)
_MAX_CALLS = 200


class _Edit(NamedTuple):
    """A change of a call that keeps its lines.

    Attributes:
      texts: New text of each span, the last span first.
      definition: Statement that defines the called name.
    """

    texts: dict[tuple[int, int], str]
    definition: ast.stmt


@expansion
def without_short_functions(draft: Draft) -> Draft:
    """Returns a copy of a file that calls no partials and lambdas with layers.

    Args:
      draft: The copy of the file.
    """
    if "lambda" not in draft.file.text and "partial" not in draft.file.text:
        return draft
    for _ in range(_MAX_CALLS):
        edit = next(_edits(draft.file), None)
        if edit is None:
            break
        for place, text in edit.texts.items():
            draft = draft.with_texts([place], text)
        draft = draft.with_inlined(draft.origin(edit.definition.lineno))
    return draft


def _edits(file: SourceFile) -> Iterator[_Edit]:
    """Yields the change of each call of a partial or a lambda."""
    for call in file.nodes:
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        value = bindings.assigned_value(file, call.func)
        if value is None or bindings.is_repeated(file, value) or not _has_layers(file, value):
            continue
        if not _keeps_meaning(file, value, call):
            continue
        texts: dict[tuple[int, int], str] = {}
        if isinstance(value, ast.Lambda):
            texts = _of_lambda(file, value, call)
        elif isinstance(value, ast.Call) and ast.unparse(value.func) in _PARTIAL:
            texts = _of_partial(file, value, call)
        if texts:
            yield _Edit(texts, file.statement(value))


def _has_layers(file: SourceFile, value: ast.expr) -> bool:
    """Says whether a partial or a lambda calls a function that makes layers, or may make them."""
    names = (match.name for match in checks.names_in(file, value))
    if any(name.startswith(parts.MAKE_VARIABLES) for name in names):
        return True
    called = value.args[0] if isinstance(value, ast.Call) and value.args else None
    binders = bindings.of_scope(file, called) if isinstance(called, ast.Name) else []
    return any(isinstance(binder, ast.FunctionDef) for binder in binders)


def _keeps_meaning(file: SourceFile, value: ast.expr, call: ast.Call) -> bool:
    """Says whether the names and calls of a partial or a lambda mean the same at a call of it."""
    own = {node.arg for node in ast.walk(value) if isinstance(node, ast.arg)}
    for node in ast.walk(value):
        if isinstance(node, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
            return False
        if isinstance(node, ast.Lambda) and node is not value:
            return False
        if isinstance(node, ast.Call) and node is not value and file.name_of(node.func) is None:
            return False  # It may have another result each time.
        if isinstance(node, ast.Name) and node.id not in own and not _is_same(file, node, call):
            return False
    return True


def _is_same(file: SourceFile, name: ast.Name, call: ast.Call) -> bool:
    """Says whether a name has only one value, and is not shadowed at a call."""
    if isinstance(name.ctx, ast.Store) or len(bindings.of_scope(file, name)) > 1:
        return False
    owner = bindings.scope(file, name)
    shadows = {file.function(node) for node in bindings.binders(file, name.id)} - {owner}
    function = file.function(call)
    while function is not None and function is not owner:
        if function in shadows:
            return False
        function = file.function(function)
    return function is owner


def _of_partial(file: SourceFile, partial: ast.Call, call: ast.Call) -> dict[tuple[int, int], str]:
    """Returns the new texts of a call of a partial. Empty if it stays."""
    names = {keyword.arg for keyword in call.keywords}
    options = {keyword.arg: keyword.value for keyword in partial.keywords}
    own = [*call.args, *(keyword.value for keyword in call.keywords)]
    is_starred = any(isinstance(argument, ast.Starred) for argument in (*partial.args, *call.args))
    if None in names or None in options or is_starred or not partial.args or not own:
        return {}
    rendered = Rendered(file)
    first = "".join(f"{rendered.one_line(node)}, " for node in partial.args[1:])
    last = "".join(
        f", {name}={rendered.one_line(node)}" for name, node in options.items() if name not in names
    )
    end = max(file.span(node)[1] for node in own)
    start, stop = file.span(call.func)
    texts = {(end, end): last}
    if first:
        begin = min(file.span(node)[0] for node in (*call.args, *call.keywords))
        texts[begin, begin] = first
    return {**texts, (start, stop): rendered.one_line(partial.args[0])}


def _of_lambda(
    file: SourceFile, function: ast.Lambda, call: ast.Call
) -> dict[tuple[int, int], str]:
    """Returns the new text of a call of a lambda. Empty if it stays."""
    options = function.args
    names = [argument.arg for argument in options.args]
    if options.vararg or options.kwarg or options.posonlyargs or options.kwonlyargs:
        return {}
    keywords = {str(keyword.arg): keyword.value for keyword in call.keywords}
    is_starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    values = dict(zip(names[len(names) - len(options.defaults) :], options.defaults, strict=True))
    values.update({**dict(zip(names, call.args, strict=False)), **keywords})
    is_complete = set(values) == {*names} and len(call.args) <= len(names)
    if not is_complete or is_starred or call.lineno != call.end_lineno:
        return {}
    if not _are_evaluated_once(function.body, values):
        return {}
    rendered = Rendered(file)
    for node in ast.walk(function.body):
        if isinstance(node, ast.Name) and node.id in values:
            value = values[node.id]
            text = rendered.one_line(value)
            rendered.replace(node, text if isinstance(value, _ATOMS) else f"({text})")
    text = rendered.one_line(function.body)
    text = text if isinstance(function.body, _ATOMS) else f"({text})"
    return {file.span(call): text} if "\n" not in text else {}


def _are_evaluated_once(body: ast.expr, values: Mapping[str, ast.expr]) -> bool:
    """Says whether a lambda evaluates its arguments once, and before it makes a layer."""
    others = [name for name, value in values.items() if not isinstance(value, _PLAIN)]
    if any(_has_call(values[name]) for name in others):
        inputs: ast.expr = body
        while isinstance(inputs, ast.Call) and inputs.args:
            inputs = inputs.args[0]
        if not isinstance(inputs, ast.Name) or others != [inputs.id]:
            return False
    reads = [node.id for node in ast.walk(body) if isinstance(node, ast.Name)]
    return all(reads.count(name) == 1 for name in others if _has_call(values[name]))


def _has_call(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Call) for part in ast.walk(node))
