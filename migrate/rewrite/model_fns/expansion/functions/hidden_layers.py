"""Finds calls in the body of a scope whose functions may make layers in the scope.

if in_body(draft, with_statement):
    ...  # The scope cannot end, because the function may depend on it.
"""

from __future__ import annotations

import ast
import builtins

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis import checks
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.functions import helpers

_OF_TENSORFLOW = ("tf.", "tf_keras.")
_WITHOUT_LAYERS = ("functools", "itertools", "math", "numpy", "operator", "tensorflow")


def calls_of(statement: ast.With) -> list[ast.Call]:
    """Returns the calls in the body of a `with`."""
    nodes = (node for child in statement.body for node in ast.walk(child))
    return [node for node in nodes if isinstance(node, ast.Call)]


def in_body(draft: Draft, statement: ast.With) -> bool:
    """Says whether a body calls functions that may have layers, other than those of TensorFlow.

    Args:
      draft: The copy of the file.
      statement: The `with`.
    """
    return any(may_have_layers(draft, call.func) for call in calls_of(statement))


def may_have_layers(draft: Draft, function: ast.expr) -> bool:
    """Says whether a called function may have layers, and is no function of TensorFlow.

    Args:
      draft: The copy of the file.
      function: The called expression.
    """
    file, root = draft.file, function
    if (file.name_of(function) or "").startswith(_OF_TENSORFLOW):
        return False
    while isinstance(root, (ast.Attribute, ast.Call, ast.Subscript)):
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name):
        return not isinstance(root, ast.Constant)
    binders = bindings.of_scope(file, root)
    aliases = [binder for binder in binders if isinstance(binder, ast.alias)]
    if aliases:
        return not all(_module(file, alias) in _WITHOUT_LAYERS for alias in aliases)
    if root is function and [file.parent(binder) for binder in binders] == [file.tree]:
        return not checks.is_plain(file, root.id, has_labels=True)
    if root is function:
        return bool(binders) or not hasattr(builtins, root.id)
    return root.id == helpers.owner_of(draft)  # Methods of tensors and of parameters have none.


def _module(file: SourceFile, alias: ast.alias) -> str:
    """Returns the top-level package that an import takes a name from."""
    statement = file.parent(alias)
    module = statement.module if isinstance(statement, ast.ImportFrom) else alias.name
    return (module or "").partition(".")[0]
