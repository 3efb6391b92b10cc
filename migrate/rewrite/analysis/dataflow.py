r"""Follows names to their values in a file, and writes expressions for use in other places.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile("NAMES = ['a', 'b']\nfor name in NAMES:\n    use(name + '_id')\n")
>>> loop = file.tree.body[1]
>>> reader = Reader(file)
>>> [reader.literal(loop.body[0].value.args[0], env) for env in reader.each(loop, Env())]
['a_id', 'b_id']
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from migrate.rewrite.analysis import input_functions, mutations
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile


class UnknownValue(Exception):
    """Raised if the value of an expression cannot be determined. The message names it."""


class Env(NamedTuple):
    """The values of names at the place of an expression.

    Attributes:
      names: Values of parameters and loop variables: an expression, and its own Env.
    """

    names: Mapping[str, tuple[ast.expr, Env]] = {}


class Reader:
    """Follows names in a file.

    Attributes:
      statements: Statements that compute the values that were followed.
      local: Variables of `scope` that occur in returned texts.
      named: All names that occur in returned texts.
    """

    def __init__(self, file: SourceFile, scope: ast.AST | None = None) -> None:
        """Starts with no values followed.

        Args:
          file: The file.
          scope: Function whose variables may occur in texts, or None for the module.
        """
        self.file, self.scope = file, scope
        self.statements: list[ast.stmt] = []
        self.local: set[str] = set()
        self.named: set[str] = set()
        self._circular: dict[ast.AST, bool] = {}

    def binders(self, name: ast.Name) -> list[ast.AST]:
        """Returns the nodes that may bind a name, in its function or in an outer scope."""
        scopes: list[ast.AST | None] = [self.file.function(name)]
        while scopes[-1] is not None:
            scopes.append(self.file.function(scopes[-1]))
        ids = {id(node) for node in bindings.of_scope(self.file, name)}
        return [
            node
            for node in bindings.binders(self.file, name.id)
            if id(node) in ids or self.file.function(node) in scopes
        ]

    def assigned_value(self, name: ast.Name) -> ast.expr | None:
        """Returns the value of a name with a single assignment. None for other names."""
        binders = self.binders(name)
        if len(binders) != 1 or bindings.is_rebound_indirectly(self.file, name):
            return None
        value = bindings.value_of(self.file, binders[0])
        return None if value is not None and self._is_circular(value) else value

    def _is_circular(self, root: ast.expr | ast.FunctionDef) -> bool:
        """Says whether a value or function depends on itself, as in `names = names`."""
        if root not in self._circular:
            self._circular[root] = root in self._dependencies(root)
        return self._circular[root]

    def _dependencies(self, root: ast.expr | ast.FunctionDef) -> set[ast.AST]:
        """Returns the values and functions that an expression or function may depend on."""
        visited: set[ast.AST] = set()
        stack: list[ast.AST] = [root]
        while stack:
            for name in ast.walk(stack.pop()):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load):
                    new_nodes = set(self._bound_nodes(name)) - visited
                    visited |= new_nodes
                    stack += new_nodes
        return visited

    def _bound_nodes(self, name: ast.Name) -> Iterator[ast.AST]:
        """Yields the functions and assigned values that a name may be bound to."""
        for binder in self.binders(name):
            statement: ast.AST | None = binder
            while isinstance(statement, (ast.Name, ast.Tuple, ast.List, ast.Starred)):
                statement = self.file.parent(statement)
            if isinstance(statement, ast.FunctionDef):
                yield statement
            elif isinstance(statement, ast.Assign):
                yield statement.value

    def follow(self, node: ast.expr, env: Env) -> tuple[ast.expr, Env]:
        """Returns the value of a name, with its Env. Other expressions are returned unchanged.

        Raises:
          UnknownValue: It is a name with more than one binding.
        """
        while isinstance(node, ast.Name):
            if node.id in env.names:
                node, env = env.names[node.id]
                continue
            value = self.assigned_value(node)
            if value is None:
                value, env = self._unpacked_value(node, env)
            else:
                place = mutations.place(self.file, node)
                if place is not None:
                    raise UnknownValue(f"{node.id} changes in line {place.lineno}")
                self.statements.append(self.file.statement(value))
                env = env if self.file.function(value) is self.file.function(node) else Env()
            node = value
        return node, env

    def _unpacked_value(self, node: ast.Name, env: Env) -> tuple[ast.expr, Env]:
        """Returns the value that a name gets from `a, b = ...`."""
        nodes = self.binders(node)
        target = self.file.parent(nodes[0]) if len(nodes) == 1 else None
        statement = self.file.parent(target) if target is not None else None
        if (
            not isinstance(target, ast.Tuple)
            or not isinstance(statement, ast.Assign)
            or statement.targets != [target]
            or self._is_circular(statement.value)
        ):
            raise UnknownValue(f"the value of {node.id} in line {node.lineno} is unknown")
        value, env = self.result_of(*self.follow(statement.value, env))
        value, env = self.follow(value, env)
        if not isinstance(value, (ast.Tuple, ast.List)) or len(value.elts) != len(target.elts):
            raise UnknownValue(f"the value of {node.id} in line {node.lineno} is unknown")
        self.statements.append(statement)
        at = next(i for i, expression in enumerate(target.elts) if expression is nodes[0])
        return value.elts[at], env

    def result_of(self, node: ast.expr, env: Env) -> tuple[ast.expr, Env]:
        """Returns the result of a call of this file's function. Other expressions are unchanged."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return node, env
        function = input_functions.function_of(self.file, node.func)
        if not isinstance(function, ast.FunctionDef):
            return node, env
        names = input_functions.parameters(function)
        returns = [part for part in ast.walk(function) if isinstance(part, ast.Return)]
        plain = not (function.args.vararg or function.args.kwarg or function.args.kwonlyargs)
        if (
            not plain
            or len(returns) != 1
            or returns[0] is not function.body[-1]
            or self._is_circular(function)
        ):
            raise UnknownValue(f"the result of {function.name}() is unknown")
        defaults = function.args.defaults
        default_values = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
        values = {name: (value, Env()) for name, value in default_values.items()}
        call_args = dict(zip(names, node.args, strict=False))
        call_args.update({keyword.arg: keyword.value for keyword in node.keywords if keyword.arg})
        if any(isinstance(expression, ast.Starred) for expression in node.args):
            raise UnknownValue(f"the arguments of {function.name}() are unknown")
        values.update({name: (value, env) for name, value in call_args.items()})
        self.statements.append(function)
        if set(values) != set(names) or returns[0].value is None:
            raise UnknownValue(f"the arguments of {function.name}() are unknown")
        return returns[0].value, Env(values)

    def each(self, loop: ast.For | ast.comprehension, env: Env) -> Iterator[Env]:
        """Yields the values of names in each round of a loop over a literal list or dictionary.

        Raises:
          UnknownValue: The items of the loop are not written out in the file.
        """
        for value, inner in self._items(loop.iter, env):
            values = dict(env.names)
            targets = [(loop.target, value)]
            if isinstance(loop.target, ast.Tuple):
                value, inner = self.follow(value, inner)
                elements = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
                if len(elements) != len(loop.target.elts):
                    raise UnknownValue(
                        f"the items of the loop in line {loop.iter.lineno} are unknown"
                    )
                targets = list(zip(loop.target.elts, elements, strict=True))
            for target, expression in targets:
                if not isinstance(target, ast.Name):
                    raise UnknownValue(
                        f"the items of the loop in line {loop.iter.lineno} are unknown"
                    )
                values[target.id] = (expression, inner)
            yield Env(values)

    def _items(self, node: ast.expr, env: Env) -> list[tuple[ast.expr, Env]]:
        """Returns the items of a literal list or dictionary, each with its Env."""
        method = ""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            method, node = node.func.attr, node.func.value
        value, env = self.follow(node, env)
        if isinstance(value, (ast.List, ast.Tuple)) and not method:
            return [(expression, env) for expression in value.elts]
        if isinstance(value, ast.Dict) and method in ("", "keys", "items", "values"):
            pairs = [(k, v) for k, v in zip(value.keys, value.values, strict=True) if k is not None]
            if len(pairs) == len(value.keys):
                if method == "items":
                    tuples = [ast.Tuple([k, v], ast.Load()) for k, v in pairs]
                    return [(pair, env) for pair in tuples]
                return [(v if method == "values" else k, env) for k, v in pairs]
        raise UnknownValue(f"the items of the loop in line {node.lineno} are unknown")

    def literal(self, node: ast.expr, env: Env) -> Any:
        """Returns the value of an expression that consists of constants.

        Raises:
          UnknownValue: It contains anything else.
        """
        value, env = self.follow(node, env)
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            left, right = self.literal(value.left, env), self.literal(value.right, env)
            if isinstance(left, str) and isinstance(right, str):
                return left + right
        if isinstance(value, (ast.List, ast.Tuple)):
            return [self.literal(expression, env) for expression in value.elts]
        try:
            return ast.literal_eval(value)
        except ValueError:
            line = getattr(node, "lineno", 0)
            raise UnknownValue(
                f"the value of {ast.unparse(node)} in line {line} is unknown"
            ) from None

    def text(self, node: ast.expr, env: Env) -> str:
        """Returns the text of an expression for the function `scope`, or for the module.

        Raises:
          UnknownValue: It depends on variables of another function.
        """
        writer = _Writer(self, env)
        new_node = writer.visit(copy.deepcopy(_with_origins(node)))
        return ast.unparse(new_node) if writer.changed else self.file.segment(node)


