"""Writes the names of scopes in loops and branches into the names of their layers and variables.

draft = without_scopes(draft)

For example, `with tf.variable_scope("h%d" % i):` in a loop ends, and `tf.layers.dense(x, 8)` in it
becomes `tf.layers.dense(x, 8, name=("h%d" % i) + "/dense")`. If the scope reuses variables, its
argument `reuse` becomes one of the layer.
"""

from __future__ import annotations

import ast
import collections
from collections.abc import Iterator, Sequence

from migrate.rewrite.model_fns.analysis import keras_objects, modes, slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import hidden_layers
from migrate.rewrite.model_fns.layers import variable_names
from migrate.rewrite.model_fns.layers.calls import contrib_layers, recurrent
from migrate.rewrite.model_fns.rendering import Rendered, one_line

_VARIABLE_SCOPES, _NAME_SCOPES = (
    ("tf.variable_scope",),
    ("tf.name_scope", "tf.compat.v2.name_scope"),
)
_LAYERS = "tf.layers."
# Other functions that make variables.
_OTHERS = ("tf.contrib.rnn.", "tf.nn.rnn_cell.", *keras_objects.MODELS)


@expansion
def without_scopes(draft: Draft) -> Draft:
    """Returns a copy of a file in which the loops and branches of a model_fn have no scopes.

    A scope stays if it may hold other variables than those of layers and tf.get_variable.

    Args:
      draft: The copy of the file.
    """
    return draft.repeatedly(lambda copy: next(_written(copy), None))


def _written(draft: Draft) -> Iterator[dict[ast.stmt, Sequence[Line]]]:
    """Yields the lines that take the place of each scope, the innermost scope first."""
    blocks = (node for node in ast.walk(draft.function) if isinstance(node, (ast.For, ast.If)))
    statements = {
        node for block in blocks for node in ast.walk(block) if isinstance(node, ast.With)
    }
    for statement in sorted(statements, key=lambda node: -node.lineno):
        lines = _lines(draft, statement)
        if lines is not None:
            yield {statement: lines}


def _lines(draft: Draft, statement: ast.With) -> list[Line] | None:
    """Returns the lines of a `with` without its scope. None if it is no known scope."""
    file = draft.file
    scope = statement.items[0].context_expr if len(statement.items) == 1 else None
    kind = file.name_of(scope.func) if isinstance(scope, ast.Call) else None
    if not isinstance(scope, ast.Call) or kind not in (*_VARIABLE_SCOPES, *_NAME_SCOPES):
        return None
    if len(scope.args) != 1 or statement.items[0].optional_vars is not None:
        return None
    options = {keyword.arg: keyword.value for keyword in scope.keywords}
    reuse = options.pop("reuse", None)
    if modes.is_current_scope(file, scope.args[0]):
        return None
    if options or reuse is not None and kind not in _VARIABLE_SCOPES:
        return None
    if isinstance(reuse, ast.Constant) and not reuse.value:
        reuse = None
    calls = hidden_layers.calls_of(statement)
    if hidden_layers.in_body(draft, statement):
        return None
    if any(_has_other_variables(file.name_of(call.func) or "") for call in calls):
        return None
    rendered, counts = Rendered(file), collections.Counter[str]()
    text = one_line(file, scope.args[0])
    changing_names = _changing_names(draft, statement)
    for call in sorted(calls, key=lambda node: file.span(node)[1]):
        if _is_in_block(draft, call, statement):
            return None  # TensorFlow numbers the layers of each branch or round, not of the text.
        name = _rename(draft, rendered, call, text, kind in _VARIABLE_SCOPES, counts)
        if name and reuse is not None and file.name_of(call.func) != "tf.Variable":
            _add_reuse(draft, rendered, call, reuse)
        elif name and not slices.read(ast.parse(name, mode="eval")) & changing_names:
            return None  # TensorFlow numbers the variables of the second round.
    indent = file.indent(statement.lineno)
    lines: list[Line] = []
    for child in statement.body:
        lines += draft.lines_of(child, rendered.statement(child, indent))
    return lines


def _has_other_variables(name: str) -> bool:
    is_known = name in recurrent.RUNS or recurrent.makes_cell(name)
    return name.startswith(_OTHERS) and not is_known


def _rename(
    draft: Draft,
    rendered: Rendered,
    call: ast.Call,
    scope: str,
    is_variable_scope: bool,
    counts: collections.Counter[str],
) -> str:
    """Adds a scope to the name of a layer or variable. Returns the name, or "" for other calls."""
    file = draft.file
    name = file.name_of(call.func) or ""
    if name == "tf.Variable":
        key, kind = "name", "Variable"
    elif not is_variable_scope:
        return ""  # Layers and tf.get_variable do not see a scope of names.
    elif name == "tf.get_variable":
        node = next((word.value for word in call.keywords if word.arg == "name"), None)
        node = call.args[0] if call.args else node
        return _prefix(draft, rendered, node, scope) if node is not None else ""
    elif name.startswith(_LAYERS):
        key, kind = "name", name.removeprefix(_LAYERS)
    elif contrib_layers.is_layer(name):
        key, kind = "scope", contrib_layers.default_name(name)
    elif name in recurrent.RUNS:
        key, kind = "scope", recurrent.default_scope(name)
    else:
        return ""
    node = next((word.value for word in call.keywords if word.arg == key), None)
    if node is not None:
        return _prefix(draft, rendered, node, scope)
    number, counts[kind] = counts[kind], counts[kind] + 1
    own = f'"{kind}_{number}"' if number else f'"{kind}"'
    last = max((*call.args, *(word.value for word in call.keywords)), key=file.span)
    new_name = variable_names.joined([scope, own])
    rendered.replace(last, f"{rendered.text(last)}, {key}={new_name}")
    return new_name


def _is_in_block(draft: Draft, call: ast.Call, statement: ast.With) -> bool:
    """Says whether a layer without a name is in a branch or a loop of a `with`."""
    name = draft.file.name_of(call.func) or ""
    is_layer = name.startswith(_LAYERS) or contrib_layers.is_layer(name)
    if not is_layer or any(keyword.arg in ("name", "scope") for keyword in call.keywords):
        return False
    parent = draft.file.parent(call)
    while parent is not None and parent is not statement:
        if isinstance(parent, (ast.For, ast.If, ast.IfExp)):
            return True
        parent = draft.file.parent(parent)
    return False


def _add_reuse(draft: Draft, rendered: Rendered, call: ast.Call, reuse: ast.expr) -> None:
    """Adds the argument `reuse` of a scope to a layer or variable that has none."""
    if any(keyword.arg == "reuse" for keyword in call.keywords):
        return
    last = max((*call.args, *(word.value for word in call.keywords)), key=draft.file.span)
    text = one_line(draft.file, reuse)
    rendered.replace(last, f"{rendered.text(last)}, reuse={text}")


def _prefix(draft: Draft, rendered: Rendered, node: ast.expr, scope: str) -> str:
    name = variable_names.joined([scope, one_line(draft.file, node)])
    rendered.replace(node, name)
    return name


def _changing_names(draft: Draft, statement: ast.stmt) -> set[str]:
    """Returns the names that the loops around a statement bind."""
    names: set[str] = set()
    parent = draft.file.parent(statement)
    while parent is not None and parent is not draft.function:
        names |= slices.bound(parent) if isinstance(parent, ast.For) else set()
        parent = draft.file.parent(parent)
    return names
