"""Moves metrics out of conditions on settings, into conditional expressions.

draft = without_conditions(draft)

For example, `if classes == 2: metrics["auc"] = tf.metrics.auc(labels, out)` becomes
`metrics["auc"] = tf.metrics.auc(labels, out) if classes == 2 else None`. Other statements stay in
the `if`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.analysis.modes import MODES, Modes
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.rendering import Rendered

_METRICS = "tf.metrics."


@expansion
def without_conditions(draft: Draft) -> Draft:
    """Returns a copy of a file in which each metric has its own condition.

    Args:
      draft: The copy of the file.
    """
    if not any(
        match.name.startswith(_METRICS) for match in checks.names_in(draft.file, draft.function)
    ):
        return draft
    modes = Modes(draft.file, draft.function)
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    for statement in _conditions(draft.function.body):
        if draft.file.segment(statement).startswith("elif"):
            continue
        is_mode_test = any(modes.truth(statement.test, mode) is not None for mode in MODES)
        metric_statements = [] if is_mode_test else [*_metric_statements(draft, statement)]
        test = _test(draft, statement.test) if metric_statements else ""
        if metric_statements and test:
            new_lines[statement] = _lines(draft, statement, metric_statements, test)
    return draft.with_lines(new_lines) if new_lines else draft


def _conditions(body: Sequence[ast.stmt]) -> Iterator[ast.If]:
    """Yields the innermost `if` statements that run at most once."""
    for statement in body:
        inner = [*getattr(statement, "body", ()), *getattr(statement, "orelse", ())]
        if isinstance(statement, ast.If) and not any(isinstance(child, ast.If) for child in inner):
            yield statement
        elif isinstance(statement, (ast.If, ast.With)):
            yield from _conditions(inner)


def _metric_statements(draft: Draft, statement: ast.If) -> Iterator[ast.Assign | ast.Expr]:
    """Yields the statements of an `if` that make metrics or add them to a dictionary."""
    for child in (*statement.body, *statement.orelse):
        names = [match.name for match in checks.names_in(draft.file, child)]
        makes = any(name.startswith(_METRICS) for name in names)
        if not makes:
            continue
        if isinstance(child, ast.Assign) and len(child.targets) == 1:
            if isinstance(child.targets[0], (ast.Name, ast.Subscript)):
                yield child
        elif isinstance(child, ast.Expr) and _update_entries(child) is not None:
            yield child


def _update_entries(statement: ast.Expr) -> tuple[str, ast.Dict] | None:
    """Returns the dictionary and the new entries of `metrics.update({...})`."""
    call = statement.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    dictionary = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if (
        call.func.attr != "update"
        or not isinstance(dictionary, ast.Dict)
        or None in dictionary.keys
    ):
        return None
    return ast.unparse(call.func.value), dictionary


def _test(draft: Draft, test: ast.expr) -> str:
    """Returns the text of a test that depends only on settings. "" for other tests."""
    rendered = Rendered(draft.file)
    local = slices.bound_inside(draft.function) | {"features", "labels", "mode"}
    for node in ast.walk(test):
        if not isinstance(node, ast.Name) or node.id not in local:
            continue
        binders = [part for part in ast.walk(draft.function) if _binds(part, node.id)]
        value = (
            binders[0].value if len(binders) == 1 and isinstance(binders[0], ast.Assign) else None
        )
        is_plain = isinstance(value, (ast.Attribute, ast.Constant, ast.Subscript))
        if value is None or not is_plain or slices.read(value) & local:
            return ""
        rendered.replace(node, draft.file.segment(value))
    text = rendered.text(test)
    return ast.unparse(ast.parse(f"({text})", mode="eval"))


def _binds(node: ast.AST, name: str) -> bool:
    simple = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.For, ast.With)
    if isinstance(node, (ast.For, ast.With)):
        targets = [node.target] if isinstance(node, ast.For) else [*node.items]
        return any(name in slices.bound(target) for target in targets)
    return isinstance(node, simple) and name in slices.bound(node)


def _lines(
    draft: Draft, statement: ast.If, metric_statements: Sequence[ast.stmt], test: str
) -> list[Line]:
    """Returns the lines of an `if` without its metrics, and the lines of the metrics."""
    file, rendered = draft.file, Rendered(draft.file)
    indent = file.indent(statement.lineno)
    rest = [
        child for child in (*statement.body, *statement.orelse) if child not in metric_statements
    ]
    lines: list[Line] = []
    if rest:
        lines += draft.lines_of(statement, f"{indent}if {test}:")
        for body in (statement.body, statement.orelse):
            if body is statement.orelse and body:
                lines += draft.lines_of(statement, f"{indent}else:")
            remaining = [child for child in body if child not in metric_statements]
            for child in remaining:
                lines += draft.lines_of(child, rendered.statement(child, f"{indent}    "))
            lines += (
                draft.lines_of(statement, f"{indent}    pass") if body and not remaining else []
            )
    for child in metric_statements:
        condition = test if child in statement.body else f"not ({test})"
        for target, value in _entries(draft, child):
            text = f"{indent}{target} = {value} if {condition} else None"
            lines += draft.lines_of(child, text)
    return lines


def _entries(draft: Draft, statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yields the targets and values of a statement that makes metrics."""
    segment = draft.file.segment
    if isinstance(statement, ast.Assign):
        yield segment(statement.targets[0]), segment(statement.value)
    elif isinstance(statement, ast.Expr) and (update := _update_entries(statement)) is not None:
        name, dictionary = update
        for key, value in zip(dictionary.keys, dictionary.values, strict=True):
            if key is not None:
                yield f"{name}[{segment(key)}]", segment(value)
