"""The loops, conditions and variable scopes around the calls of a forward pass.

    around = Surroundings(file, scope, known)
    around.loop_of(statement, call)

They decide how often `__init__` makes the object of a call, under which conditions, and with which
names of its variables.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, rendering
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.known_values import KnownValues, Scope
from migrate.rewrite.model_fns.analysis.modes import MODES
from migrate.rewrite.model_fns.analysis.scopes import Scopes, has_constant_name
from migrate.rewrite.model_fns.layers.loop_nests import LoopNests
from migrate.rewrite.model_fns.layers.variable_names import ScopedName
from migrate.rewrite.names import modern_names

# Nodes that may make a layer several times, or not at all.
_INNER = (
    *(ast.DictComp, ast.FunctionDef, ast.GeneratorExp, ast.Lambda, ast.ListComp, ast.SetComp),
    *(ast.Try, ast.While, ast.With, ast.comprehension),
)


class Surroundings:
    """The surroundings of the calls of a function.

    Attributes:
      known: Values that are known when `__init__` makes the objects.
      nests: Loops that `__init__` repeats.
      scopes: Variable scopes of the function.
      reads: Names that conditions and scopes of objects read.
    """

    def __init__(self, file: SourceFile, scope: Scope, known: KnownValues) -> None:
        """Finds the loops and the scopes.

        Args:
          file: The file.
          scope: The function.
          known: Values that are known when `__init__` makes the objects.
        """
        self._file, self._scope, self.known = file, scope, known
        self.nests = LoopNests(file, scope, known)
        self.scopes = Scopes(file, scope.function, scope.modes)
        self.reads: set[str] = set()

    def is_variable_scope(self, node: ast.AST) -> bool:
        """Says whether a node is a `with` of scopes that only name the layers in it."""
        if not isinstance(node, ast.With) or not self._scope.modes.is_transparent(node):
            return False
        calls = [item.context_expr for item in node.items]
        return all(
            self._file.name_of(call.func) == "tf.variable_scope"
            and (len(call.args) == 1 or has_constant_name(call))
            and not modern_names.is_constant(call.args[0], None)
            for call in calls
            if isinstance(call, ast.Call)
        )

    def loop_of(
        self, statement: ast.stmt, node: ast.expr, is_layer: bool = True, in_scope: bool = True
    ) -> ast.For | None:
        """Returns the loop of the forward pass around a call.

        Args:
          statement: Statement of the forward pass that contains the call.
          node: The call.
          is_layer: Whether the call makes a layer, and must not be in some other statements.
          in_scope: Whether it may be in a variable scope inside the statement.
        """
        loop, nest = None, self.nests.loop_of(node)
        ancestor: ast.AST | None = node
        while ancestor is not None and ancestor is not self._file.parent(statement):
            if isinstance(ancestor, ast.For):
                if is_layer and nest is None and (loop is not None or ancestor.orelse):
                    raise NotUnderstood(f"a layer in line {node.lineno} is in a nested loop")
                loop = ancestor
            elif in_scope and self.is_variable_scope(ancestor):
                pass  # Its name becomes a part of the name of the layer.
            elif isinstance(ancestor, _INNER) and is_layer:
                kind = type(ancestor).__name__
                raise NotUnderstood(f"a layer in line {node.lineno} is created inside a {kind}")
            ancestor = self._file.parent(ancestor)
        if is_layer:
            self.nests.check(node)
        return loop

    def targets(self, node: ast.AST, loop: ast.For | None) -> frozenset[str]:
        """Returns the names of loops whose values are known where a layer is made.

        Args:
          node: Call of the layer.
          loop: Loop of the layer, or None.
        """
        if loop is None or loop in self.nests.loops:
            return self.nests.names_at(node)
        return frozenset(slices.bound(loop.target))

    def scoped_name(
        self,
        node: ast.Call,
        name: ast.expr | None,
        kind: str,
        targets: frozenset[str] = frozenset(),
    ) -> ScopedName | None:
        """Returns the name of a layer or variable. None if it may not be a string.

        Args:
          node: Call that makes the layer or variable.
          name: Name from the program, or None.
          kind: Name that TensorFlow gives to layers of this kind.
          targets: Variables of the surrounding loop, whose values are known too.
        """
        if name is None or modern_names.is_constant(name, None):
            return ScopedName(self.scopes_of(node, targets), None, kind)
        if isinstance(name, ast.Name) and name.id in self._maybe_none():
            return None
        text = rendering.one_line(self._file, name)
        return ScopedName(self.scopes_of(node, targets), text, kind)

    def scopes_of(
        self, node: ast.AST, targets: frozenset[str], *, has_names: bool = False
    ) -> tuple[str, ...]:
        """Returns the names of the scopes around a call that are known in __init__.

        Args:
          node: The call.
          targets: Variables of the surrounding loop, whose values are known too.
          has_names: Whether tf.name_scope counts too.
        """
        names = []
        for call in self.scopes.around(node, has_names=has_names):
            scope = self.scopes.name_of(call)
            is_text = isinstance(scope, (ast.BinOp, ast.JoinedStr, ast.Name)) or (
                isinstance(scope, ast.Call) and isinstance(scope.func, ast.Attribute)
            )
            is_text = is_text or isinstance(scope, ast.Constant) and bool(scope.value)
            # A graph's scope object cannot be in params, which exist before the graph.
            is_param = isinstance(scope, (ast.Attribute, ast.Subscript))
            is_text = is_text or (is_param and slices.base(scope) == "params")
            reads = slices.read(scope) - targets
            is_known = not reads & self._scope.local - self.known.names
            if (
                is_text
                and is_known
                and not reads & self._maybe_none()
                and self.scopes.is_named(call)
            ):
                is_own = scope is call.args[0]
                text = rendering.one_line(self._file, scope) if is_own else ast.unparse(scope)
                count = self.scopes.earlier_count(call) if has_names else 0
                if count and is_own and isinstance(scope, ast.Constant):
                    text = json.dumps(f"{scope.value!s}_{count}")
                names.append(text)
                self.reads |= reads
        return tuple(names)

    def tests(self, node: ast.AST, loop: ast.For | None) -> tuple[str, ...]:
        """Returns the known conditions under which a layer is called, the outermost first.

        Args:
          node: Call of the layer.
          loop: Loop of the layer, or None. Conditions inside the loop do not count.
        """
        tests: list[str] = []
        child: ast.AST = node if loop is None else loop
        parent = self._file.parent(child)
        while parent is not None and parent is not self._scope.function:
            if isinstance(parent, ast.If) and child is not parent.test:
                test = parent.test
                is_mode_test = any(
                    self._scope.modes.truth(test, mode) is not None for mode in MODES
                )
                if not is_mode_test and self.known.is_known(test):
                    text = rendering.one_line(self._file, test)
                    tests.insert(0, text if child in parent.body else f"not ({text})")
                    self.reads |= slices.read(test)
            child, parent = parent, self._file.parent(parent)
        return tuple(tests)

    def is_guarded(self, node: ast.AST, loop: ast.For | None, tests: tuple[str, ...]) -> bool:
        """Says whether `__init__` makes an object under all conditions of its arguments.

        Args:
          node: Argument of the object.
          loop: Loop of the object, or None.
          tests: Conditions of the object in `__init__`.
        """
        count = 0
        parent = self._file.parent(node)
        while parent is not None and parent is not self._scope.function:
            if (
                loop in self.nests.loops
                and isinstance(parent, ast.If)
                and loop in _parents(self._file, parent)
            ):
                parent = self._file.parent(parent)
                continue  # `__init__` has the same condition.
            is_loop_passed = loop is None or getattr(parent, "lineno", 0) < loop.lineno
            if isinstance(parent, ast.IfExp) or isinstance(parent, ast.If) and not is_loop_passed:
                return False
            if isinstance(parent, ast.If):
                in_mode = any(
                    self._scope.modes.truth(parent.test, mode) is not None for mode in MODES
                )
                count += not in_mode
            parent = self._file.parent(parent)
        return bool(tests or loop in self.nests.loops) and count == len(tests)

    def _maybe_none(self) -> set[str]:
        """Returns the parameters of the function whose default is None."""
        parameters = self._scope.function.args
        defaults = dict(
            zip(
                [argument.arg for argument in parameters.args][::-1],
                parameters.defaults[::-1],
                strict=False,
            )
        )
        defaults.update(
            (argument.arg, value)
            for argument, value in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
            if value is not None
        )
        return {name for name, value in defaults.items() if modern_names.is_constant(value, None)}


def _parents(file: SourceFile, node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes around a node, the innermost first."""
    parent = file.parent(node)
    while parent is not None:
        yield parent
        parent = file.parent(parent)
