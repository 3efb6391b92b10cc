"""Moves metrics out of conditions on settings, into conditional expressions.

draft = without_conditions(draft)

For example, `if classes == 2: metrics["auc"] = tf.metrics.auc(labels, out)` becomes
`metrics["auc"] = tf.metrics.auc(labels, out) if classes == 2 else None`. The rest stays in the
`if`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.analysis.modes import MODES, Modes
from migrate.rewrite.model_fns.expansion.draft import Draft, Line
from migrate.rewrite.model_fns.rendering import Rendered

_METRICS = "tf.metrics."


def without_conditions(draft: Draft) -> Draft:
    """Returns a copy of a file in which each metric has its own condition.

    Args:
      draft: The copy of the file.
    """
    if not any(
        one.name.startswith(_METRICS) for one in checks.names_in(draft.file, draft.function)
    ):
        return draft
    followed = Modes(draft.file, draft.function)
    changed: dict[ast.stmt, Sequence[Line]] = {}
    for statement in _conditions(draft.function.body):
        if draft.file.segment(statement).startswith("elif"):
            continue
        of_mode = any(followed.truth(statement.test, mode) is not None for mode in MODES)
        moved = [] if of_mode else [*_moved(draft, statement)]
        test = _test(draft, statement.test) if moved else ""
        if moved and test:
            changed[statement] = _lines(draft, statement, moved, test)
    return draft.with_lines(changed) if changed else draft


def _conditions(body: Sequence[ast.stmt]) -> Iterator[ast.If]:
    """Yields the innermost `if` statements that run at most once."""
    for statement in body:
        inner = [*getattr(statement, "body", ()), *getattr(statement, "orelse", ())]
        if isinstance(statement, ast.If) and not any(isinstance(one, ast.If) for one in inner):
            yield statement
        elif isinstance(statement, (ast.If, ast.With)):
            yield from _conditions(inner)


def _moved(draft: Draft, statement: ast.If) -> Iterator[ast.Assign | ast.Expr]:
    """Yields the statements of an `if` that make metrics or add them to a dictionary."""
    for one in (*statement.body, *statement.orelse):
        names = [match.name for match in checks.names_in(draft.file, one)]
        makes = any(name.startswith(_METRICS) for name in names)
        if not makes:
            continue
        if isinstance(one, ast.Assign) and len(one.targets) == 1:
            if isinstance(one.targets[0], (ast.Name, ast.Subscript)):
                yield one
        elif isinstance(one, ast.Expr) and _updated(one) is not None:
            yield one


def _updated(statement: ast.Expr) -> tuple[str, ast.Dict] | None:
    """Returns the dictionary and the new entries of `metrics.update({...})`."""
    call = statement.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    given = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if call.func.attr != "update" or not isinstance(given, ast.Dict) or None in given.keys:
        return None
    return ast.unparse(call.func.value), given


def _test(draft: Draft, test: ast.expr) -> str:
    """Returns the text of a test that depends only on settings. "" for other tests."""
    rendered = Rendered(draft.file)
    local = slices.bound_inside(draft.function) | {"features", "labels", "mode"}
    for node in ast.walk(test):
        if not isinstance(node, ast.Name) or node.id not in local:
            continue
        binders = [one for one in ast.walk(draft.function) if _binds(one, node.id)]
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
        own = [node.target] if isinstance(node, ast.For) else [*node.items]
        return any(name in slices.bound(one) for one in own)
    return isinstance(node, simple) and name in slices.bound(node)


def _lines(draft: Draft, statement: ast.If, moved: Sequence[ast.stmt], test: str) -> list[Line]:
    """Returns the lines of an `if` without its metrics, and those of the metrics."""
    file, rendered = draft.file, Rendered(draft.file)
    indent = file.indent(statement.lineno)
    rest = [one for one in (*statement.body, *statement.orelse) if one not in moved]
    lines: list[Line] = []
    if rest:
        lines += draft.lines_of(statement, f"{indent}if {test}:")
        for body in (statement.body, statement.orelse):
            if body is statement.orelse and body:
                lines += draft.lines_of(statement, f"{indent}else:")
            left = [one for one in body if one not in moved]
            for one in left:
                lines += draft.lines_of(one, rendered.statement(one, f"{indent}    "))
            lines += draft.lines_of(statement, f"{indent}    pass") if body and not left else []
    for one in moved:
        condition = test if one in statement.body else f"not ({test})"
        for target, value in _entries(draft, one):
            text = f"{indent}{target} = {value} if {condition} else None"
            lines += draft.lines_of(one, text)
    return lines


def _entries(draft: Draft, statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yields the targets and values of a statement that makes metrics."""
    segment = draft.file.segment
    if isinstance(statement, ast.Assign):
        yield segment(statement.targets[0]), segment(statement.value)
    elif isinstance(statement, ast.Expr) and (updated := _updated(statement)) is not None:
        name, given = updated
        for key, value in zip(given.keys, given.values, strict=True):
            if key is not None:
                yield f"{name}[{segment(key)}]", segment(value)
