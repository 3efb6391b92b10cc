"""Finds the values of a function that are known when its model is made.

known = KnownValues(file, scope)
known.statements, known.names
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, keras_objects, slices
from migrate.rewrite.model_fns.analysis.modes import MODES, Modes

_SHAPES = ("get_shape", "shape")
_BINDERS = (ast.AnnAssign, ast.Assign, ast.AugAssign, ast.Expr, ast.NamedExpr, ast.comprehension)
_NEW = (ast.BinOp, ast.Dict, ast.DictComp, ast.List, ast.ListComp)
# Functions whose result is a list, dictionary or set of its own.
_MAKERS = ("copy.copy", "copy.deepcopy", "dict", "list", "set", "sorted")


class Scope(NamedTuple):
    """A function whose statements become those of a `call`.

    Attributes:
      function: The function.
      modes: The function, followed through each mode.
      statements: Statements of the computation, in order.
      outputs: Names whose values are needed after the computation.
      static: Arguments that are known when the model is made.
      inputs: Arguments that are not known when the model is made.
      texts: Texts that replace nodes in all methods.
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
      names: Names with exactly one value when the model is made.
    """

    def __init__(
        self, file: SourceFile, scope: Scope, replaced_ids: Collection[int] = frozenset()
    ) -> None:
        """Finds the known values.

        Args:
          file: The file.
          scope: The function.
          replaced_ids: Ids of nodes that other texts replace in `__init__`.
        """
        self._file, self._scope, self._replaced_ids = file, scope, replaced_ids
        self.statements = self._find_static()

    def _find_static(self) -> list[ast.stmt]:
        """Returns the statements that depend only on the arguments of the model."""
        known_names = set(self._scope.static)
        own_names: set[str] = set()  # Names of lists and dictionaries that the function makes.
        statements: list[ast.stmt] = []
        for statement in self._scope.statements:
            reads = slices.read_outside(statement, self._replaced_ids) & self._scope.local
            targets = slices.replaces(statement)
            changes = slices.bound(statement) - targets
            is_change = isinstance(statement, (ast.AugAssign, ast.Expr)) and bool(changes)
            is_known = is_change or (isinstance(statement, ast.Assign) and bool(targets))
            is_known = is_known and not reads - known_names and changes <= own_names
            own_names -= targets
            if is_known and not any(self._is_layer(node) for node in ast.walk(statement)):
                statements.append(statement)
                known_names |= targets
                if isinstance(statement, ast.Assign) and _is_new(statement.value):
                    own_names |= targets
            else:
                known_names -= slices.bound(statement)
        self.names = frozenset(name for name in known_names if self._is_final(name, statements))
        return statements

    def _is_final(self, name: str, known: Sequence[ast.stmt]) -> bool:
        """Says whether all statements but the known ones read the same value of a name.

        For example, `units` after `units = list(sizes)`, `units.reverse()`.

        Args:
          name: The name.
          known: Statements that depend only on the arguments of the model.
        """
        statements = self._scope.statements
        binders = [i for i, part in enumerate(statements) if name in slices.bound(part)]
        if len(binders) <= (name not in self._scope.static):
            return True
        if name in self._scope.static or any(statements[i] not in known for i in binders):
            return False
        earlier = [part for part in statements[: binders[-1]] if part not in known]
        return not any(name in slices.read(part) for part in earlier)

    def settled(self, statement: ast.stmt) -> frozenset[str]:
        """Returns the names whose known values have all been assigned before a statement.

        For example, `cell` in `cell = LSTMCell(3)`, `cell = MultiRNNCell([cell])`.

        Args:
          statement: Statement that reads the names.
        """
        earlier = [other for other in self.statements if other.lineno < statement.lineno]
        names = set().union(*map(slices.replaces, earlier))
        others = [other for other in self._scope.statements if other not in earlier]
        return frozenset(names - set().union(*map(slices.bound, others)))

    def unknown(self, node: ast.AST) -> set[str]:
        """Returns the names that a node reads, and that are not known when the model is made."""
        return slices.read_outside(node, self._replaced_ids) & self._scope.local - self.names

    def is_known(self, node: ast.AST) -> bool:
        """Says whether a node reads only known names."""
        return not self.unknown(node)

    def is_size(self, node: ast.AST, visited: frozenset[str] = frozenset()) -> bool:
        """Says whether a node reads only known names and the static shapes of tensors.

        For example, `units` after `units = x.get_shape().as_list()[-1]`.

        Args:
          node: The node.
          visited: Names whose values contain the node.
        """
        unknown = self.unknown(node)
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        return all(self._is_size(part, visited) for part in names if part.id in unknown)

    def _is_size(self, name: ast.Name, visited: frozenset[str]) -> bool:
        child: ast.AST = name
        parent = self._file.parent(name)
        while isinstance(parent, (ast.Attribute, ast.Subscript)) and parent.value is child:
            if isinstance(parent, ast.Attribute) and parent.attr in _SHAPES:
                return True
            child, parent = parent, self._file.parent(parent)
        if name.id in visited | self._scope.static | self._scope.inputs:
            return False
        value = self._only_value(name.id)
        return value is not None and self.is_size(value, visited | {name.id})

    def _only_value(self, name: str) -> ast.expr | None:
        """Returns the value of the only assignment to a name. None if anything else binds it."""
        nodes = [part for statement in self._scope.statements for part in ast.walk(statement)]
        binders = [
            part for part in nodes if isinstance(part, _BINDERS) and name in slices.bound(part)
        ]
        assignments = [part for part in binders if isinstance(part, ast.Assign)]
        return assignments[0].value if len(assignments) == len(binders) == 1 else None

    def check(self, node: ast.expr, extra_names: frozenset[str] = frozenset()) -> None:
        """Refuses an expression that is not known when the model is made.

        Args:
          node: Argument of the constructor of a layer.
          extra_names: Other names that are known.

        Raises:
          NotUnderstood: The expression is not known.
        """
        self._refuse(node, self.unknown(node) - extra_names)

    def check_text(self, node: ast.expr) -> None:
        """Refuses an expression of a text in `__init__` that is not known there.

        Args:
          node: The expression, which may be a part of a replaced node.

        Raises:
          NotUnderstood: The expression is not known.
        """
        self._refuse(node, slices.read(node) & self._scope.local - self.names)

    def _refuse(self, node: ast.expr, unknown: Collection[str]) -> None:
        if unknown:
            name = sorted(unknown)[0]
            raise NotUnderstood(
                f"a layer in line {node.lineno} depends on {name}, which is unknown before the call"
            )

    def check_branch(self, node: ast.expr) -> None:
        """Refuses an expression that may exist only under a condition, because __init__ has none.

        Args:
          node: Argument of the constructor of a layer.

        Raises:
          NotUnderstood: The expression reads an attribute or item under a condition.
        """
        parts = [
            part for part in ast.walk(node) if isinstance(part, (ast.Attribute, ast.Subscript))
        ]
        if not any(slices.read(part) & self._scope.local for part in parts):
            return
        parent = self._file.parent(node)
        while parent is not None and parent is not self._scope.function:
            test = parent.test if isinstance(parent, (ast.If, ast.IfExp)) else None
            if test and all(self._scope.modes.truth(test, mode) is None for mode in MODES):
                text = ast.unparse(node)
                raise NotUnderstood(
                    f"{text} in line {node.lineno} may exist only under a condition"
                )
            parent = self._file.parent(parent)

    def _is_layer(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call):
            return False
        name = self._file.name_of(node.func) or ""
        makers = (
            *("tf.Variable", "tf.contrib.layers.", "tf.get_variable", "tf.layers."),
            *keras_objects.MODELS,
        )
        return name.startswith(makers) and checks.is_refused(name)


def _is_new(node: ast.expr) -> bool:
    """Says whether an expression makes a list or dictionary, which no other name holds."""
    if isinstance(node, ast.Call):
        is_copy = isinstance(node.func, ast.Attribute) and node.func.attr == "copy"
        return is_copy or ast.unparse(node.func) in _MAKERS
    is_slice = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    return is_slice or isinstance(node, _NEW)
