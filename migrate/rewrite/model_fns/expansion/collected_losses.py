"""Replaces the sum of a collection of losses by a sum of variables.

draft = without_collection(draft)

For example, the statement `tf.losses.mean_squared_error(labels, out)` gets a name, and
`tf.losses.get_total_loss()` becomes the sum of such names and of the regularization losses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, rendering
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.model_fns.rendering import Rendered

_TOTAL = "tf.losses.get_total_loss"
_ADD, _COLLECTION = "tf.losses.add_loss", "loss_collection"
_MOST_ARGUMENTS = 4  # Later positions may be that of the collection.
_REGULARIZATION = "get_regularization_loss"
_WITH_REGULARIZATION = "add_regularization_losses"


@expansion
def without_collection(draft: Draft) -> Draft:
    """Returns a copy of a file in which a model_fn adds up its losses without a collection.

    Args:
      draft: The copy of the file.

    Raises:
      NotUnderstood: The losses in the collection are unknown.
    """
    matches = [*checks.names_in(draft.file, draft.function)]
    totals = [match.call for match in matches if match.name == _TOTAL and match.call is not None]
    if not totals:
        return draft
    total, *other_totals = totals
    options = _options(total)
    if options is None or other_totals:
        raise NotUnderstood(f"it adds its losses in several ways in line {total.lineno}")
    if any(match.name == "tf.losses.get_losses" for match in matches):
        raise NotUnderstood("it changes the collection of losses")
    losses = [
        match.call
        for match in matches
        if match.call is not None and (checks.is_loss(match.name) or match.name == _ADD)
    ]
    for call in losses:
        names_another = any(keyword.arg in (_COLLECTION, None) for keyword in call.keywords)
        if names_another or len(call.args) > _MOST_ARGUMENTS:
            raise NotUnderstood(f"the loss in line {call.lineno} may be in another collection")
    added = {match.call for match in matches if match.name == _ADD}
    end = draft.file.statement(total)
    names: list[str] = []
    used_names = inlining.names_of(draft)
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    for call in sorted(losses, key=draft.file.span):
        statement = draft.file.statement(call)
        if statement.lineno > end.lineno and not _is_before(draft.file, end, statement):
            continue
        if not _is_before(draft.file, statement, end) or statement in new_lines:
            raise NotUnderstood(f"the loss in line {call.lineno} may not be computed")
        name = _name_of(draft, statement, call)
        if call in added:
            name = inlining.free_name("added_loss", used_names)
            used_names.add(name)
            new_lines[statement] = _lines_of_added(draft, statement, call, name)
        elif not name:
            name = inlining.free_name(ast.unparse(call.func).rpartition(".")[2], used_names)
            used_names.add(name)
            new_lines[statement] = _lines_with_name(draft, statement, call, name)
        names.append(name)
    if not names:
        raise NotUnderstood(f"the losses of the collection in line {total.lineno} are unknown")
    if end in new_lines:
        raise NotUnderstood(f"the statement in line {end.lineno} also computes a loss")
    rendered = Rendered(draft.file)
    assert isinstance(total.func, ast.Attribute)
    if options.get(_WITH_REGULARIZATION, True):
        names.append(f"{draft.file.segment(total.func.value)}.{_REGULARIZATION}()")
    rendered.replace(total, f"({' + '.join(names)})")
    indent = draft.file.indent(end.lineno)
    new_lines[end] = draft.lines_of(end, rendered.statement(end, indent))
    return draft.with_lines(new_lines)


def _options(total: ast.Call) -> dict[str, object] | None:
    """Returns the constant arguments of get_total_loss. None for others, such as a scope."""
    args = arguments.bind(total, (_WITH_REGULARIZATION, "name"))
    if args is None or set(args) - {_WITH_REGULARIZATION, "name"}:
        return None
    values = {key: value for key, value in args.items() if isinstance(value, ast.Constant)}
    if len(values) < len(args):
        return None
    return {key: value.value for key, value in values.items()}


def _lines_of_added(draft: Draft, statement: ast.stmt, call: ast.Call, name: str) -> list[Line]:
    """Returns the line that assigns the argument of `tf.losses.add_loss(x)` to a variable."""
    is_whole = isinstance(statement, ast.Expr) and statement.value is call
    if not is_whole or len(call.args) != 1 or isinstance(call.args[0], ast.Starred):
        raise NotUnderstood(f"the loss in line {call.lineno} may be in another collection")
    indent = draft.file.indent(statement.lineno)
    text = rendering.one_line(draft.file, call.args[0])
    return draft.lines_of(statement, f"{indent}{name} = {text}")


def _name_of(draft: Draft, statement: ast.stmt, call: ast.Call) -> str:
    """Returns the variable that holds a loss, or "" if no variable does."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if not isinstance(statement, ast.Assign) or statement.value is not call:
        return ""
    if not isinstance(target, ast.Name) or len(statement.targets) > 1:
        return ""
    names = [node for node in ast.walk(draft.function) if isinstance(node, ast.Name)]
    stores = [name for name in names if name.id == target.id and isinstance(name.ctx, ast.Store)]
    is_changed = any(target.id in slices.changed(statement) for statement in draft.function.body)
    return target.id if len(stores) == 1 and not is_changed else ""


def _lines_with_name(draft: Draft, statement: ast.stmt, call: ast.Call, name: str) -> list[Line]:
    """Returns the lines that assign a loss to a variable, and use the variable instead."""
    indent = draft.file.indent(statement.lineno)
    first = draft.lines_of(statement, f"{indent}{name} = {draft.file.segment(call)}")
    if isinstance(statement, ast.Expr) and statement.value is call:
        return first
    rendered = Rendered(draft.file)
    rendered.replace(call, name)
    return [*first, *draft.lines_of(statement, rendered.statement(statement, indent))]


def _is_before(file: SourceFile, first: ast.stmt, second: ast.stmt) -> bool:
    """Says whether a statement always runs before another one."""
    body = _body_of(file, first)
    ancestors = [second, *_ancestors(file, second)]
    later = body[body.index(first) + 1 :] if first in body else []
    if any(ancestor in later for ancestor in ancestors):
        return True
    # A `with` always runs its body.
    parent = file.parent(first)
    return isinstance(parent, ast.With) and _is_before(file, parent, second)


def _body_of(file: SourceFile, statement: ast.stmt) -> list[ast.stmt]:
    parent = file.parent(statement)
    for field in ("body", "orelse", "finalbody"):
        body = getattr(parent, field, [])
        if statement in body:
            return list(body)
    return []


def _ancestors(file: SourceFile, statement: ast.stmt) -> Iterator[ast.stmt]:
    node = file.parent(statement)
    while isinstance(node, ast.stmt):
        yield node
        node = file.parent(node)
