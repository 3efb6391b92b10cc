"""Follows the variable scopes of a function: names of layers, and reuse of variables.

    scopes = Scopes(file, function)
    scopes.default_name(call, "dense")
    scopes.enter(call, name)

Each Keras layer has its own variables. With reuse=tf.AUTO_REUSE, a second layer of tf.layers used
the variables of the first.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices

AUTO = "tf.AUTO_REUSE"
_VARIABLE_SCOPES = ("tf.variable_scope",)
_NAME_SCOPES = ("tf.name_scope", "tf.compat.v2.name_scope")


class Scopes:
    """The variable scopes of a function.

    Attributes:
      shares: Whether tf.AUTO_REUSE lets calls of the function share variables.
      shares_all: Whether calls share the variables of all layers so far.
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
        with_statements = (node for node in ast.walk(function) if isinstance(node, ast.With))
        self.shares = any(
            self._is_auto(call) for statement in with_statements for call in self._opened(statement)
        )
        self.shares_all = True

    def _opened(
        self, node: ast.With, kinds: Collection[str] = _VARIABLE_SCOPES
    ) -> Iterator[ast.Call]:
        for item in node.items:
            call = item.context_expr
            if not isinstance(call, ast.Call) or not call.args:
                continue
            if self._file.name_of(call.func) in kinds:
                yield call

    def _is_auto(self, call: ast.Call) -> bool:
        values = [keyword.value for keyword in call.keywords if keyword.arg == "reuse"]
        return any(self._file.name_of(value) == AUTO for value in values)

    def around(self, node: ast.AST, *, has_names: bool = False) -> list[ast.Call]:
        """Returns the calls of tf.variable_scope around a node, the outermost first.

        Args:
          node: The node.
          has_names: Whether calls of tf.name_scope count too. They name the variables of
            tf.Variable, but not those of tf.get_variable.
        """
        kinds = (*_VARIABLE_SCOPES, *_NAME_SCOPES) if has_names else _VARIABLE_SCOPES
        calls: list[ast.Call] = []
        parent = self._file.parent(node)
        while parent is not None and parent is not self._function:
            calls[:0] = self._opened(parent, kinds) if isinstance(parent, ast.With) else ()
            parent = self._file.parent(parent)
        return calls

    def earlier_count(self, call: ast.Call) -> int:
        """Returns how often a function opens the same scope of names before a call.

        Args:
          call: Call that opens the scope.
        """
        name = call.args[0]
        path = [ast.unparse(outer.args[0]) for outer in self.around(call, has_names=True)]
        count = 0
        for node in ast.walk(self._function):
            if not isinstance(node, ast.Call) or node is call or not node.args:
                continue
            is_scope = self._file.name_of(node.func) in (*_VARIABLE_SCOPES, *_NAME_SCOPES)
            if not is_scope or self._file.span(node) > self._file.span(call):
                continue
            outer_path = [ast.unparse(outer.args[0]) for outer in self.around(node, has_names=True)]
            count += ast.dump(node.args[0]) == ast.dump(name) and outer_path == path
        return count

    def path(self, node: ast.AST) -> tuple[str, ...]:
        """Returns the names of the scopes around a node, as texts."""
        return tuple(ast.unparse(call.args[0]) for call in self.around(node))

    def default_name(self, node: ast.Call, kind: str) -> str:
        """Returns the name that tf.layers gives a layer, numbered per scope: dense, dense_1, ...

        Args:
          node: Call that makes the layer.
          kind: Kind of the layer.
        """
        names = [call.args[0] for call in self.around(node)]
        values = [node.value for node in names if isinstance(node, ast.Constant)]
        scope = "".join(f"{name}_" for name in values if isinstance(name, str) and name)
        count = self._counts.get((scope, kind), 0)
        self._counts[scope, kind] = count + 1
        return f"{scope}{kind}" + (f"_{count}" if count else "")

    def enter(self, node: ast.Call, name: ast.expr | None) -> None:
        """Adds a layer, and refuses it if it uses the variables of another layer.

        Args:
          node: Call that makes the layer.
          name: Name from the program, or None.

        Raises:
          NotUnderstood: The layer uses, or may use, variables of another layer.
        """
        scope_calls, path = self.around(node), self.path(node)
        self.shares_all = self.shares_all and any(map(self._is_auto, scope_calls))
        if not any(keyword.arg == "reuse" for call in scope_calls for keyword in call.keywords):
            return
        scoped_name = (*path, ast.unparse(name)) if name is not None else ()
        is_again = (
            self._entered.setdefault(path, scope_calls) != scope_calls or scoped_name in self._names
        )
        if is_again or self._is_in_loop(node, scope_calls, name):
            raise NotUnderstood(
                f"the layer in line {node.lineno} may reuse the variables of another layer"
            )
        self._names |= {scoped_name} if scoped_name else set()

    def _is_in_loop(
        self, node: ast.Call, scope_calls: list[ast.Call], name: ast.expr | None
    ) -> bool:
        """Says whether a loop enters the same scope, or uses the same name, several times."""
        inner = [name] if name is not None else []
        parent: ast.AST | None = node
        while parent is not None and parent is not self._function:
            if isinstance(parent, ast.With) and any(
                call in scope_calls for call in self._opened(parent)
            ):
                inner = [call.args[0] for call in scope_calls]
            if isinstance(parent, ast.For) and inner:
                targets = slices.bound(parent.target)
                if not any(slices.read(expression) & targets for expression in inner):
                    return True
            parent = self._file.parent(parent)
        return False
