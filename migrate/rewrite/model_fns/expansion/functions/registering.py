r"""Finds the functions that a decorator of the file registers in a dictionary.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "NETS = {}\n"
...     "def register(net):\n"
...     "    NETS[net.__name__] = net\n"
...     "    return net\n"
...     "@register\n"
...     "def mlp(x): pass\n"
... )
>>> [(entry.key, entry.function.name) for entry in entries(file, file.tree.body[0].value)]
[('"mlp"', 'mlp')]
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite.engine import bindings, texts
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import builders


class Entry(NamedTuple):
    """An entry of a dictionary of functions.

    Attributes:
      key: Text of the key, a string.
      function: The function.
      decorator: The decorator that adds it.
      store: The name of the dictionary where the decorator adds it.
    """

    key: str
    function: ast.FunctionDef
    decorator: ast.expr
    store: ast.Name


def entries(file: SourceFile, table: ast.expr) -> list[Entry]:
    """Returns the entries that decorators add to a dictionary. Empty if others may add some.

    Args:
      file: The file.
      table: The value that the module assigns to the name of the dictionary.
    """
    uses = bindings.uses_of_value(file, table) if _is_empty(table) else None
    stores = [use for use in uses or () if not _is_read(file, use)]
    registrar = _registrar(file, stores[0]) if len(stores) == 1 else None
    if registrar is None or builders.is_used_elsewhere(file, registrar.name):
        return []
    references = [
        node for node in file.nodes if isinstance(node, ast.Name) and node.id == registrar.name
    ]
    if any(bindings.of_scope(file, node) != [registrar] for node in references):
        return []
    known_entries = [_entry(file, registrar, stores[0], node) for node in references]
    found = [entry for entry in known_entries if entry is not None]
    is_clear = len(found) == len(references) == len({entry.key for entry in found})
    return found if is_clear else []


def _is_empty(table: ast.expr) -> bool:
    return ast.unparse(table) in ("{}", "dict()", "OrderedDict()", "collections.OrderedDict()")


def _is_read(file: SourceFile, use: ast.Name) -> bool:
    """Says whether a use of the dictionary is not the target of an assignment to an entry."""
    parent = file.parent(use)
    return not (
        isinstance(parent, ast.Subscript)
        and parent.value is use
        and isinstance(parent.ctx, ast.Store)
    )


def _registrar(file: SourceFile, use: ast.Name) -> ast.FunctionDef | None:
    """Returns the function of the module whose results, or calls, are the decorators.

    Args:
      file: The file.
      use: The dictionary where the decorator adds an entry.
    """
    wrapper = file.function(use)
    if not isinstance(wrapper, ast.FunctionDef) or not _returns_argument(file, wrapper, use):
        return None
    outer = file.parent(wrapper)
    if outer is file.tree:
        return wrapper
    is_plain = (
        isinstance(outer, ast.FunctionDef)
        and file.parent(outer) is file.tree
        and not outer.decorator_list
        and len(_parameters(outer) or ()) == 1
    )
    if not is_plain or not isinstance(outer, ast.FunctionDef):
        return None
    body = _without_docstring(outer.body)
    is_returned = len(body) == 2 and ast.unparse(body[1]) == f"return {wrapper.name}"
    return outer if is_returned and body[0] is wrapper else None


def _returns_argument(file: SourceFile, wrapper: ast.FunctionDef, use: ast.Name) -> bool:
    """Says whether a function only adds its argument to the dictionary, and returns it."""
    parameters = _parameters(wrapper) or ()
    if len(parameters) != 1 or wrapper.decorator_list:
        return False
    body, statement = _without_docstring(wrapper.body), file.statement(use)
    return (
        len(body) == 2
        and body[0] is statement
        and isinstance(statement, ast.Assign)
        and statement.targets == [file.parent(use)]
        and ast.unparse(statement.value) == parameters[0]
        and ast.unparse(body[1]) == f"return {parameters[0]}"
    )


def _parameters(function: ast.FunctionDef) -> Sequence[str] | None:
    """Returns the parameters of a function. None if it has others than plain ones."""
    args = function.args
    has_others = args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg or args.defaults
    return None if has_others else [argument.arg for argument in args.args]


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    has_docstring = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1:] if has_docstring else body


def _entry(
    file: SourceFile, registrar: ast.FunctionDef, use: ast.Name, node: ast.Name
) -> Entry | None:
    """Returns the entry that a decorator adds. None if it is unknown.

    Args:
      file: The file.
      registrar: The function that the decorator calls.
      use: The dictionary where the decorator adds an entry.
      node: A reference to the function.
    """
    parent = file.parent(node)
    decorator = parent if isinstance(parent, ast.Call) and parent.func is node else node
    function = file.parent(decorator)
    if not isinstance(function, ast.FunctionDef) or function.decorator_list != [decorator]:
        return None
    if file.parent(function) is not file.tree or decorator.lineno != decorator.end_lineno:
        return None
    entry = file.parent(use)
    key = entry.slice if isinstance(entry, ast.Subscript) else None
    (parameter,) = _parameters(registrar) or ("",)
    if isinstance(decorator, ast.Name):
        is_name = key is not None and ast.unparse(key) == f"{parameter}.__name__"
        if not is_name or file.function(use) is not registrar:
            return None
        return Entry(texts.quoted(function.name), function, decorator, use)
    assert isinstance(decorator, ast.Call)
    name = decorator.args[0] if len(decorator.args) == 1 and not decorator.keywords else None
    is_key = isinstance(key, ast.Name) and key.id == parameter
    if file.function(use) is registrar or not is_key or not isinstance(name, ast.Constant):
        return None
    is_text = isinstance(name.value, str)
    return Entry(file.segment(name), function, decorator, use) if is_text else None
