"""Writes the arguments of arg_scope into the calls that they are meant for.

draft = without_scopes(draft)

For example, `with slim.arg_scope([slim.conv2d], padding="VALID"):` ends, and `slim.conv2d(x, 8, 3)`
in it becomes `slim.conv2d(x, 8, 3, padding="VALID")`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import hidden_layers
from migrate.rewrite.model_fns.rendering import Rendered

_SCOPES = ("tf.contrib.framework.arg_scope", "tf.contrib.slim.arg_scope")
_MODULES = ("tf.contrib.layers", "tf.contrib.slim")
# Layers that are fully_connected with an activation.
_PARTIALS = ("linear", "relu", "relu6")
# Functions that pass their keyword arguments on to a layer, with the position of the layer.
_REPEATING = {f"{module}.stack": 1 for module in _MODULES}
_REPEATING |= {f"{module}.repeat": 2 for module in _MODULES}


@expansion
def without_scopes(draft: Draft) -> Draft:
    """Returns a copy of a file in which a model_fn has no arg_scope.

    A scope stays if a function that is called in it may have layers of its own.

    Args:
      draft: The copy of the file.
    """
    if "arg_scope" not in draft.file.text:
        return draft
    return draft.repeatedly(lambda copy: next(_written(copy), None))


def _written(draft: Draft) -> Iterator[dict[ast.stmt, Sequence[Line]]]:
    """Yields the lines that take the place of each scope, the innermost scope first."""
    statements = [node for node in ast.walk(draft.function) if isinstance(node, ast.With)]
    for statement in sorted(statements, key=lambda node: -node.lineno):
        for item in statement.items:
            lines = _lines(draft, statement, item)
            if lines is not None:
                yield {statement: lines}


def _lines(draft: Draft, statement: ast.With, item: ast.withitem) -> list[Line] | None:
    """Returns the lines of a `with` without one of its items. None if it is no known scope."""
    file, scope = draft.file, item.context_expr
    if not is_scope(file, scope) or not isinstance(scope, ast.Call):
        return None
    functions = scope.args[0] if len(scope.args) == 1 else None
    if not isinstance(functions, (ast.List, ast.Tuple)) or item.optional_vars is not None:
        return None
    names = [file.name_of(function) for function in functions.elts]
    if None in names or not all(map(_is_repeatable, scope.keywords)):
        return None
    if _changes(statement, scope) or hidden_layers.in_body(draft, statement):
        return None
    layers = {_layer(name) for name in names if name is not None}
    if _has_other_uses(draft, layers):
        return None
    rendered = Rendered(file)
    # Inner calls end first. The texts of outer calls contain their replacements.
    calls = hidden_layers.calls_of(statement)
    for call in sorted(calls, key=lambda node: file.span(node)[1]):
        if _called_layer(file, call) in layers:
            _add(draft, rendered, call, scope.keywords)
    others = [other for other in statement.items if other is not item]
    indent = file.indent(statement.lineno)
    lines: list[Line] = []
    if others:
        text = ", ".join(map(ast.unparse, others))
        lines += draft.lines_of(statement, f"{indent}with {text}:")
        indent += "    "
    for child in statement.body:
        lines += draft.lines_of(child, rendered.statement(child, indent))
    return lines


def _layer(name: str) -> str:
    """Returns a name of a layer that is the same for all names of one function."""
    module, _, last = name.rpartition(".")
    return last.replace("convolution", "conv") if module in _MODULES else name


def _called_layer(file: SourceFile, call: ast.Call) -> str:
    """Returns the layer that a call runs, also by slim.repeat or slim.stack."""
    name = file.name_of(call.func) or ""
    layer = _repeated(file, call)
    return _layer(name if layer is None else file.name_of(layer) or "")


def _repeated(file: SourceFile, call: ast.Call) -> ast.expr | None:
    """Returns the layer that slim.repeat or slim.stack gets. None for other calls."""
    position = _REPEATING.get(file.name_of(call.func) or "")
    if position is None:
        return None
    by_name = (keyword.value for keyword in call.keywords if keyword.arg == "layer")
    return call.args[position] if len(call.args) > position else next(by_name, None)


def _has_other_uses(draft: Draft, layers: set[str]) -> bool:
    """Says whether a model_fn uses layers as values, such as a normalizer_fn, or in partials."""
    file = draft.file
    for match in checks.names_in(file, draft.function):
        layer = _layer(match.name)
        if layer in _PARTIALS and "fully_connected" in layers:
            return True
        parent = file.parent(match.node)
        if layer not in layers or isinstance(parent, ast.Call) and parent.func is match.node:
            continue
        if isinstance(parent, ast.Call) and _repeated(file, parent) is match.node:
            continue
        call = file.parent(parent) if isinstance(parent, (ast.List, ast.Tuple)) else None
        if not isinstance(call, ast.Call) or not is_scope(file, call):
            return True
    return False


def is_scope(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is a call of arg_scope.

    Args:
      file: The file.
      node: The expression.
    """
    return isinstance(node, ast.Call) and file.name_of(node.func) in _SCOPES


def _is_repeatable(keyword: ast.keyword) -> bool:
    """Says whether a value may be computed for each call instead of once."""
    parts = (ast.Lambda, ast.Await, ast.NamedExpr, ast.Yield)
    return keyword.arg is not None and not any(
        isinstance(node, parts) for node in ast.walk(keyword.value)
    )


def _changes(statement: ast.With, scope: ast.Call) -> bool:
    """Says whether a scope's body gives another value to a name of the scope's arguments."""
    names = slices.read(scope)
    return any(names & slices.bound(child) for child in statement.body)


def _add(draft: Draft, rendered: Rendered, call: ast.Call, keywords: Sequence[ast.keyword]) -> None:
    """Adds the arguments of a scope that a call lacks.

    A scope has no arguments that a call passes by position, because arg_scope raises then.
    """
    names = {keyword.arg for keyword in call.keywords}
    parts = [*call.args, *(keyword.value for keyword in call.keywords)]
    if None in names or not parts:
        raise NotUnderstood(f"the arguments of the call in line {call.lineno} are unknown")
    texts = [
        f", {keyword.arg}={draft.file.segment(keyword.value)}"
        for keyword in keywords
        if keyword.arg not in names
    ]
    last = max(parts, key=draft.file.span)
    rendered.replace(last, rendered.text(last) + "".join(texts))
