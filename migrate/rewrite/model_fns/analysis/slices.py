r"""Which statements something needs: the names that each reads and binds, from the last one back.

>>> body = ast.parse("a = f(x)\nb = g(x)\nc = h(a)").body
>>> [statement.lineno for statement in needed(body, {"c"})]
[1, 3]
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Collection, Iterable, Iterator, Sequence

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Methods that change what they are called on: the first ones where nothing is done with the result.
_CHANGE = frozenset(("add", "append", "clear", "extend", "insert", "remove", "reverse", "sort"))
_CHANGE_AND_RETURN = frozenset(("pop", "popitem", "setdefault", "update"))
# What statements bind, which is asked again and again, as long as there is their tree.
_BOUND: weakref.WeakKeyDictionary[ast.AST, frozenset[str]] = weakref.WeakKeyDictionary()


def bound(node: ast.AST) -> frozenset[str]:
    """Returns the names that a statement binds or changes (`a["b"] = c`, `a.append(b)`)."""
    if node not in _BOUND:
        _BOUND[node] = frozenset(_bound(node))
    return _BOUND[node]


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, _DEFINITIONS):
        yield node.name
        return
    inner = {id(part) for part in _of_comprehensions(node)}
    yield from {base(call.func) for call in changing_calls(node)} - {""}
    for part in ast.walk(node):
        if isinstance(part, (ast.Name, ast.Subscript, ast.Attribute)):
            if not isinstance(part.ctx, ast.Load) and id(part) not in inner:
                yield base(part)
        elif isinstance(part, ast.alias):
            yield part.asname or part.name.partition(".")[0]


def changing_calls(node: ast.AST) -> Iterator[ast.Call]:
    """Yields the calls of methods that change what they are called on: `a.append(b)`."""
    for part in ast.walk(node):
        names = _CHANGE if isinstance(part, ast.Expr) else _CHANGE_AND_RETURN
        call = part.value if isinstance(part, ast.Expr) else part
        function = call.func if isinstance(call, ast.Call) else None
        if isinstance(function, ast.Attribute) and function.attr in names:
            yield call  # type: ignore[misc]


def changed(node: ast.AST) -> set[str]:
    """Returns the names of which a statement changes the value, and does not bind a new one."""
    found = {base(call.func) for call in changing_calls(node)}
    for part in ast.walk(node):
        if isinstance(part, (ast.Subscript, ast.Attribute)) and not isinstance(part.ctx, ast.Load):
            found.add(base(part))
    return found - {""}


def changes_given(statements: Iterable[ast.stmt], name: str) -> bool:
    """Says whether statements change the value that a name had before them."""
    for statement in statements:
        if name in changed(statement):
            return True
        if name in replaces(statement):
            return False
    return False


def read(node: ast.AST) -> set[str]:
    """Returns the names that a statement or an expression reads, or changes a part of.

    Names that only a comprehension or a function in it has are among them: that is on the safe
    side.
    """
    return read_outside(node, frozenset())


def read_outside(node: ast.AST, left_out: Collection[int]) -> set[str]:
    """Returns the names that are read in a node, but for those in parts of it.

    Args:
      node: The node.
      left_out: The ids of the parts' nodes.
    """
    if id(node) in left_out:
        return set()
    if isinstance(node, (ast.For, ast.If, ast.With, ast.While)):
        body = open_names(node.body, (), left_out)
        body |= open_names(getattr(node, "orelse", ()), (), left_out)
        if isinstance(node, ast.For):
            body = (body - replaced_by(node.target)) | _read(node.iter, left_out)
            return body | _read(node.target, left_out)
        if isinstance(node, ast.With):
            return body.union(*(_read(item, left_out) for item in node.items))
        return body | _read(node.test, left_out)
    return _read(node, left_out)


def _read(node: ast.AST, left_out: Collection[int]) -> set[str]:
    found = set()
    for part in ast.walk(node):
        if id(part) in left_out:
            continue
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            found.add(part.id)
        elif isinstance(part, (ast.Subscript, ast.Attribute)) and not isinstance(
            part.ctx, ast.Load
        ):
            found.add(base(part))
        elif isinstance(part, ast.AugAssign):
            found.add(base(part.target))
    return found


def base(node: ast.AST) -> str:
    """Returns the name that parts are taken of: "a" of `a.b["c"]`; "" for none."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _of_comprehensions(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the targets of comprehensions, which nothing else knows."""
    for part in ast.walk(node):
        if isinstance(part, ast.comprehension):
            yield from ast.walk(part.target)


def replaces(statement: ast.stmt) -> set[str]:
    """Returns the names to which a statement gives new values, whatever they were."""
    if isinstance(statement, _DEFINITIONS):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return set(bound(statement))
    if isinstance(statement, ast.If):
        both = [set().union(*map(replaces, part)) for part in (statement.body, statement.orelse)]
        return both[0] & both[1] if all(both) else set()
    if isinstance(statement, ast.With):
        return set().union(*map(replaces, statement.body))
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return set()
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return set().union(*map(replaced_by, targets))


def replaced_by(target: ast.expr) -> set[str]:
    """Returns the names that an assignment to a target gives new values."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    found: set[str] = set()
    for part in parts:
        part = part.value if isinstance(part, ast.Starred) else part
        if isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, (ast.Tuple, ast.List)):
            found |= replaced_by(part)
    return found


def needed(statements: Sequence[ast.stmt], names: Iterable[str]) -> list[ast.stmt]:
    """Returns the statements that names depend on, in their order.

    Args:
      statements: What is done, in its order.
      names: What is wanted in the end.
    """
    wanted, found = set(names), []
    for statement in reversed(statements):
        if not bound(statement) & wanted:
            continue
        found.append(statement)
        wanted = (wanted - replaces(statement)) | read(statement)
    return found[::-1]


def dependent(statements: Sequence[ast.stmt], names: Iterable[str]) -> list[ast.stmt]:
    """Returns the statements that depend on names, in their order.

    Args:
      statements: What is done, in its order.
      names: What they may depend on.
    """
    known, found = set(names), []
    for statement in statements:
        if read(statement) & known:
            found.append(statement)
            known |= bound(statement)
        else:
            known -= replaces(statement)
    return found


def open_names(
    statements: Iterable[ast.stmt],
    expressions: Iterable[ast.expr] = (),
    left_out: Collection[int] = frozenset(),
) -> set[str]:
    """Returns the names that statements, and then expressions, take from what was before.

    Args:
      statements: In their order.
      expressions: What is computed behind them.
      left_out: The ids of nodes whose names do not count.
    """
    found: set[str] = set()
    known: set[str] = set()
    for statement in statements:
        found |= read_outside(statement, left_out) - known
        known |= replaces(statement)
    for expression in expressions:
        found |= _read(expression, left_out) - known
    return found


def bound_inside(function: ast.FunctionDef) -> set[str]:
    """Returns the names that the statements of a function bind."""
    return set().union(*map(bound, function.body))


def of_comprehensions(node: ast.AST) -> set[str]:
    """Returns the names that comprehensions in a node bind for themselves."""
    return {part.id for part in _of_comprehensions(node) if isinstance(part, ast.Name)}
