"""Reads the probabilities of RNN cells with dropout, in all modes or in training only.

    dropouts = Dropouts(file, scope)
    dropouts.of(call).texts

For example, after `keep = 0.5 if mode == ModeKeys.TRAIN else 1.0`, the cell
`DropoutWrapper(cell, output_keep_prob=keep)` drops values in training only. `__init__` makes the
cells, and does not know the mode. So the cell gets the value of training, and whether it holds in
training only.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.known_values import Scope
from migrate.rewrite.model_fns.analysis.modes import MODES, Modes
from migrate.rewrite.model_fns.layers.calls import recurrent


class Dropout(NamedTuple):
    """The dropout of one cell.

    Attributes:
      values: Probabilities to keep values that differ by mode, in training, by argument.
      in_training_only: Whether evaluations and predictions drop nothing.
    """

    values: dict[str, ast.expr]
    in_training_only: bool


class Dropouts:
    """The cells with dropout in a function.

    Attributes:
      replaced_ids: Ids of the nodes of arguments that differ by mode.
    """

    def __init__(self, file: SourceFile, scope: Scope) -> None:
        """Reads the arguments of all wrappers.

        Args:
          file: The file.
          scope: The function.

        Raises:
          NotUnderstood: A cell drops values in one of evaluation and prediction.
        """
        self._scope = scope
        self._dropouts: dict[int, Dropout] = {}
        self.replaced_ids: set[int] = set()
        for statement in scope.statements:
            for node in ast.walk(statement):
                name = file.name_of(node.func) if isinstance(node, ast.Call) else None
                if isinstance(node, ast.Call) and (name or "").endswith(".DropoutWrapper"):
                    wrapper = recurrent.wrapper(node, name or "")
                    if wrapper is not None:
                        self._dropouts[id(node)] = self._read(node, wrapper.keep_probs)

    def of(self, call: ast.Call) -> Dropout:
        """Returns the dropout of a wrapper."""
        return self._dropouts.get(id(call), Dropout({}, in_training_only=False))

    def _read(self, call: ast.Call, keep_probs: dict[str, ast.expr]) -> Dropout:
        values: dict[str, ast.expr] = {}
        differs: set[bool] = set()
        for key, node in keep_probs.items():
            train, *others = (_InMode(self._scope, mode, node).value for mode in MODES)
            dumps = {ast.dump(value) for value in (train, *others)}
            differs.add(len(dumps) > 1)
            if len(dumps) == 1 and ast.dump(node) in dumps:
                continue
            if len(dumps) > 1 and not all(_number(other) == 1 for other in others):
                raise NotUnderstood(
                    f"the {key} of the cell in line {call.lineno} depends on the mode, and is not "
                    "1 outside of training"
                )
            values[key] = train
            self.replaced_ids |= {id(part) for part in ast.walk(node)}
        if len(differs) > 1:
            raise NotUnderstood(
                f"the cell in line {call.lineno} has dropout in training, and other dropout in all "
                "modes"
            )
        return Dropout(values, in_training_only=True in differs)


class _InMode:
    """The value of an expression in one mode.

    Attributes:
      value: The expression, in which the names that depend on the mode are replaced.
    """

    def __init__(self, scope: Scope, mode: str, node: ast.expr) -> None:
        self._modes: Modes = scope.modes
        self._scope, self._mode = scope, mode
        self._line = node.lineno
        self._open: set[str] = set()
        self.value = ast.copy_location(self._of(node), node)

    def _of(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Name):
            return self._of_name(node)
        if isinstance(node, ast.IfExp):
            truth = self._modes.truth(node.test, self._mode)
            if truth is not None:
                return self._of(node.body if truth else node.orelse)
            return ast.IfExp(self._rest(node.test), self._of(node.body), self._of(node.orelse))
        if isinstance(node, ast.BinOp):
            return ast.BinOp(self._of(node.left), node.op, self._of(node.right))
        return node

    def _rest(self, test: ast.expr) -> ast.expr:
        """Returns a test without the operands that the mode decides."""
        if not isinstance(test, ast.BoolOp):
            return test
        values = [value for value in test.values if self._modes.truth(value, self._mode) is None]
        return values[0] if len(values) == 1 else ast.BoolOp(test.op, values)

    def _of_name(self, node: ast.Name) -> ast.expr:
        if node.id in self._open:
            return node
        values = [
            _bound_value(self._modes, self._scope.statements, node.id, mode, self._line)
            for mode in MODES
        ]
        mine = values[MODES.index(self._mode)]
        if mine is None or all(value is mine for value in values) and not self._differs(mine):
            return node
        self._open.add(node.id)
        value = self._of(mine)
        self._open.discard(node.id)
        return value

    def _differs(self, node: ast.expr, visited: frozenset[str] = frozenset()) -> bool:
        """Says whether the mode decides a part of an expression, or of the values of its names."""
        tests = [part.test for part in ast.walk(node) if isinstance(part, ast.IfExp)]
        names = slices.read(node) - self._open - visited
        binders = [
            statement for statement in self._scope.statements if names & slices.bound(statement)
        ]
        tests += [binder.test for binder in binders if isinstance(binder, ast.If)]
        if any(self._modes.truth(test, mode) is not None for test in tests for mode in MODES):
            return True
        values = [binder.value for binder in binders if isinstance(binder, ast.Assign)]
        return any(self._differs(value, visited | names) for value in values)


def _bound_value(
    modes: Modes, statements: Sequence[ast.stmt], name: str, mode: str, line: int
) -> ast.expr | None:
    """Returns the last value that a mode assigns to a name before a line, or None."""
    value = None
    for statement in statements:
        if statement.lineno >= line or name not in slices.bound(statement):
            continue
        truth = modes.truth(statement.test, mode) if isinstance(statement, ast.If) else None
        if isinstance(statement, ast.If) and truth is not None:
            body = statement.body if truth else statement.orelse
            value = _bound_value(modes, body, name, mode, line) or value
        elif isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name:
            value = statement.value
        else:
            return None
    return value


def _number(node: ast.expr) -> float | None:
    """Returns the value of a constant arithmetic expression. None for other expressions."""
    if isinstance(node, ast.Constant):
        return float(node.value) if isinstance(node.value, (int, float)) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        operand = _number(node.operand)
        return None if operand is None else -operand
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _number(node.left), _number(node.right)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Sub):
        return left - right
    if isinstance(node.op, ast.Add):
        return left + right
    return left * right if isinstance(node.op, ast.Mult) else None
