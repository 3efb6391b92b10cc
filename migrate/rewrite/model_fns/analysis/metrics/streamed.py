"""Collects the statements that make metrics for which Keras has no counterpart.

    streamed = read(file, model_fn, path, {"f1": value}, reason)
    streamed.statements, streamed.arguments

The statements become a function of tensors, which porting.StreamingMetrics runs. For example, F1 is
computed from the pairs of tf.metrics.precision and tf.metrics.recall.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.analysis.modes import Path

_METRICS = ("tf.metrics.", "tf.contrib.metrics.")
_NOT_TENSORS = frozenset(("features", "labels", "mode"))


class Streamed(NamedTuple):
    """The metrics of a function.

    Attributes:
      statements: Statements of the function.
      values: Metrics by name, after the statements, or the expression of their dictionary.
      names: Names that the function takes, as expressions of the model_fn.
    """

    statements: list[ast.stmt]
    values: Mapping[str, ast.expr] | ast.expr
    names: list[ast.expr]

    @property
    def arguments(self) -> list[str]:
        """The names that the function takes."""
        return [name.id for name in self.names if isinstance(name, ast.Name)]

    @property
    def function_name(self) -> str:
        """A name for the function that its statements do not use."""
        used = {
            node.id
            for root in (*self.statements, *_expressions(self.values))
            for node in ast.walk(root)
            if isinstance(node, ast.Name)
        }
        return "metric_fn" if "metric_fn" not in used else "streaming_metric_fn"


def read(
    file: SourceFile,
    function: ast.FunctionDef,
    path: Path,
    values: Mapping[str, ast.expr] | ast.expr,
    reason: str,
) -> Streamed:
    """Returns the function of some metrics.

    Args:
      file: The file.
      function: The model_fn.
      path: Path through an evaluation.
      values: Metrics by name, at the end of the path, or the expression of their dictionary.
      reason: Reason why Keras has no counterpart.

    Raises:
      NotUnderstood: The metrics need more than tensors and settings. The message is the reason.
    """
    expressions = _expressions(values)
    parameters = {argument.arg for argument in function.args.args}
    local = slices.bound_inside(function) | parameters
    movable_ids = {*_of_metrics(file, path, expressions), *_known(path, local, parameters)}
    names = set().union(*map(slices.read, expressions))
    statements: list[ast.stmt] = []
    for statement in reversed(path.statements):
        if slices.bound(statement) & names and id(statement) in movable_ids:
            statements.insert(0, statement)
            names = (names - slices.replaces(statement)) | slices.read(statement)
    roots: list[ast.AST] = [*statements, *expressions]
    open_names = slices.open_names(statements, expressions) & local
    arguments = open_names - (parameters - _NOT_TENSORS)
    nodes = [node for root in roots for node in ast.walk(root)]
    makes = any(isinstance(node, ast.Call) for node in nodes) and bool(arguments)
    if not makes or "mode" in arguments or any(map(_unpacks_other, nodes)):
        raise NotUnderstood(reason)
    if _are_rebound(path, statements):
        raise NotUnderstood(reason)
    place = function.body[0]
    names_taken: list[ast.expr] = [
        ast.copy_location(ast.Name(name, ast.Load()), place) for name in sorted(arguments)
    ]
    return Streamed(statements, values, names_taken)


def _unpacks_other(node: ast.AST) -> bool:
    """Says whether a dictionary unpacks one that may come from outside of the model_fn."""
    pairs = zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ()
    return any(key is None and not isinstance(value, (ast.Name, ast.Call)) for key, value in pairs)


def _expressions(values: Mapping[str, ast.expr] | ast.expr) -> list[ast.expr]:
    return [values] if isinstance(values, ast.expr) else [*values.values()]


def _of_metrics(file: SourceFile, path: Path, expressions: Sequence[ast.expr]) -> Iterator[int]:
    """Yields the ids of the statements that make metrics, or compute with their values."""
    # Functions of the program or of a library may have returned the pairs.
    pair_names = set().union(*map(_pair_names, expressions))
    for statement in reversed(path.statements):
        if slices.bound(statement) & pair_names:
            pair_names |= _assigned_pairs(statement, pair_names)
    dependent_names: set[str] = set()
    for statement in path.statements:
        names = slices.bound(statement)
        makes = any(match.name.startswith(_METRICS) for match in checks.names_in(file, statement))
        if (
            makes
            or slices.read(statement) & dependent_names
            or _is_pair(file, statement, pair_names)
        ):
            dependent_names |= names
            yield id(statement)
        else:
            dependent_names -= slices.replaces(statement)


def _pair_names(node: ast.expr) -> set[str]:
    """Returns the names of pairs, or of their parts, in a metric or in a dictionary of metrics."""
    if isinstance(node, ast.Call):
        is_dict = isinstance(node.func, ast.Name) and node.func.id == "dict"
        parts = [keyword.value for keyword in node.keywords] if is_dict else []
    elif isinstance(node, ast.Dict):
        parts = node.values
    else:
        return slices.read(node)
    return set().union(*map(_pair_names, parts))


def _assigned_pairs(statement: ast.stmt, pair_names: set[str]) -> set[str]:
    """Returns the names of pairs that a statement puts into a dictionary of metrics."""
    names: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Assign) and slices.bound(node) & pair_names:
            is_pair = isinstance(node.value, ast.Dict) or isinstance(node.targets[0], ast.Subscript)
            names |= _pair_names(node.value) if is_pair else set()
    for call in slices.changing_calls(statement):
        if slices.base(call.func) in pair_names:
            names = names.union(*map(_pair_names, call.args))
    return names


def _is_pair(file: SourceFile, statement: ast.stmt, pair_names: set[str]) -> bool:
    """Says whether a statement assigns a pair, or a dictionary of pairs, to one of some names."""
    if not slices.bound(statement) & pair_names:
        return False
    value = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(value, ast.Call):
        return value is None or isinstance(value, (ast.Dict, ast.Tuple))
    return not (file.name_of(value.func) or "").startswith("tf.")


def _known(path: Path, local: set[str], parameters: set[str]) -> Iterator[int]:
    """Yields the ids of the statements that compute with settings alone."""
    known_names = parameters - _NOT_TENSORS
    for statement in path.statements:
        reads = slices.read(statement) & local
        is_function = isinstance(statement, ast.FunctionDef)
        is_plain = isinstance(statement, ast.Assign) and not any(
            isinstance(node, ast.Call) for node in ast.walk(statement)
        )
        if is_function or (is_plain and reads <= known_names):
            known_names |= slices.bound(statement)
            yield id(statement)
        else:
            known_names -= slices.replaces(statement)


def _are_rebound(path: Path, statements: Sequence[ast.stmt]) -> bool:
    """Says whether a name that the function reads gets another value later on the path."""
    ids = {id(statement) for statement in statements}
    names: set[str] = set()
    for statement in path.statements:
        if id(statement) in ids:
            names |= slices.read(statement)
        elif slices.bound(statement) & names:
            return True
    return False
