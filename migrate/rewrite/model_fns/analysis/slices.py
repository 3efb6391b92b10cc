r"""Finds the statements that a name depends on, by a backward pass over reads and bindings.

>>> body = ast.parse("a = f(x)\nb = g(x)\nc = h(a)").body
>>> [statement.lineno for statement in needed(body, {"c"})]
[1, 3]
"""

from __future__ import annotations

import ast
import weakref
from collections.abc import Collection, Iterable, Iterator, Sequence

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# Methods that change their object. Methods of `_CHANGE` count only if their result is not used.
_CHANGE = frozenset(("add", "append", "clear", "extend", "insert", "remove", "reverse", "sort"))
_CHANGE_AND_RETURN = frozenset(("pop", "popitem", "setdefault", "update"))
# Cache of the names that statements bind. Its keys are weak: it lives as long as the tree.
_BOUND: weakref.WeakKeyDictionary[ast.AST, frozenset[str]] = weakref.WeakKeyDictionary()


def parsed(text: str) -> ast.expr:
    """Returns the tree of an expression."""
    return ast.parse(text, mode="eval").body


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
    """Yields the calls of methods that change their object, such as `a.append(b)`."""
    for part in ast.walk(node):
        names = _CHANGE if isinstance(part, ast.Expr) else _CHANGE_AND_RETURN
        call = part.value if isinstance(part, ast.Expr) else part
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr in names:
            yield call


def deletes_names(statement: ast.Delete) -> bool:
    """Says whether a `del` only unbinds names, and changes no dictionary or list."""
    return all(isinstance(target, ast.Name) for target in statement.targets)


def changed(node: ast.AST) -> set[str]:
    """Returns the names whose value a statement changes in place."""
    names = {base(call.func) for call in changing_calls(node)}
    for part in ast.walk(node):
        if isinstance(part, (ast.Subscript, ast.Attribute)) and not isinstance(part.ctx, ast.Load):
            names.add(base(part))
    return names - {""}


def changes_initial_value(statements: Iterable[ast.stmt], name: str) -> bool:
    """Says whether statements change the value that a name had before them."""
    for statement in statements:
        if name in changed(statement):
            return True
        if name in replaces(statement):
            return False
    return False


def read(node: ast.AST) -> set[str]:
    """Returns the names that a statement or an expression reads, or whose parts it changes.

    Names that are local to a comprehension or a nested function are included, which is safe.
    """
    return read_outside(node, frozenset())


def read_outside(node: ast.AST, left_out: Collection[int]) -> set[str]:
    """Returns the names that a node reads, except in some parts of it.

    Args:
      node: The node.
      left_out: Ids of the nodes in the excluded parts.
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
    names = set()
    for part in ast.walk(node):
        if id(part) in left_out:
            continue
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            names.add(part.id)
        elif isinstance(part, (ast.Subscript, ast.Attribute)) and not isinstance(
            part.ctx, ast.Load
        ):
            names.add(base(part))
        elif isinstance(part, ast.AugAssign):
            names.add(base(part.target))
    return names


def base(node: ast.AST) -> str:
    """Returns the name at the start of an expression: "a" for `a.b["c"]`, or "" for none."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _of_comprehensions(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the targets of comprehensions, which are local to them."""
    for part in ast.walk(node):
        if isinstance(part, ast.comprehension):
            yield from ast.walk(part.target)


def replaces(statement: ast.stmt) -> set[str]:
    """Returns the names to which a statement always assigns a new value."""
    if isinstance(statement, _DEFINITIONS):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return set(bound(statement))
    if isinstance(statement, ast.If):
        branches = [part for part in (statement.body, statement.orelse) if not _raises(part)]
        branch_names = [set().union(*map(replaces, part)) for part in branches]
        return set.intersection(*branch_names) if branch_names else set()
    if isinstance(statement, ast.With):
        return set().union(*map(replaces, statement.body))
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return set()
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return set().union(*map(replaced_by, targets))


def _raises(body: Sequence[ast.stmt]) -> bool:
    """Says whether statements end in a `raise` in any case, so that nothing follows them."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _raises(last.body) and _raises(last.orelse)
    return isinstance(last, ast.Raise)


def replaced_by(target: ast.expr) -> set[str]:
    """Returns the names to which an assignment to a target gives a new value."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    names: set[str] = set()
    for part in parts:
        part = part.value if isinstance(part, ast.Starred) else part
        if isinstance(part, ast.Name):
            names.add(part.id)
        elif isinstance(part, (ast.Tuple, ast.List)):
            names |= replaced_by(part)
    return names


def needed(statements: Sequence[ast.stmt], names: Iterable[str]) -> list[ast.stmt]:
    """Returns the statements that names depend on, in their order.

    Args:
      statements: Statements in the order of execution.
      names: Names whose final values are needed.
    """
    needed_names, result = set(names), []
    for statement in reversed(statements):
        if not bound(statement) & needed_names:
            continue
        result.append(statement)
        needed_names = (needed_names - replaces(statement)) | read(statement)
    return result[::-1]


def dependent(statements: Sequence[ast.stmt], names: Iterable[str]) -> list[ast.stmt]:
    """Returns the statements that depend on names, in their order.

    Args:
      statements: Statements in the order of execution.
      names: Names that they may depend on.
    """
    dependent_names, result = set(names), []
    for statement in statements:
        if read(statement) & dependent_names:
            result.append(statement)
            dependent_names |= bound(statement)
        else:
            dependent_names -= replaces(statement)
    return result


def open_names(
    statements: Iterable[ast.stmt],
    expressions: Iterable[ast.expr] = (),
    left_out: Collection[int] = frozenset(),
) -> set[str]:
    """Returns the names that statements, followed by expressions, read from earlier code.

    Args:
      statements: Statements in the order of execution.
      expressions: Expressions that are computed after them.
      left_out: Ids of nodes whose names do not count.
    """
    names: set[str] = set()
    bound_names: set[str] = set()
    for statement in statements:
        names |= read_outside(statement, left_out) - bound_names
        bound_names |= replaces(statement)
    for expression in expressions:
        names |= _read(expression, left_out) - bound_names
    return names


def bound_inside(function: ast.FunctionDef) -> set[str]:
    """Returns the names that the statements of a function bind."""
    return set().union(*map(bound, function.body))


def of_comprehensions(node: ast.AST) -> set[str]:
    """Returns the names that comprehensions in a node bind locally."""
    return {part.id for part in _of_comprehensions(node) if isinstance(part, ast.Name)}
