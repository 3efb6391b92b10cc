r"""Follows a model_fn through each mode: the statements that it executes, and its result.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "import tensorflow as tf\n"
...     "def model_fn(features, labels, mode):\n"
...     "    x = features * 2\n"
...     "    if mode == tf.estimator.ModeKeys.PREDICT:\n"
...     "        return x\n"
...     "    return x - labels\n"
... )
>>> path = Modes(file, file.tree.body[1]).path("infer")
>>> [statement.lineno for statement in path.statements], path.result.lineno
([3], 5)
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, label_tests, slices
from migrate.rewrite.names import modern_names

MODES = ("train", "eval", "infer")
_KEYS = {"TRAIN": "train", "EVAL": "eval", "PREDICT": "infer", "INFER": "infer"}
_MODE = "mode"
# Scopes only change names or devices, which makes no difference to Keras.
_SCOPES = ("tf.compat.v2.name_scope", "tf.device", "tf.name_scope", "tf.variable_scope")
_SCOPE_OPTIONS = ("name_or_scope", "name", "values", "default_name")
# Options that a scope takes from the scope around it.
_INHERITED = ("initializer", "regularizer")
# The names of variables tell which of them a valid program reuses.
_REUSE = "reuse"
_TRAINING = ("tf.train.", "tf.contrib.layers.optimize_loss", "tf.losses.", "tf.metrics.")
_OF_TPU = ("tf.contrib.tpu.", "tf.estimator.tpu.")
_USE_TPU = "use_tpu"
_ASSIGNS = ("assign", "assign_add")
_DEPENDENCIES, _UPDATES = "tf.control_dependencies", "tf.GraphKeys.UPDATE_OPS"


# Names with another meaning in the generated methods.
_OF_METHODS = frozenset(
    ("data", "loss", "outputs", "sample_weight", "self", "training", "x", "y", "y_pred")
)


class Path(NamedTuple):
    """The path of a model_fn through one mode.

    Attributes:
      statements: Statements in order. Branches and scopes are flattened.
      result: Expression that the path returns.
    """

    statements: list[ast.stmt]
    result: ast.expr


class Modes:
    """A model_fn that can be followed through each mode."""

    def __init__(
        self, file: SourceFile, function: ast.FunctionDef, flags: Collection[str] = ()
    ) -> None:
        """Reads a model_fn.

        Args:
          file: The file.
          function: The model_fn, or a function that it calls.
          flags: Names that say whether the function trains.
        """
        self._file, self._function, self._flags = file, function, flags
        self.aliases: dict[str, ast.expr] = {}
        self._labels = label_tests.labels_of(function)
        self._is_of_tpu = any(
            match.name.startswith(_OF_TPU) for match in checks.names_in(file, function)
        )
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                is_test = any(self.truth(node.value, mode) is not None for mode in MODES)
                if is_test and not isinstance(node.value, ast.Constant) and self._binds_once(name):
                    self.aliases[name] = node.value

    def _binds_once(self, name: str) -> bool:
        names = [n for n in ast.walk(self._function) if isinstance(n, ast.Name) and n.id == name]
        return sum(isinstance(node.ctx, ast.Store) for node in names) == 1

    def path(self, mode: str) -> Path | None:
        """Returns the path of a mode. None if the model_fn raises or returns nothing.

        An Estimator raises an error if it gets no EstimatorSpec. Training must always be possible.
        A name that only other modes assign raises an error, too.

        Args:
          mode: "train", "eval" or "infer".

        Raises:
          NotUnderstood: The path cannot be determined.
        """
        statements: list[ast.stmt] = []
        end = self._follow(self._function.body, mode, statements)
        if isinstance(end, ast.Raise):
            return None
        result = self.branch(end.value, mode) if end is not None and end.value is not None else None
        if result is None or self._is_nothing(statements, result):
            if mode != "train":
                return None
            raise NotUnderstood(f"it returns nothing in mode {mode!r}")
        return Path(statements, result)

    def _is_nothing(self, statements: Sequence[ast.stmt], result: ast.expr) -> bool:
        """Says whether a result is None, or a name without a value at the end of a path."""
        if not isinstance(result, ast.Name):
            return modern_names.is_constant(result, None)
        if result.id not in slices.bound_inside(self._function):
            return False
        binders = [statement for statement in statements if result.id in slices.bound(statement)]
        if not binders:
            parameters = (
                argument.arg
                for argument in ast.walk(self._function.args)
                if isinstance(argument, ast.arg)
            )
            return result.id not in parameters
        last = binders[-1]
        if not isinstance(last, ast.Assign) or slices.replaces(last) != {result.id}:
            return False
        return modern_names.is_constant(last.value, None)

    def branch(self, node: ast.expr, mode: str) -> ast.expr:
        """Returns the branch of a conditional expression that a mode takes.

        Args:
          node: The expression. Any that does not choose by the mode is returned unchanged.
          mode: The mode.
        """
        truth = self.truth(node.test, mode) if isinstance(node, ast.IfExp) else None
        if not isinstance(node, ast.IfExp) or truth is None:
            return node
        return self.branch(node.body if truth else node.orelse, mode)

    def _follow(
        self, body: Sequence[ast.stmt], mode: str, statements: list[ast.stmt]
    ) -> ast.Return | ast.Raise | None:
        """Adds the statements of a body, and returns the statement that ends the path."""
        for statement in body:
            end = None
            if isinstance(statement, (ast.Return, ast.Raise)):
                return statement
            if isinstance(statement, ast.Expr) and starts_reuse(statement.value):
                continue
            if isinstance(statement, ast.Delete) and slices.deletes_names(statement):
                continue
            truth = self.truth(statement.test, mode) if isinstance(statement, ast.If) else None
            if (
                isinstance(statement, ast.If)
                and truth is not None
                and not self.is_switch(statement)
            ):
                end = self._follow(statement.body if truth else statement.orelse, mode, statements)
            elif isinstance(statement, ast.With) and self.is_transparent(statement):
                end = self._follow(statement.body, mode, statements)
            elif any(isinstance(node, ast.Return) for node in _own_nodes(statement)):
                raise NotUnderstood(f"it may or may not return in line {statement.lineno}")
            else:
                statements.append(statement)
            if end is not None:
                return end
        return None

    def is_transparent(self, statement: ast.With) -> bool:
        """Says whether a `with` changes only names, or only the order of operations.

        Args:
          statement: The `with`.
        """
        for item in statement.items:
            call = item.context_expr
            name = self._file.name_of(call.func) if isinstance(call, ast.Call) else None
            if not isinstance(call, ast.Call) or not self._is_unused(item.optional_vars):
                return False
            is_dependency = name == _DEPENDENCIES and bool(call.args)
            if is_dependency and self._only_assigns(statement):
                continue
            if is_dependency and self._are_updates(call.args[0]):
                continue
            options = {
                keyword.arg
                for keyword in call.keywords
                if keyword.arg != _REUSE and not self._is_default(keyword)
            }
            reuse = [keyword for keyword in call.keywords if keyword.arg == _REUSE]
            if reuse and is_current_scope(self._file, call.args[0]):
                return False  # Its layers continue the numbers of the scope around it.
            if name not in _SCOPES or len(call.args) > 3 or options - set(_SCOPE_OPTIONS):
                return False
        return True

    def _only_assigns(self, statement: ast.With) -> bool:
        """Says whether a `with` only writes a variable, as in `train_op = step.assign_add(1)`."""
        if len(statement.body) > 1 or not isinstance(statement.body[0], ast.Assign):
            return False
        value = statement.body[0].value
        value = value.value if isinstance(value, ast.Attribute) else value
        function = value.func if isinstance(value, ast.Call) else None
        return isinstance(function, ast.Attribute) and function.attr in _ASSIGNS

    def _is_unused(self, target: ast.expr | None) -> bool:
        """Says whether nothing reads the scope of `with tf.variable_scope("a") as scope:`."""
        if target is None or not isinstance(target, ast.Name):
            return target is None
        names = [node for node in ast.walk(self._function) if isinstance(node, ast.Name)]
        reads = [n for n in names if n.id == target.id and isinstance(n.ctx, ast.Load)]
        return all(_starts_reuse_of(self._file, name) for name in reads)

    def _is_default(self, keyword: ast.keyword) -> bool:
        """Says whether an option of a scope changes nothing, as `dtype=tf.float32`."""
        value = keyword.value
        if keyword.arg in _INHERITED and modern_names.is_constant(value, None):
            return True
        if isinstance(value, ast.Name):
            value = bindings.assigned_value(self._file, value) or value
        return keyword.arg == "dtype" and self._file.name_of(value) == "tf.float32"

    def _are_updates(self, node: ast.expr) -> bool:
        """Says whether an expression is the collection UPDATE_OPS."""
        if isinstance(node, ast.Name):
            assignments = (
                part for part in ast.walk(self._function) if isinstance(part, ast.Assign)
            )
            values = [
                assignment.value
                for assignment in assignments
                if node.id in slices.bound(assignment)
            ]
            is_name = any(isinstance(value, ast.Name) for value in values)
            return bool(values) and not is_name and all(map(self._are_updates, values))
        if not isinstance(node, ast.Call) or not node.args:
            return False
        return self._file.name_of(node.args[0]) == _UPDATES

    def is_switch(self, statement: ast.If) -> bool:
        """Says whether an `if` separates training from other modes, and ends no path.

        For example, `if mode == ModeKeys.TRAIN: x = dropout(x)`. Such a statement stays and tests
        the training flag of Keras. Each name that it binds and that others read must be bound
        before it, or in both branches.
        """
        if any(isinstance(node, (ast.Return, ast.Raise)) for node in _own_nodes(statement)):
            return False
        if self.in_training(statement.test) is None or self._trains(statement):
            return False
        first = set().union(*map(slices.bound, statement.body))
        second = set().union(*map(slices.bound, statement.orelse))
        parameters = {argument.arg for argument in self._function.args.args}
        before = parameters.union(
            *(slices.bound(earlier) for earlier in self._before(self._function.body, statement))
        )
        return not (first ^ second) & self._read_outside(statement) - before

    def _read_outside(self, statement: ast.stmt) -> set[str]:
        """Returns the names that a function reads outside of a statement."""
        inside = {id(node) for node in ast.walk(statement)}
        nodes = [node for node in ast.walk(self._function) if isinstance(node, ast.Name)]
        loads = [node for node in nodes if isinstance(node.ctx, ast.Load)]
        return {node.id for node in loads if id(node) not in inside}

    def _trains(self, statement: ast.stmt) -> bool:
        """Says whether a statement uses losses, metrics or optimizers."""
        names = checks.names_in(self._file, statement)
        return any(match.name.startswith(_TRAINING) for match in names)

    def _before(self, body: Sequence[ast.stmt], statement: ast.stmt) -> Iterator[ast.stmt]:
        for other in body:
            if other.lineno >= statement.lineno:
                return
            yield other

    def in_training(self, node: ast.expr) -> str | None:
        """Returns "training" or "not training" for an expression that tests for training."""
        in_training, *others = (self.truth(node, mode) for mode in MODES)
        if in_training is None or others != [not in_training] * 2:
            return None
        return "training" if in_training else "not training"

    def refuse_others(self, node: ast.AST) -> None:
        """Refuses names that distinguish modes other than training from each other.

        Args:
          node: A statement or an expression.

        Raises:
          NotUnderstood: The node reads such a name, or a different value named `training`.
        """
        others = {name for name, test in self.aliases.items() if self.in_training(test) is None}
        if "training" not in self.aliases and "training" not in self._flags:
            others |= {"training"} & slices.bound_inside(self._function)
        names = slices.read(node) & others
        if names:
            raise NotUnderstood(
                f"{sorted(names)[0]} depends on the mode, and Keras knows only whether it trains"
            )
        of_methods = slices.read(node) & _OF_METHODS
        names = {*of_methods} - self._local_names(node) if of_methods else set()
        if names:
            raise NotUnderstood(
                f"the module's name {sorted(names)[0]} has another meaning in Keras' methods"
            )

    def _local_names(self, node: ast.AST) -> set[str]:
        """Returns the names that the function or a comprehension of a node binds."""
        parameters = {
            argument.arg for argument in ast.walk(self._function) if isinstance(argument, ast.arg)
        }
        return slices.bound_inside(self._function) | parameters | slices.of_comprehensions(node)

    def tests(self) -> dict[ast.expr, str]:
        """Returns the expressions that test for training, with their texts for Keras."""
        texts: dict[ast.expr, str] = {}
        stack: list[ast.AST] = [self._function]
        while stack:
            node = stack.pop()
            is_load = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            if isinstance(node, ast.expr) and not isinstance(node, ast.Constant) and is_load:
                text = self.in_training(node)
                if text is not None:
                    texts[node] = text
                    continue
            stack.extend(ast.iter_child_nodes(node))
        return texts

    def truth(self, node: ast.expr, mode: str) -> bool | None:
        """Returns the value of a test in a mode. None if the mode does not determine it.

        Args:
          node: The expression.
          mode: The mode.
        """
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return node.value
        if isinstance(node, ast.Name) and node.id in self._flags:
            return mode == "train"
        if self._is_of_tpu and _is_use_tpu(node):
            return False  # A Keras model for a TPU is made in the scope of a TPUStrategy instead.
        if isinstance(node, ast.Name):
            alias = self.aliases.get(node.id)
            return None if alias is None else self.truth(alias, mode)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self.truth(node.operand, mode)
            return None if value is None else not value
        if isinstance(node, ast.BoolOp):
            values = [self.truth(operand, mode) for operand in node.values]
            decides = isinstance(node.op, ast.Or)
            if decides in values:
                return decides
            return None if None in values else not decides
        if isinstance(node, ast.IfExp):
            test = self.truth(node.test, mode)
            return None if test is None else self.truth(node.body if test else node.orelse, mode)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._comparison_truth(node, mode)
        return None

    def _comparison_truth(self, node: ast.Compare, mode: str) -> bool | None:
        is_missing = label_tests.is_missing(node, self._labels)
        if is_missing is not None:
            return (mode == "infer") == is_missing
        (operation,), left, (right,) = node.ops, node.left, node.comparators
        if isinstance(right, ast.Name) and right.id == _MODE:
            left, right = right, left
        if not isinstance(left, ast.Name) or left.id != _MODE:
            return self._equality_of_keys(operation, left, right)
        elements = right.elts if isinstance(right, (ast.Tuple, ast.List, ast.Set)) else None
        keys = [self._key(element) for element in ([right] if elements is None else elements)]
        if None in keys or (elements is not None) != isinstance(operation, (ast.In, ast.NotIn)):
            return None
        if not isinstance(operation, (ast.Eq, ast.Is, ast.In, ast.NotEq, ast.IsNot, ast.NotIn)):
            return None
        return (mode in keys) == isinstance(operation, (ast.Eq, ast.Is, ast.In))

    def _equality_of_keys(
        self, operation: ast.cmpop, left: ast.expr, right: ast.expr
    ) -> bool | None:
        """Returns the value of a comparison of two modes that are written out."""
        keys = [self._key(left), self._key(right)]
        if None in keys or not isinstance(operation, (ast.Eq, ast.NotEq)):
            return None
        return (keys[0] == keys[1]) == isinstance(operation, ast.Eq)

    def _key(self, node: ast.expr) -> str | None:
        """Returns the mode that an expression names."""
        if isinstance(node, ast.Constant):
            return node.value if node.value in MODES else None
        value = _constant(self._file, node) if isinstance(node, ast.Name) else None
        if isinstance(value, ast.Attribute):  # Such as `TRAIN = tf.estimator.ModeKeys.TRAIN`.
            node = value
        name = self._file.name_of(node) or ""
        _, is_key, key = name.partition(".ModeKeys.")
        return _KEYS.get(key) if is_key else None


def _constant(file: SourceFile, name: ast.Name) -> ast.expr | None:
    """Returns the value of a name that one assignment binds, also as in `a, b = c, d`."""
    value = bindings.assigned_value(file, name)
    nodes = bindings.of_scope(file, name)
    if value is not None or len(nodes) != 1 or bindings.is_rebound_indirectly(file, name):
        return value
    target = file.parent(nodes[0])
    statement = file.parent(target) if isinstance(target, ast.Tuple) else None
    values = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(target, ast.Tuple) or not isinstance(values, ast.Tuple):
        return None
    has_star = any(isinstance(part, ast.Starred) for part in (*target.elts, *values.elts))
    if has_star or len(target.elts) != len(values.elts) or nodes[0] not in target.elts:
        return None
    return values.elts[target.elts.index(nodes[0])]


def starts_reuse(node: ast.AST) -> bool:
    """Says whether a node is `tf.get_variable_scope().reuse_variables()`, or of another scope."""
    is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return is_method and ast.unparse(node).endswith(".reuse_variables()")


def is_current_scope(file: SourceFile, node: ast.expr) -> bool:
    """Says whether an expression is `tf.get_variable_scope()`."""
    return isinstance(node, ast.Call) and file.name_of(node.func) == "tf.get_variable_scope"


def _starts_reuse_of(file: SourceFile, name: ast.Name) -> bool:
    """Says whether a name is the scope of a statement `scope.reuse_variables()`."""
    method = file.parent(name)
    call = file.parent(method) if method is not None else None
    return call is not None and starts_reuse(call) and isinstance(file.parent(call), ast.Expr)


def _is_use_tpu(node: ast.expr) -> bool:
    """Says whether an expression is `use_tpu`, `FLAGS.use_tpu` or `params["use_tpu"]`."""
    if isinstance(node, ast.Name):
        return node.id == _USE_TPU
    if isinstance(node, ast.Attribute):
        return node.attr == _USE_TPU
    return isinstance(node, ast.Subscript) and modern_names.is_constant(node.slice, _USE_TPU)


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yields the nodes of a statement, without those of nested functions."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(node))
