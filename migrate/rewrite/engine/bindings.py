r"""Bindings of the names in a file: assignments, arguments, definitions and imports.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile("def f(path):\n    steps = 3\n    return steps\n")
>>> returned = file.tree.body[0].body[1].value
>>> file.segment(assigned_value(file, returned))
'3'
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.engine import arguments, rebinding
from migrate.rewrite.engine.plan import OF_MODULE
from migrate.rewrite.engine.source_file import SourceFile

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (
    *(ast.For, ast.AsyncFor, ast.While),
    *(ast.DictComp, ast.GeneratorExp, ast.ListComp, ast.SetComp),
)


def binders(file: SourceFile, name: str) -> Iterator[ast.AST]:
    """Yields the nodes that bind a name anywhere: definitions, arguments, imports, stored names.

    Args:
      file: The file.
      name: The name.
    """
    yield from file.computed(_binders_by_name).get(name, ())


def _binders_by_name(file: SourceFile) -> dict[str, list[ast.AST]]:
    by_name: dict[str, list[ast.AST]] = {}
    for node in file.nodes:
        for name in bound_names(node):
            by_name.setdefault(name, []).append(node)
    return by_name


def bound_names(node: ast.AST) -> Sequence[str]:
    """Returns the names that a node binds itself. Nodes below it do not count."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return (node.name,)
    if isinstance(node, ast.arg):
        return (node.arg,)
    if isinstance(node, ast.alias):
        return (node.asname or node.name.partition(".")[0],)
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        return (node.id,)
    return node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else ()


def of_scope(file: SourceFile, name: ast.Name) -> list[ast.AST]:
    """Returns the nodes that may bind a name in the scope that the name belongs to.

    Args:
      file: The file.
      name: The name, where it is used or bound.
    """
    owner = scope(file, name)
    table = _scopes_of(file, name.id)
    return [node for node in binders(file, name.id) if owner in table.owners[node]]


def scope(file: SourceFile, name: ast.Name) -> ast.AST | None:
    """Returns the function that a name is local to. None for global and built-in names.

    Args:
      file: The file.
      name: The name, where it is used or bound.
    """
    table = _scopes_of(file, name.id)
    function = file.function(name)
    while function is not None:
        if isinstance(table.declared.get(function), ast.Global):
            return None
        if function in table.scopes:
            return function
        function = file.function(function)
    return None


def uses(file: SourceFile, target: ast.Name) -> list[ast.Name]:
    """Returns the places that read the name of a target, in its scope and nested scopes.

    Args:
      file: The file.
      target: The name where it is bound.
    """
    owner = scope(file, target)
    return [
        node
        for node in file.nodes
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.id == target.id
        and scope(file, node) is owner
    ]


def count_reads(file: SourceFile, name: str, outside: Collection[ast.AST] = ()) -> int:
    """Returns the number of times that a file reads a name.

    Args:
      file: The file.
      name: The name.
      outside: Nodes whose reads do not count.
    """
    left_out = {id(part) for node in outside for part in ast.walk(node)}
    return sum(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in file.nodes
        if id(node) not in left_out
    )


def uses_of_value(file: SourceFile, node: ast.AST) -> list[ast.Name] | None:
    """Returns the places that read the only name that a value is assigned to.

    Args:
      file: The file.
      node: The value.

    Returns:
      The names. None if the value is not assigned to a single name.
    """
    parent = file.parent(node)
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    if not isinstance(target, ast.Name) or assigned_value(file, target) is not node:
        return None
    return uses(file, target)


class _Scopes(NamedTuple):
    """The scopes in which a file binds a name.

    Attributes:
      owners: Scopes in which each node may bind the name.
      scopes: All of these scopes.
      declared: The `global` or `nonlocal` statement of each function that has one for the name.
    """

    owners: dict[ast.AST, list[ast.AST | None]]
    scopes: frozenset[ast.AST | None]
    declared: dict[ast.AST | None, ast.Global | ast.Nonlocal]


