"""Finds loops of which `__init__` repeats the structure to make their layers.

    nests = LoopNests(file, scope, known)
    nests.loop_of(node), nests.names_at(node)

For example, a layer in two nested loops. `__init__` has the same loops, and appends the layers to
a list in the order of their calls. `call` takes the next layer of the list in each round. The
loops, the conditions in them, and the values that they compute for the layers must be known when
the model is made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.analysis import layer_calls
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, keras_objects, slices
from migrate.rewrite.model_fns.analysis.known_values import KnownValues, Scope
from migrate.rewrite.model_fns.analysis.modes import MODES, starts_reuse
from migrate.rewrite.model_fns.layers.calls import recurrent

_MAKERS = (
    *("tf.Variable", "tf.contrib.layers.", "tf.contrib.slim.", "tf.get_variable", "tf.layers."),
    *(*keras_objects.LAYERS, *recurrent.RUNS),
)
_WITHOUT_VARIABLES = frozenset(
    name
    for function, layer in layer_calls.WITHOUT_VARIABLES.items()
    for name in (function, layer.keras)
)
_DEFINITIONS = (ast.AsyncFunctionDef, ast.ClassDef, ast.FunctionDef, ast.Lambda)
_BLOCKS = (ast.For, ast.If, ast.With)
# Statements and expressions that `__init__` does not repeat.
_JUMPS = (ast.Break, ast.Continue, ast.Return, ast.Try, ast.While)
_BRANCHES = (ast.BoolOp, ast.IfExp)
_NUMBERS = (int, float)


class LoopNests:
    """The loops of a function whose structure `__init__` repeats.

    Attributes:
      loops: The outermost loops.
      names: Names that the loops bind, with known values only.
    """

    def __init__(self, file: SourceFile, scope: Scope, known: KnownValues) -> None:
        """Finds the loops.

        Args:
          file: The file.
          scope: The function.
          known: Values that are known when the model is made.
        """
        self._file, self._scope, self._known = file, scope, known
        outermost = [*_outermost(scope.statements)]
        self.loops = [loop for loop in outermost if self._is_nested(loop)]
        self._find_names()
        for loop in outermost if not self._may_reuse() else ():
            if loop not in self.loops and self._is_regular(loop):
                self.loops.append(loop)
                self._find_names()
                if not self._computes(loop) and not self._numbers_branches(loop):
                    self.loops.remove(loop)
        self._find_names()

    def loop_of(self, node: ast.AST) -> ast.For | None:
        """Returns the outermost loop around a node if `__init__` repeats it.

        Args:
          node: The node.
        """
        return next((loop for loop in self._around(node) if loop in self.loops), None)

    def check(self, node: ast.expr) -> None:
        """Refuses a call of a layer whose rounds are not known when the model is made.

        Args:
          node: Call in one of the loops.

        Raises:
          NotUnderstood: `__init__` cannot repeat the loop.
        """
        nest = self.loop_of(node)
        if nest is None:
            return
        if not self._is_regular(nest):
            raise NotUnderstood(f"a layer in line {node.lineno} is in a nested loop")
        child: ast.AST = node
        for parent in self._parents(node):
            self._check_block(node, child, parent)
            child = parent
            if parent is nest:
                break

    def _check_block(self, node: ast.expr, child: ast.AST, parent: ast.AST) -> None:
        line = node.lineno
        if isinstance(parent, _BRANCHES):
            raise NotUnderstood(f"a layer in line {line} is in a part of an expression in a loop")
        if isinstance(parent, ast.For):
            if child is parent.iter:
                raise NotUnderstood(f"a layer in line {line} is in the head of a loop")
            self._check_known(line, parent.iter, "loop")
        if isinstance(parent, ast.If):
            if child is parent.test:
                raise NotUnderstood(f"a layer in line {line} is in a condition")
            if not self.is_of_mode(parent.test):
                self._check_known(line, parent.test, "condition")

    def _check_known(self, line: int, node: ast.expr, kind: str) -> None:
        unknown = sorted(self._known.unknown(node) - self.names_at(node))
        if unknown:
            raise NotUnderstood(
                f"a layer in line {line} is in a loop, with a {kind} that depends on "
                f"{unknown[0]}, which is unknown before the call"
            )

    def names_at(self, node: ast.AST) -> frozenset[str]:
        """Returns the names of loops whose values `__init__` knows where it makes a layer.

        Args:
          node: Call of the layer.
        """
        nest = self.loop_of(node)
        if nest is not None:
            return self.names | self._targets_at(nest, node)
        if any(self._around(node)):
            return frozenset()
        return frozenset(name for name in self.names if self._has_value_at(name, node))

    def _targets_at(self, nest: ast.For, node: ast.AST) -> set[str]:
        """Returns the known variables of the loops around a node."""
        loops = [loop for loop in self._around(node) if loop is not node]
        names = set().union(*(slices.bound(loop.target) for loop in loops))
        return names & self._targets[nest]

    def _has_value_at(self, name: str, node: ast.AST) -> bool:
        """Says whether `__init__` computes a name before it makes the layer of a call."""
        line = getattr(node, "lineno", 0)
        first = [other for other in self._known.statements if name in slices.bound(other)]
        earlier = [
            loop
            for loop in self.loops
            if name in slices.bound(loop) and (loop.end_lineno or 0) < line
        ]
        return bool(first or earlier) and all(other.lineno < line for other in first)

    def is_of_mode(self, test: ast.expr) -> bool:
        """Says whether a condition only asks for the mode, so that layers exist in any case.

        Args:
          test: The condition.
        """
        return all(self._scope.modes.truth(test, mode) is not None for mode in MODES)

    def computed(self, loop: ast.For) -> Iterator[ast.stmt]:
        """Yields the statements of a loop that only compute known names.

        Args:
          loop: One of the loops.
        """
        yield from filter(self.is_computed, _parts(loop))

    def is_computed(self, statement: ast.stmt) -> bool:
        """Says whether a statement of a loop only computes known names.

        Args:
          statement: The statement.
        """
        names = _computed(statement)
        return bool(names) and names <= self.names

    def needed(self, loops: Sequence[ast.For], names: set[str]) -> set[str]:
        """Returns names, and those that the structure and the values of loops depend on.

        Args:
          loops: Loops that `__init__` repeats.
          names: Names that the layers need.
        """
        names = set(names)
        for loop in loops:
            for node in ast.walk(loop):
                if isinstance(node, ast.For):
                    names |= slices.read(node.iter)
                elif isinstance(node, ast.If) and not self.is_of_mode(node.test):
                    names |= slices.read(node.test)
        statements = [part for loop in loops for part in self.computed(loop)]
        size = -1
        while size != (size := len(names)):
            for statement in statements:
                names |= slices.read(statement) if slices.bound(statement) & names else set()
        return names

    # Names.

    def _find_names(self) -> None:
        """Finds the names with known values, and the variables that only loops bind."""
        names = {name for loop in self.loops for name in slices.bound(loop)}
        self.names = frozenset(filter(self._is_bound_by_loops, names))
        self._targets = {loop: _only_targets(loop) for loop in self.loops}
        size = -1
        while size != (size := self._count()):
            self.names = frozenset(filter(self._is_always_known, self.names))
            for loop, targets in self._targets.items():
                unknown = {
                    name
                    for node in ast.walk(loop)
                    if isinstance(node, ast.For) and self._unknown_reads(loop, node.iter)
                    for name in slices.bound(node.target)
                }
                self._targets[loop] = targets - unknown

    def _count(self) -> int:
        return len(self.names) + sum(map(len, self._targets.values()))

    def _unknown_reads(self, nest: ast.For, node: ast.AST) -> set[str]:
        """Returns the names that a node in a loop reads, and that are not known there."""
        known = self._known.names | self.names | self._targets_at(nest, node)
        return slices.read(node) & self._scope.local - known

    def _is_bound_by_loops(self, name: str) -> bool:
        """Says whether only the loops, and known statements before them, bind a name."""
        if name in self._scope.static | self._scope.inputs:
            return False
        targets = set().union(
            *(slices.bound(part.target) for loop in self.loops for part in _loops(loop))
        )
        if name in targets:
            return False
        first = min(loop.lineno for loop in self.loops)
        binders = [node for node in self._scope.statements if name in slices.bound(node)]
        nests = [loop for loop in self.loops if name in slices.bound(loop)]
        for statement in binders:
            inner = {id(node) for node in ast.walk(statement)}
            if any(id(loop) in inner for loop in nests):
                is_only_loop = statement in nests or self._is_only_in(name, statement, nests)
                if not is_only_loop or (statement not in nests and len(binders) > 1):
                    return False  # Another block decides whether the loop runs.
            elif statement not in self._known.statements or statement.lineno >= first:
                return False
        return True

    def _is_only_in(self, name: str, statement: ast.stmt, nests: Sequence[ast.For]) -> bool:
        """Says whether a loop in a statement has all parts of it that bind or read a name."""
        inner = {id(part) for loop in nests for part in ast.walk(loop)}
        nodes = [part for part in ast.walk(self._scope.function) if isinstance(part, ast.Name)]
        return len(nests) == 1 and all(id(part) in inner for part in nodes if part.id == name)

    def _is_always_known(self, name: str) -> bool:
        """Says whether all parts of the loops that bind a name compute it from known values."""
        return all(
            self._is_known_value(name, loop, statement)
            for loop in self.loops
            for statement in _parts(loop)
            if not isinstance(statement, ast.For) and name in slices.bound(statement)
        )

    def _is_known_value(self, name: str, loop: ast.For, statement: ast.stmt) -> bool:
        """Says whether a statement of a loop gives a name a value that is known."""
        if name not in _computed(statement):
            return False
        if isinstance(statement, ast.AugAssign) and not self._is_number(name):
            return False
        sources: list[ast.AST] = [statement]
        sources += [
            parent.test
            for parent in self._parents(statement)
            if isinstance(parent, ast.If) and loop in self._around(parent)
        ]
        return not any(
            self._unknown_reads(loop, source)
            or self._makes_layers(source)
            or self._depends_on_mode(source)
            for source in sources
        )

    def _is_number(self, name: str) -> bool:
        """Says whether a name is a number before the loops, so that `+=` changes no list."""
        values = [
            statement.value
            for statement in self._known.statements
            if isinstance(statement, ast.Assign) and name in slices.bound(statement)
        ]
        return bool(values) and all(
            isinstance(value, ast.Constant) and isinstance(value.value, _NUMBERS)
            for value in values
        )

    def _depends_on_mode(self, node: ast.AST) -> bool:
        parts = (part for part in ast.walk(node) if isinstance(part, ast.expr))
        return any(
            self._scope.modes.truth(part, mode) is not None
            for part in parts
            if not isinstance(part, ast.Constant)
            for mode in MODES
        )

    # Loops.

    def _is_nested(self, loop: ast.For) -> bool:
        """Says whether a loop contains another one with layers."""
        inner = (node for node in ast.walk(loop) if isinstance(node, ast.For) and node is not loop)
        return any(self._makes_layers(node) for node in inner)

    def _computes(self, loop: ast.For) -> bool:
        """Says whether layers of a loop read a value that the loop computes from known ones."""
        assigned = {name for part in _parts(loop) for name in _computed(part)} & self.names
        calls = [node for node in ast.walk(loop) if self._is_maker(node)]
        return any(slices.read(call) & assigned for call in calls)

    def _may_reuse(self) -> bool:
        """Says whether the function may use variables again, which loops of `__init__` cannot."""
        nodes = [*ast.walk(self._scope.function)]
        keywords = [node for node in nodes if isinstance(node, ast.keyword)]
        return any(map(starts_reuse, nodes)) or any(word.arg == "reuse" for word in keywords)

    def _numbers_branches(self, loop: ast.For) -> bool:
        """Says whether the numbers of layers depend on the rounds in which a loop makes them."""
        return any(
            self._is_maker(call) and self._is_numbered(call) and self._is_conditional(call, loop)
            for call in ast.walk(loop)
            if isinstance(call, ast.Call)
        )

    def _is_numbered(self, call: ast.Call) -> bool:
        """Says whether a call may make variables whose name has a number."""
        name = (self._file.name_of(call.func) or "").rpartition(".")[2]
        is_named = any(keyword.arg in ("name", "scope") for keyword in call.keywords)
        return not is_named and name not in _WITHOUT_VARIABLES

    def _is_conditional(self, call: ast.Call, loop: ast.For) -> bool:
        """Says whether only some rounds of a loop make a call."""
        return any(
            isinstance(parent, ast.If)
            and loop in self._around(parent)
            and not self.is_of_mode(parent.test)
            for parent in self._parents(call)
        )

    def _is_regular(self, loop: ast.For) -> bool:
        """Says whether a loop has no statements that leave a round early."""
        nodes = [*ast.walk(loop)]
        return not any(isinstance(node, _JUMPS) for node in nodes) and not any(
            node.orelse for node in nodes if isinstance(node, ast.For)
        )

    def _makes_layers(self, node: ast.AST) -> bool:
        return any(map(self._is_maker, ast.walk(node)))

    def _is_maker(self, node: ast.AST) -> bool:
        """Says whether a node is a call that may make a layer."""
        if not isinstance(node, ast.Call):
            return False
        if (self._file.name_of(node.func) or "").startswith(_MAKERS):
            return True
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if not name or checks.function_named(self._file, name) is None:
            return False
        return not checks.is_plain(self._file, name, has_labels=True)

    def _around(self, node: ast.AST) -> Iterator[ast.For]:
        yield from (part for part in (node, *self._parents(node)) if isinstance(part, ast.For))

    def _parents(self, node: ast.AST) -> Iterator[ast.AST]:
        parent = self._file.parent(node)
        while parent is not None and parent is not self._scope.function:
            yield parent
            parent = self._file.parent(parent)


def _outermost(statements: Sequence[ast.stmt]) -> Iterator[ast.For]:
    """Yields the outermost loops of statements."""
    for statement in statements:
        if isinstance(statement, ast.For):
            yield statement
        elif not isinstance(statement, _DEFINITIONS):
            for field in ("body", "orelse"):
                yield from _outermost(getattr(statement, field, ()))


def _parts(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yields a loop, and its inner loops and simple statements."""
    if not isinstance(statement, _BLOCKS):
        yield statement
        return
    if isinstance(statement, ast.For):
        yield statement
    for child in (*statement.body, *getattr(statement, "orelse", ())):
        yield from _parts(child)


def _loops(loop: ast.For) -> list[ast.For]:
    return [part for part in _parts(loop) if isinstance(part, ast.For)]


def _only_targets(loop: ast.For) -> set[str]:
    """Returns the names that a loop binds only as variables of loops."""
    others = [part for part in _parts(loop) if not isinstance(part, ast.For)]
    targets = set().union(*(slices.replaced_by(part.target) for part in _loops(loop)))
    return targets - set().union(*map(slices.bound, others))


def _computed(statement: ast.stmt) -> set[str]:
    """Returns the names that a statement assigns, if it does nothing else."""
    if isinstance(statement, ast.AugAssign):
        names = {statement.target.id} if isinstance(statement.target, ast.Name) else set()
    else:
        names = slices.replaces(statement) if isinstance(statement, ast.Assign) else set()
    return names if names == slices.bound(statement) else set()
