"""Finds the values of a function that are known when its model is made.

known = KnownValues(file, scope)
known.statements, known.names
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, keras_objects, slices
from migrate.rewrite.model_fns.analysis.modes import MODES, Modes


class Scope(NamedTuple):
    """A function whose statements become those of a `call`.

    Attributes:
      function: The function.
      modes: The function, followed through each mode.
      statements: Statements of the computation, in order.
      outputs: Names whose values are needed afterwards.
      static: Arguments that are known when the model is made.
      inputs: The other arguments.
      texts: Texts of some nodes, which replace them everywhere.
    """

    function: ast.FunctionDef
    modes: Modes
    statements: Sequence[ast.stmt]
    outputs: Sequence[str]
    static: frozenset[str]
    inputs: frozenset[str]
    texts: Mapping[ast.expr, str] = {}

    @property
    def local(self) -> set[str]:
        """The names that have a meaning only in the function."""
        return slices.bound_inside(self.function) | self.static | self.inputs


class KnownValues:
    """The values of a function that are known when its model is made.

    Attributes:
      statements: Statements that depend only on the arguments of the model.
      names: Names that have exactly one value then.
    """

    def __init__(self, file: SourceFile, scope: Scope) -> None:
        """Finds the known values.

        Args:
          file: The file.
          scope: The function.
        """
        self._file, self._scope = file, scope
        self.statements = self._find_static()

    def _find_static(self) -> list[ast.stmt]:
        """Returns the statements that depend only on the arguments of the model."""
        known = set(self._scope.static)
        found: list[ast.stmt] = []
        for statement in self._scope.statements:
            reads = slices.read(statement) & self._scope.local
            bound = slices.replaces(statement)
            is_known = isinstance(statement, ast.Assign) and bound and not reads - known
            if is_known and not any(self._is_layer(node) for node in ast.walk(statement)):
                found.append(statement)
                known |= bound
        rebound = [name for one in self._scope.statements for name in slices.bound(one)]
        self.names = frozenset(
            name for name in known if rebound.count(name) <= (name not in self._scope.static)
        )
        return found

    def settled(self, statement: ast.stmt) -> frozenset[str]:
        """Returns the names whose known values have all been assigned before a statement.

        For example, `cell` in `cell = LSTMCell(3)`, `cell = MultiRNNCell([cell])`.

        Args:
          statement: Statement that reads them.
        """
        earlier = [one for one in self.statements if one.lineno < statement.lineno]
        names = set().union(*map(slices.replaces, earlier))
        others = [one for one in self._scope.statements if one not in earlier]
        return frozenset(names - set().union(*map(slices.bound, others)))

    def _unknown(self, node: ast.AST) -> set[str]:
        return slices.read(node) & self._scope.local - self.names

    def is_known(self, node: ast.AST) -> bool:
        """Says whether a node reads only known names."""
        return not self._unknown(node)

    def check(self, node: ast.expr, more: frozenset[str] = frozenset()) -> None:
        """Refuses an expression that is not known when the model is made.

        Args:
          node: Expression that a layer is made of.
          more: Other names that are known.

        Raises:
          NotUnderstood: It is not known.
        """
        unknown = self._unknown(node) - more
        if unknown:
            name = sorted(unknown)[0]
            raise NotUnderstood(
                f"a layer in line {node.lineno} depends on {name}, which is unknown before the call"
            )

    def check_branch(self, node: ast.expr) -> None:
        """Refuses an expression that may exist only under a condition, because __init__ has none.

        Args:
          node: Expression that a layer is made of.

        Raises:
          NotUnderstood: It is an attribute or item, and is used under a condition.
        """
        parts = [one for one in ast.walk(node) if isinstance(one, (ast.Attribute, ast.Subscript))]
        if not any(slices.read(one) & self._scope.local for one in parts):
            return
        parent = self._file.parent(node)
        while parent is not None and parent is not self._scope.function:
            test = parent.test if isinstance(parent, (ast.If, ast.IfExp)) else None
            if test and all(self._scope.modes.truth(test, mode) is None for mode in MODES):
                said = ast.unparse(node)
                raise NotUnderstood(
                    f"{said} in line {node.lineno} may exist only under a condition"
                )
            parent = self._file.parent(parent)

    def _is_layer(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        name = self._file.name_of(node.func) or ""
        makers = ("tf.contrib.layers.", "tf.get_variable", "tf.layers.", *keras_objects.MODELS)
        return name.startswith(makers) and checks.is_refused(name)