def _scopes_of(file: SourceFile, name: str) -> _Scopes:
    """Returns the scopes in which a file binds a name, found once for all uses of the name."""
    tables = file.computed(_no_scopes)
    if name not in tables:
        nodes = [*binders(file, name)]
        declared: dict[ast.AST | None, ast.Global | ast.Nonlocal] = {}
        for node in nodes:
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                declared.setdefault(file.function(node), node)
        of_nodes = {node: _owners(file, node, declared) for node in nodes}
        scopes = frozenset(owner for node_owners in of_nodes.values() for owner in node_owners)
        tables[name] = _Scopes(of_nodes, scopes, declared)
    return tables[name]


def _no_scopes(file: SourceFile) -> dict[str, _Scopes]:
    """Returns an empty table, which `_scopes_of` fills."""
    del file
    return {}


def owners(file: SourceFile, binder: ast.AST, name: str) -> list[ast.AST | None]:
    """Returns the scopes in which a node may bind a name. `nonlocal` allows more than one.

    Args:
      file: The file.
      binder: The node that binds the name.
      name: The name.
    """
    return _scopes_of(file, name).owners[binder]


def _owners(
    file: SourceFile,
    binder: ast.AST,
    declared: dict[ast.AST | None, ast.Global | ast.Nonlocal],
) -> list[ast.AST | None]:
    function = file.function(binder)
    statement = declared.get(function) if function is not None else None
    if statement is None:
        return [function]
    if isinstance(statement, ast.Global):
        return [None]
    outer: list[ast.AST | None] = []
    while function is not None:
        function = file.function(function)
        outer.append(function)
    return outer


def assigned_value(file: SourceFile, name: ast.Name) -> ast.expr | None:
    """Returns the value of the only assignment that binds a name.

    Args:
      file: The file.
      name: The name, where it is used or bound.

    Returns:
      The value. None if anything else may bind the name.
    """
    nodes = of_scope(file, name)
    if len(nodes) != 1 or is_rebound_indirectly(file, name):
        return None
    return value_of(file, nodes[0])


def is_rebound_indirectly(file: SourceFile, name: ast.Name) -> bool:
    """Says whether `globals()`, `setattr` or another file may bind a name of the module.

    Args:
      file: The file.
      name: The name, where it is used or bound.
    """
    names = file.computed(_rebound_indirectly)
    return bool(names and names & {name.id, "*"}) and scope(file, name) is None


def _rebound_indirectly(file: SourceFile) -> frozenset[str]:
    names = (name for name in file.plan.changed_elsewhere if name.startswith("@"))
    return frozenset((*rebinding.rebound_names(file.tree), *(name[1:] for name in names)))


def value_of(file: SourceFile, binder: ast.AST) -> ast.expr | None:
    """Returns the value that a node assigns to its name. None if it is not a plain assignment."""
    statement = file.parent(binder)
    if isinstance(statement, ast.Assign) and statement.targets == [binder]:
        return statement.value
    return None


def is_repeated(file: SourceFile, node: ast.AST) -> bool:
    """Says whether a loop or comprehension of its function may execute a node several times.

    Args:
      file: The file.
      node: The node.
    """
    ancestor: ast.AST | None = node
    while ancestor is not None and not isinstance(ancestor, _FUNCTIONS):
        if isinstance(ancestor, _LOOPS):
            return True
        ancestor = file.parent(ancestor)
    return False


