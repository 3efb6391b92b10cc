"""Follows the variable scopes of a function: names of layers, and reuse of variables.

    scopes = Scopes(file, function)
    scopes.default_name(call, "dense")
    scopes.enter(call, name)

Each Keras layer has its own variables. With reuse=tf.AUTO_REUSE, a second layer of tf.layers had
the variables of the first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices

AUTO = "tf.AUTO_REUSE"


class Scopes:
    """The variable scopes of a function.

    Attributes:
      shares: Whether each call of the function has the same variables, by tf.AUTO_REUSE.
      shares_all: Whether that holds for all layers so far.
    """

    def __init__(self, file: SourceFile, function: ast.FunctionDef) -> None:
        """Starts with no layers.

        Args:
          file: The file.
          function: The function.
        """
        self._file, self._function = file, function
        self._counts: dict[tuple[str, str], int] = {}
        self._entered: dict[tuple[str, ...], list[ast.Call]] = {}
        self._names: set[tuple[str, ...]] = set()
        inside = (node for node in ast.walk(function) if isinstance(node, ast.With))
        self.shares = any(self._is_auto(call) for one in inside for call in self._opened(one))
        self.shares_all = True

    def _opened(self, node: ast.With) -> Iterator[ast.Call]:
        for item in node.items:
            call = item.context_expr
            if not isinstance(call, ast.Call) or not call.args:
                continue
            if self._file.name_of(call.func) == "tf.variable_scope":
                yield call

    def _is_auto(self, call: ast.Call) -> bool:
        given = [one.value for one in call.keywords if one.arg == "reuse"]
        return any(self._file.name_of(value) == AUTO for value in given)

    def around(self, node: ast.AST) -> list[ast.Call]:
        """Returns the calls of tf.variable_scope around a node, the outermost first."""
        found: list[ast.Call] = []
        parent = self._file.parent(node)
        while parent is not None and parent is not self._function:
            found[:0] = self._opened(parent) if isinstance(parent, ast.With) else ()
            parent = self._file.parent(parent)
        return found

    def path(self, node: ast.AST) -> tuple[str, ...]:
        """Returns the names of the scopes around a node, as texts."""
        return tuple(ast.unparse(call.args[0]) for call in self.around(node))

    def default_name(self, node: ast.Call, kind: str) -> str:
        """Returns the name that tf.layers gives a layer, numbered per scope: dense, dense_1, ...

        Args:
          node: Call that makes it.
          kind: Kind of the layer.
        """
        names = [call.args[0] for call in self.around(node)]
        known = [one.value for one in names if isinstance(one, ast.Constant)]
        scope = "".join(f"{name}_" for name in known if isinstance(name, str) and name)
        count = self._counts.get((scope, kind), 0)
        self._counts[scope, kind] = count + 1
        return f"{scope}{kind}" + (f"_{count}" if count else "")

    def enter(self, node: ast.Call, name: ast.expr | None) -> None:
        """Adds a layer, and refuses it if it has the variables of another one.

        Args:
          node: Call that makes it.
          name: Its own name, or None if it has none.

        Raises:
          NotUnderstood: It has, or may have, variables of another layer.
        """
        around, path = self.around(node), self.path(node)
        self.shares_all = self.shares_all and any(map(self._is_auto, around))
        if not any(one.arg == "reuse" for call in around for one in call.keywords):
            return
        named = (*path, ast.unparse(name)) if name is not None else ()
        is_again = self._entered.setdefault(path, around) != around or named in self._names
        if is_again or self._is_in_loop(node, around, name):
            raise NotUnderstood(
                f"the layer in line {node.lineno} may reuse the variables of another layer"
            )
        self._names |= {named} if named else set()

    def _is_in_loop(self, node: ast.Call, around: list[ast.Call], name: ast.expr | None) -> bool:
        """Says whether a loop enters the same scope, or uses the same name, several times."""
        inner = [name] if name is not None else []
        parent: ast.AST | None = node
        while parent is not None and parent is not self._function:
            if isinstance(parent, ast.With) and any(
                call in around for call in self._opened(parent)
            ):
                inner = [call.args[0] for call in around]
            if isinstance(parent, ast.For) and inner:
                targets = slices.bound(parent.target)
                if not any(slices.read(one) & targets for one in inner):
                    return True
            parent = self._file.parent(parent)
        return False
