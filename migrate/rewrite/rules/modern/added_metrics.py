"""Gives an Estimator a name before `add_metrics` extends it, so that other rules can replace it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_flow, estimator_uses
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        call = match.call
        inner = estimator_flow.extended_by(file, call) if call is not None else None
        if call is not None and isinstance(inner, ast.Call) and _is_estimator(file, inner):
            change = _change(file, call, inner)
            if change is not None:
                yield change


def _is_estimator(file: SourceFile, call: ast.Call) -> bool:
    """Says whether a call makes an Estimator, or extends one."""
    is_extended = estimator_flow.extended_by(file, call) is not None
    return is_extended or estimator_uses.is_estimator(file, call)


def _change(file: SourceFile, call: ast.Call, inner: ast.Call) -> Change | None:
    """Returns the change of a statement with both calls. None for a statement of another form."""
    statement = file.parent(call)
    if not isinstance(statement, (ast.Assign, ast.Return)):
        return None
    if not estimator_uses.is_alone(file, statement):
        return None
    if isinstance(statement, ast.Return):
        name = file.new_name("estimator", ("the Estimator of", call), file.function(call))
    else:
        target = statement.targets[0]
        if len(statement.targets) > 1 or not isinstance(target, (ast.Name, ast.Attribute)):
            return None
        name = file.segment(target)
        others = [part for part in ast.walk(call) if not _is_in(part, inner)]
        if any(isinstance(part, ast.expr) and file.segment(part) == name for part in others):
            return None  # The other arguments are evaluated after the Estimator has the name.
    indent = file.newline + file.indent(statement.lineno)
    start = file.span(statement)[0]
    text = f"{name} = {file.segment(inner)}{indent}"
    return Change(statement.lineno, (Edit(start, start, text), Edit(*file.span(inner), name)))


def _is_in(part: ast.AST, node: ast.AST) -> bool:
    return any(inner is part for inner in ast.walk(node))


RULE = Rule(
    __name__,
    _find,
    message="The Estimator that add_metrics extends has a name.",
    source="https://www.tensorflow.org/api_docs/python/tf/estimator/add_metrics",
    symbols=estimator_flow.ADDS_METRICS,
    recipe="canned_estimators",
    safe=False,
)