def may_be_none(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression may be None. Only names and flags are looked up in the file.

    For example, `FLAGS.steps` may be None if the flag has no default.

    Args:
      file: The file.
      node: The expression.
    """
    if isinstance(node, ast.Attribute):
        return node.attr in file.computed(_open_flags)
    if not isinstance(node, ast.Name):
        return False
    binders = of_scope(file, node)
    values = [value_of(file, binder) for binder in binders]
    values += [_default(file, binder) for binder in binders if isinstance(binder, ast.arg)]
    return any(isinstance(value, ast.Constant) and value.value is None for value in values)


def is_always_none(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is None, or an argument for which all calls pass None.

    For example, `hooks` in `def train(model, hooks=None)`, if all calls leave it out.

    Args:
      file: The file.
      node: The expression.
    """
    return _is_always_none(file, node, ())


def _is_always_none(file: SourceFile, node: ast.expr, stack: tuple[ast.AST, ...]) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is None
    binders = of_scope(file, node) if isinstance(node, ast.Name) else []
    argument = binders[0] if len(binders) == 1 else None
    if not isinstance(argument, ast.arg) or argument in stack:
        return False
    function = file.function(argument)
    if not isinstance(function, ast.FunctionDef) or not is_none_by_default(file, argument):
        return False
    calls = _known_calls(file, function)
    names = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    if calls is None or function.args.vararg is not None:
        return False
    for call in calls:
        args = arguments.bind(call, names)
        value = args.get(argument.arg) if args is not None else node
        if value is not None and not _is_always_none(file, value, (*stack, argument)):
            return False
    return True


def _known_calls(file: SourceFile, function: ast.FunctionDef) -> list[ast.Call] | None:
    """Returns all calls of a function, or None if there may be others."""
    if function.decorator_list or isinstance(file.parent(function), ast.ClassDef):
        return None
    used = file.plan.used_elsewhere
    is_open = used is None or not used.isdisjoint({function.name, "*", OF_MODULE})
    if file.plan.is_shared and file.parent(function) is file.tree and is_open:
        return None
    uses = [
        node
        for node in file.nodes
        if isinstance(node, ast.Name) and node.id == function.name
        if function in of_scope(file, node)
    ]
    calls: list[ast.Call] = []
    for use in uses:
        call = file.parent(use)
        if of_scope(file, use) != [function] or not isinstance(call, ast.Call):
            return None
        if call.func is not use:
            return None
        calls.append(call)
    return calls


def is_none_by_default(file: SourceFile, argument: ast.arg) -> bool:
    """Says whether the default of a function's argument is None.

    Args:
      file: The file.
      argument: The argument.
    """
    default = _default(file, argument)
    return isinstance(default, ast.Constant) and default.value is None


def _default(file: SourceFile, argument: ast.arg) -> ast.expr | None:
    """Returns the default of a function's argument."""
    parameters = file.parent(argument)
    if not isinstance(parameters, ast.arguments):
        return None
    positional = [*parameters.posonlyargs, *parameters.args]
    with_default = positional[len(positional) - len(parameters.defaults) :]
    pairs = [
        *zip(with_default, parameters.defaults, strict=True),
        *zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True),
    ]
    return next((default for parameter, default in pairs if parameter is argument), None)


def _open_flags(file: SourceFile) -> frozenset[str]:
    """Returns the names of the absl and argparse flags that are defined without a default."""
    calls = [
        node
        for node in file.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr.startswith(("DEFINE_", "add_argument"))
    ]
    return frozenset(filter(None, map(_open_flag, calls)))


def _open_flag(call: ast.Call) -> str:
    """Returns the name of a flag whose default is None, or "" for other flags."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument":
        return _open_argument(call)
    args = dict(zip(("name", "default"), call.args, strict=False))
    args |= {
        keyword.arg: keyword.value
        for keyword in call.keywords
        if keyword.arg in ("name", "default")
    }
    name, default = args.get("name"), args.get("default")
    is_open = isinstance(default, ast.Constant) and default.value is None
    return str(name.value) if is_open and isinstance(name, ast.Constant) else ""


def _open_argument(call: ast.Call) -> str:
    """Returns the attribute of an argparse argument whose default is None, or "" for others."""
    args = {keyword.arg: keyword.value for keyword in call.keywords}
    default = args.get("default", ast.Constant(None))
    is_open = isinstance(default, ast.Constant) and default.value is None
    if not is_open or not set(args).isdisjoint(("required", "action", "nargs", None)):
        return ""
    dest = args.get("dest")
    if isinstance(dest, ast.Constant):
        return str(dest.value)
    options = [str(arg.value) for arg in call.args if isinstance(arg, ast.Constant)]
    return next((option[2:].replace("-", "_") for option in options if option.startswith("--")), "")
