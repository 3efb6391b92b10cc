"""Finds the tensors that would leave or enter a graph, if some statements had one of their own.

reason = GraphFlow(file, values).problem(statements)
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.parsed_text import Function
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.sessions.tensor_values import PLAIN, TENSOR, UNKNOWN, TensorValues

_RUNS = frozenset(["eval", "partial_run", "run"])
_OF_TENSORS = frozenset(["assign", "eval", "get_shape", "initializer"])
_ADDS = frozenset(["add", "append", "extend", "insert", "update"])


class GraphFlow:
    """The flow of tensors between some statements and the rest of a file."""

    def __init__(self, file: SourceFile, values: TensorValues) -> None:
        """Reads nothing yet.

        Args:
          file: The file.
          values: The kinds of its values.
        """
        self._file, self._values = file, values

    def problem(self, statements: Sequence[ast.stmt]) -> str:
        """Returns the reason why some statements cannot have a graph of their own, or "".

        Args:
          statements: Statements of one function or of the module.
        """
        # A dictionary keeps the order of the nodes, so that the first problem is always the same.
        inside = {part: None for statement in statements for part in ast.walk(statement)}
        function = self._file.function(statements[0])
        for problems in (
            self._suspensions(inside, function),
            self._into(inside, function),
            self._returned(inside, function),
            self._leaving(inside, function),
        ):
            if problem := next(problems, ""):
                return problem
        return ""

    # Into the graph.

    def entering_problem(self, statements: Sequence[ast.stmt]) -> str:
        """Returns the reason why some statements may use the graph of other code, or "".

        Args:
          statements: Statements of one function or of the module.
        """
        inside = {part: None for statement in statements for part in ast.walk(statement)}
        return next(self._into(inside, self._file.function(statements[0])), "")

    def _into(self, inside: Collection[ast.AST], function: Function | None) -> Iterator[str]:
        yield from self._entering(inside)
        yield from self._arguments(inside, function)

    def entering_names(self, inside: Collection[ast.AST]) -> Iterator[tuple[ast.Name, ast.AST]]:
        """Yields the names in some code that are parts of another graph, with their binders.

        Args:
          inside: All nodes of the code.
        """
        fetched = {name for node in inside for name in self._fetched(node)}
        for node in inside:
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
                continue
            least = UNKNOWN if node in fetched else TENSOR
            own = self._own_with(node)
            for binder in bindings.of_scope(self._file, node):
                if own is not None and own in inside:
                    continue
                if binder not in inside and self._values.kind_of_binder(binder) >= least:
                    yield node, binder

    def _with_of(self, name: ast.Name) -> ast.With | None:
        """Returns the statement `with ... as name` that binds a name. None for other names."""
        item = self._file.parent(name)
        statement = self._file.parent(item) if isinstance(item, ast.withitem) else None
        return statement if isinstance(statement, ast.With) else None

    def _own_with(self, name: ast.Name) -> ast.With | None:
        """Returns the innermost `with ... as name` around a use, which binds what it reads.

        Programs call several sessions `session`, one after the other.
        """
        child: ast.AST = name
        node = self._file.parent(child)
        while node is not None and not isinstance(node, ast.FunctionDef):
            if isinstance(node, ast.With) and child in node.body:
                targets = (item.optional_vars for item in node.items)
                if any(isinstance(t, ast.Name) and t.id == name.id for t in targets):
                    inner = (part for line in node.body for part in _stored(ast.walk(line)))
                    return None if any(part.id == name.id for part in inner) else node
            child, node = node, self._file.parent(node)
        return None

    def _entering(self, inside: Collection[ast.AST]) -> Iterator[str]:
        for name, binder in self.entering_names(inside):
            yield f"`{name.id}` in line {name.lineno} is of the graph of line {_line(binder)}"
        for node in inside:
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                owner = node.value
                if isinstance(owner, ast.Name) and owner.id == "self":
                    for value in self._values.assigned_to(node):
                        if value not in inside and self._values.kind(value) == TENSOR:
                            yield (
                                f"`{ast.unparse(node)}` in line {node.lineno} is of the graph of "
                                f"line {_line(value)}"
                            )

    def _arguments(self, inside: Collection[ast.AST], function: Function | None) -> Iterator[str]:
        """Yields the reasons why parameters of a function may be tensors."""
        if function is None or isinstance(function, ast.Lambda):
            return
        names = [name for node in inside for name in (*self._fetched(node), *_owners(node))]
        for name in names:
            for binder in bindings.of_scope(self._file, name):
                if isinstance(binder, ast.arg) and binder not in inside and name.id != "self":
                    yield (
                        f"the argument `{name.id}` of `{function.name}` is used as a tensor or a "
                        f"session in line {name.lineno}"
                    )
        for call in self.calls_of(function):
            if call in inside:
                continue
            for value in (*call.args, *(keyword.value for keyword in call.keywords)):
                if self._values.kind(value) == TENSOR:
                    yield f"line {call.lineno} calls `{function.name}` with a part of its graph"

    def calls_of(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Call]:
        """Yields the calls of a function in its file.

        Args:
          function: The function or method.
        """
        for node in self._file.nodes:
            if not isinstance(node, ast.Call):
                continue
            name = node.func
            if isinstance(name, ast.Name) and name.id == function.name:
                is_call = function in bindings.of_scope(self._file, name)
            else:
                is_call = isinstance(name, ast.Attribute) and name.attr == function.name
                is_call = is_call and isinstance(self._file.parent(function), ast.ClassDef)
            if is_call:
                yield node

    def _fetched(self, node: ast.AST) -> Iterator[ast.Name]:
        """Yields the names in a call that are fetched from a session, or fed to it."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return
        if node.func.attr not in _RUNS or self._is_module(node.func.value):
            return
        yield from _members(node.func.value)
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if node.func.attr != "eval":
            for value in (*node.args[:1], keywords.get("fetches")):
                yield from _members(value)
        for value in (*node.args, keywords.get("feed_dict")):
            if isinstance(value, ast.Dict):
                for key in value.keys:
                    yield from _members(key)

    def _is_module(self, node: ast.expr) -> bool:
        if not isinstance(node, ast.Name):
            return False
        binders = bindings.of_scope(self._file, node)
        return any(isinstance(binder, ast.alias) for binder in binders)

    # Out of the graph.

    def leaving_names(self, inside: Collection[ast.AST]) -> Iterator[tuple[ast.Name, ast.Name]]:
        """Yields the names that some code binds to parts of its graph, with their uses elsewhere.

        Args:
          inside: All nodes of the code.
        """
        fetched = {name.id for node in inside for name in self._fetched(node)}
        for stored in _stored(inside):
            least = UNKNOWN if stored.id in fetched else TENSOR
            if self._values.kind_of_binder(stored) >= least:
                for use in bindings.uses(self._file, stored):
                    if use not in inside and self._own_with(use) in (None, self._with_of(stored)):
                        yield stored, use
        for node in inside:
            if isinstance(node, ast.FunctionDef) and self._reads_tensors(node, inside):
                for name in self._file.nodes:
                    if not isinstance(name, ast.Name) or name.id != node.name or name in inside:
                        continue
                    if node in bindings.of_scope(self._file, name):
                        yield name, name

    def _reads_tensors(self, function: ast.FunctionDef, inside: Collection[ast.AST]) -> bool:
        """Says whether a function reads tensors that the code around it binds."""
        own = {*ast.walk(function)}
        return any(
            binder in inside and binder not in own and self._values.kind_of_binder(binder) == TENSOR
            for node in own
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            for binder in bindings.of_scope(self._file, node)
        )

    def _leaving(self, inside: Collection[ast.AST], function: Function | None) -> Iterator[str]:
        for name, use in self.leaving_names(inside):
            yield f"line {use.lineno} uses `{name.id}`, which needs its graph"
        for name in _stored(inside):
            is_global = bindings.scope(self._file, name) is not self._file.function(name)
            if is_global and self._values.kind_of_binder(name) != PLAIN:
                yield f"line {name.lineno} stores a part of its graph in `{name.id}`"
        for node in inside:
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if self._is_outside(target, inside) and self._values.kind(node.value) != PLAIN:
                        yield (
                            f"line {node.lineno} stores what may be a part of its graph in "
                            f"`{ast.unparse(target)}`"
                        )
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                is_added = node.func.attr in _ADDS and self._is_outside(node.func, inside)
                if is_added and TENSOR in map(self._values.kind, node.args):
                    yield (
                        f"line {node.lineno} adds a part of its graph to "
                        f"`{ast.unparse(node.func.value)}`"
                    )
        if function is None and self._file.plan.is_shared:
            for name in _stored(inside):
                is_public = self._file.function(name) is None and not self._is_of_main(name)
                if is_public and self._values.kind_of_binder(name) == TENSOR:
                    yield f"other files may import `{name.id}`, which is of its graph"

    def _is_outside(self, target: ast.expr, inside: Collection[ast.AST]) -> bool:
        """Says whether a target is part of an object that other code has made."""
        if isinstance(target, (ast.Tuple, ast.List)):
            return any(self._is_outside(part, inside) for part in target.elts)
        if not isinstance(target, (ast.Attribute, ast.Subscript)):
            return False
        root: ast.expr = target
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        if not isinstance(root, ast.Name):
            return True
        return any(binder not in inside for binder in bindings.of_scope(self._file, root))

    def _is_of_main(self, node: ast.AST) -> bool:
        """Says whether only a run of the file executes a node, and no import does."""
        ancestor: ast.AST | None = node
        while ancestor is not None:
            if isinstance(ancestor, ast.If) and "__main__" in ast.unparse(ancestor.test):
                return True
            ancestor = self._file.parent(ancestor)
        return False

    def _returned(self, inside: Collection[ast.AST], function: Function | None) -> Iterator[str]:
        for node in inside:
            if not isinstance(node, ast.Return) or self._file.function(node) is not function:
                continue
            kind = self._values.kind(node.value)
            if kind == TENSOR:
                yield f"line {node.lineno} returns a part of its graph"
            elif kind == UNKNOWN:
                yield (
                    f"line {node.lineno} returns the result of another file's function, which may "
                    "be a part of its graph"
                )
            elif self._is_function(node.value, inside):
                yield f"line {node.lineno} returns a function, which may use its graph"

    def _is_function(self, node: ast.expr | None, inside: Collection[ast.AST]) -> bool:
        """Says whether an expression has a function or a class that some code defines."""
        for part in ast.walk(node) if node is not None else ():
            if isinstance(part, ast.Lambda):
                return True
            if isinstance(part, ast.Name):
                parent = self._file.parent(part)
                is_called = isinstance(parent, ast.Call) and parent.func is part
                binders = [node for node in bindings.of_scope(self._file, part) if node in inside]
                definitions = (ast.FunctionDef, ast.ClassDef)
                if not is_called and any(isinstance(binder, definitions) for binder in binders):
                    return True
        return False

    def _suspensions(self, inside: Collection[ast.AST], function: Function | None) -> Iterator[str]:
        for node in inside:
            is_own = self._file.function(node) is function
            if is_own and isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)):
                yield f"line {_line(node)} leaves the function while its graph is in use"


def _members(node: ast.AST | None) -> Iterator[ast.Name]:
    """Yields the names that an expression consists of. Arguments of calls do not count."""
    if isinstance(node, ast.Name):
        yield node
    elif isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        yield from _members(node.value)
    elif isinstance(node, (ast.Tuple, ast.List)):
        for part in node.elts:
            yield from _members(part)
    elif isinstance(node, ast.Dict):
        for part in node.values:
            yield from _members(part)


def _owners(node: ast.AST) -> Iterator[ast.Name]:
    """Yields the name of a tensor whose attribute a node is."""
    if not isinstance(node, ast.Attribute) or node.attr not in _OF_TENSORS:
        return
    if isinstance(node.value, ast.Name):
        yield node.value


def _stored(nodes: Iterable[ast.AST]) -> Iterator[ast.Name]:
    """Yields the names that some nodes bind."""
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)
