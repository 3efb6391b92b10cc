r"""Names of modules that code binds indirectly, for example by `globals()`.

>>> import ast
>>> sorted(rebound_names(ast.parse("globals()['SIZE'] = 3")))
['SIZE']
>>> sorted(rebound_names(ast.parse("import config\nconfig.SIZE = 3")))
['SIZE']

"*" stands for names that are computed, as in `exec(text)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_NAMESPACES = ("globals", "vars", "locals")
_READS = frozenset(("copy", "get", "items", "keys", "values"))
_MODULES = ("sys.modules", "import_module", "__import__")


def rebound_names(tree: ast.Module) -> Iterator[str]:
    """Yields the names of modules that a file binds by `globals()`, `setattr` or `module.name`.

    Args:
      tree: The file.
    """
    nodes = [*ast.walk(tree)]
    modules = {
        alias.asname or alias.name.partition(".")[0]
        for node in nodes
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    namespaces = []
    for node in nodes:
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            if _is_module(node.value, modules):
                yield node.attr
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            function = node.func.id
            if function in ("exec", "execfile"):
                yield "*"
            elif function == "setattr" and node.args and _is_module(node.args[0], modules):
                yield _constant(node.args[1] if len(node.args) > 1 else None)
            elif function in _NAMESPACES and (not node.args or _is_module(node.args[0], modules)):
                namespaces.append(node)
    if namespaces:  # Few files use them, and the parents of all nodes take time.
        parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
        for call in namespaces:
            yield from _of_namespace(call, parents)


def _of_namespace(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> Iterator[str]:
    """Yields the names that a use of `globals()` may bind."""
    parent = parents[call]
    if isinstance(parent, ast.Subscript):
        if not isinstance(parent.ctx, ast.Load):
            yield _constant(parent.slice)
    elif isinstance(parent, ast.Attribute) and parent.attr == "update":
        update = parents[parent]
        keywords = update.keywords if isinstance(update, ast.Call) and not update.args else []
        names = [keyword.arg or "*" for keyword in keywords]
        yield from names or ["*"]
    elif isinstance(parent, ast.Attribute) and parent.attr in _READS:
        return
    elif not isinstance(parent, (ast.Compare, ast.For, ast.comprehension)):
        in_function = any(isinstance(node, ast.FunctionDef) for node in _ancestors(call, parents))
        if ast.unparse(call.func) != "locals" or not in_function:
            yield "*"


def _ancestors(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while node in parents:
        node = parents[node]
        yield node


def _is_module(node: ast.expr, modules: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in modules
    text = ast.unparse(node)
    is_called = any(name in text for name in _MODULES)
    return is_called or text.partition(".")[0] in modules


def _constant(node: ast.expr | None) -> str:
    is_name = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_name and isinstance(node, ast.Constant) else "*"