def _with_origins(node: ast.expr) -> ast.expr:
    """Stores in each name its node in the file, so that copies of the name have it too."""
    # Types of Python's nodes do not have this attribute, hence the `ignore` here and below.
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            part.origin = _Origin(part)  # type: ignore[attr-defined]
    return node


class _Origin:
    """A reference to a node that a deep copy shares instead of copying."""

    def __init__(self, node: ast.Name) -> None:
        self.node = node

    def __deepcopy__(self, memo: Any) -> _Origin:
        return self


class _Writer(ast.NodeTransformer):
    """Replaces names by their values where the target function does not know the names."""

    def __init__(self, reader: Reader, env: Env) -> None:
        self._reader, self._env = reader, env
        self._bound_names: list[set[str]] = []
        self.changed = False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visits the children of a node, except for names that the node binds itself."""
        names: set[str] = set()
        if isinstance(node, ast.Lambda):
            names.update(input_functions.parameters(node))
        for loop in getattr(node, "generators", ()):
            names.update(part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name))
        self._bound_names.append(names)
        result = super().generic_visit(node)
        self._bound_names.pop()
        return result

    def visit_Name(self, node: ast.Name) -> ast.AST:
        reader, origin = self._reader, node.origin.node  # type: ignore[attr-defined]
        if any(node.id in names for names in self._bound_names) or not isinstance(
            node.ctx, ast.Load
        ):
            return node
        if node.id in self._env.names:
            return self._inline(*self._env.names[node.id])
        file, binders = reader.file, reader.binders(origin)
        scopes = [file.function(binder) for binder in binders]
        is_fixed = not any(bindings.is_repeated(file, binder) for binder in binders)
        if is_fixed and all(scope in (None, reader.scope) for scope in scopes):
            reader.named.add(node.id)
            if any(scope is not None for scope in scopes):
                reader.local.add(node.id)
            return node
        value = reader.assigned_value(origin)
        if value is None:
            raise UnknownValue(f"the value of {node.id} in line {origin.lineno} is unknown")
        is_here = file.function(value) is file.function(origin)
        return self._inline(value, self._env if is_here else Env())

    def _inline(self, value: ast.expr, env: Env) -> ast.AST:
        self.changed = True
        inner = _Writer(self._reader, env)
        return inner.visit(copy.deepcopy(_with_origins(value)))
