"""Finds placeholders that nothing reads, and the operations on them that nothing reads either.

    edits = unused_placeholders.removals(file)

For example, a program may still have the placeholders of a session that an Estimator replaced. An
Estimator has a graph of its own, so it cannot read them.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from migrate.rewrite.analysis import bridged_configs, estimator_uses
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.plan import OF_MODULE
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.sessions.tensor_values import is_plain_call

_PLACEHOLDERS = ("tf.placeholder", "tf.placeholder_with_default", "tf.sparse_placeholder")
# Functions by which code may find operations of the default graph without their Python names.
_LOOKUPS = (
    *("tf.InteractiveSession", "tf.Session", "tf.get_default_graph", "tf.get_default_session"),
    *("tf.keras.backend.get_session", "tf.train.Monitored", "tf.train.SingularMonitoredSession"),
    *("tf.train.Supervisor", "tf.train.export_meta_graph", "tf.train.import_meta_graph"),
)
_COLLECTIONS = (
    *("tf.all_variables", "tf.get_collection", "tf.global_variables", "tf.local_variables"),
    *("tf.losses.get_", "tf.model_variables", "tf.moving_average_variables"),
    *("tf.report_uninitialized_variables", "tf.summary.merge_all", "tf.trainable_variables"),
)
# Functions that do more than make operations, although TensorFlow has them.
_EFFECTS = (
    *("tf.contrib.learn.", "tf.io.write_graph", "tf.keras.", "tf.saved_model."),
    "tf.train.write_graph",
)
# Functions that read the variables of a module by their names.
_READERS = frozenset(["__all__", "eval", "exec", "globals", "locals", "vars"])
_PURE = (
    *(ast.Attribute, ast.BinOp, ast.BoolOp, ast.Compare, ast.Constant, ast.Dict, ast.List),
    *(ast.Name, ast.Slice, ast.Starred, ast.Subscript, ast.Tuple, ast.UnaryOp, ast.keyword),
    *(ast.boolop, ast.cmpop, ast.expr_context, ast.operator, ast.unaryop),
)


def statements(file: SourceFile) -> tuple[ast.stmt, ...]:
    """Returns the statements of a module that can be removed with its unused placeholders.

    Args:
      file: The file.
    """
    return file.computed(_statements)


def removals(file: SourceFile) -> list[Edit]:
    """Returns the edits that remove unused placeholders, and the operations on them.

    Args:
      file: The file.
    """
    edits: list[Edit] = []
    for statement in statements(file):
        edit = bridged_configs.removal(file, statement)
        if edits and edits[-1].end == edit.start and not edit.text:
            edit = Edit(edits.pop().start, edit.end, "")
        edits.append(edit)
    return [_with_empty_lines(file.text, edit) for edit in edits]


def _with_empty_lines(text: str, edit: Edit) -> Edit:
    """Extends a removal to the empty lines after it, if there are some before it."""
    if text[: edit.start].replace("\r", "").endswith("\n\n") and not edit.text:
        rest = text[edit.end :]
        return edit._replace(end=edit.end + len(rest) - len(rest.lstrip("\r\n")))
    return edit


def _statements(file: SourceFile) -> tuple[ast.stmt, ...]:
    if "placeholder" not in file.text or file.plan.is_starred:
        return ()
    if not _READERS.isdisjoint(file.identifiers):
        return ()
    if file.program_uses(lambda name: name.startswith(_LOOKUPS)):
        return ()
    if any(
        match.name.startswith(_COLLECTIONS) and file.function(match.node) is None
        for match in file.names()
    ):
        return ()
    unread = _unread(file)
    removed = {statement for statement in unread if _has_placeholder(file, statement)}
    while True:
        related = {
            statement
            for statement in unread - removed
            if any(_reads(file, statement, other) for other in removed)
            or (_has_call(statement) and any(_reads(file, other, statement) for other in removed))
        }
        if not related:
            return tuple(node for node in file.tree.body if node in removed)
        removed |= related


def _unread(file: SourceFile) -> set[ast.stmt]:
    """Returns the statements that only make operations, and whose names only they read."""
    found: set[ast.stmt] = {
        statement
        for statement in file.tree.body
        if isinstance(statement, (ast.Assign, ast.Expr))
        if estimator_uses.is_alone(file, statement)
    }
    while True:
        kept = {
            statement
            for statement in found
            if _is_pure(file, statement, found) and _is_unread(file, statement, found)
        }
        if kept == found:
            return found
        found = kept


def _has_placeholder(file: SourceFile, statement: ast.stmt) -> bool:
    return any(file.name_of(node) in _PLACEHOLDERS for node in ast.walk(statement))


def _has_call(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(statement))


def _is_pure(file: SourceFile, statement: ast.stmt, found: Collection[ast.stmt]) -> bool:
    """Says whether a statement only makes operations, and binds names to them."""
    if isinstance(statement, ast.Assign):
        targets = [node for target in statement.targets for node in ast.walk(target)]
        if not all(
            isinstance(node, (ast.Name, ast.Tuple, ast.List, ast.expr_context)) for node in targets
        ):
            return False
    if not isinstance(statement, (ast.Assign, ast.Expr)):
        return False
    return all(
        _makes_operation(file, node, found) if isinstance(node, ast.Call) else _is_plain(node)
        for node in ast.walk(statement.value)
    )


def _is_plain(node: ast.AST) -> bool:
    return isinstance(node, _PURE)


def _makes_operation(file: SourceFile, call: ast.Call, found: Collection[ast.stmt]) -> bool:
    """Says whether a call is one of TensorFlow's, or one of a method of an operation."""
    name = file.name_of(call.func)
    if name is not None:
        return name.startswith("tf.") and not name.startswith(_EFFECTS) and not is_plain_call(name)
    node: ast.expr = call.func
    if not isinstance(node, ast.Attribute):
        return False
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if isinstance(node, ast.Call):
        return True  # The walk over the statement reaches it too.
    if not isinstance(node, ast.Name):
        return False
    binders = bindings.of_scope(file, node)
    return bool(binders) and all(
        isinstance(binder, ast.Name) and file.statement(binder) in found for binder in binders
    )


def _is_unread(file: SourceFile, statement: ast.stmt, found: Collection[ast.stmt]) -> bool:
    """Says whether only some statements read and bind the names of one of them."""
    return all(
        not _is_used_elsewhere(file, name.id)
        and all(
            isinstance(binder, ast.Name) and file.statement(binder) in found
            for binder in bindings.of_scope(file, name)
        )
        and all(file.statement(use) in found for use in bindings.uses(file, name))
        for name in _stored(statement)
    )


def _is_used_elsewhere(file: SourceFile, name: str) -> bool:
    used = file.plan.used_elsewhere
    return file.plan.is_shared and (used is None or not used.isdisjoint({name, "*", OF_MODULE}))


def _reads(file: SourceFile, statement: ast.stmt, other: ast.stmt) -> bool:
    """Says whether a statement reads a name that another one binds."""
    return any(
        file.statement(use) is statement
        for name in _stored(other)
        for use in bindings.uses(file, name)
    )


def _stored(statement: ast.stmt) -> list[ast.Name]:
    return [
        node
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
