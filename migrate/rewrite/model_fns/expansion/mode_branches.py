"""Turns assignments that choose by the mode into branches.

draft = with_branches(draft)

For example, `metrics = {"mae": mae} if mode == EVAL else None` becomes an `if` with two
assignments. A path through one mode then contains one of them. Values other than None that only
depend on whether the model trains stay, because Keras knows that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.model_fns import rendering
from migrate.rewrite.model_fns.analysis.modes import MODES, Modes
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.names import modern_names


@expansion
def with_branches(draft: Draft) -> Draft:
    """Returns a copy of a file without assignments that Keras could not choose between.

    Args:
      draft: The copy of the file.
    """
    choices = [
        statement
        for statement in inlining.statements_of(draft.function.body)
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.IfExp)
    ]
    if not choices:
        return draft
    modes = Modes(draft.file, draft.function)
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    for statement in choices:
        if _may_be_none(modes, statement.value) or _tells_others(modes, statement.value):
            indent = draft.file.indent(statement.lineno)
            lines = _lines(draft, modes, statement, statement.value, indent)
            new_lines[statement] = draft.lines_of(statement, "\n".join(lines))
    return draft.with_lines(new_lines) if new_lines else draft


@expansion
def without_known_tests(draft: Draft) -> Draft:
    """Returns a copy of a file without comparisons of two modes that are written out.

    For example, a helper tests `mode == TRAIN`, and its call passes the mode TRAIN in any case.

    Args:
      draft: The copy of the file.
    """
    modes = Modes(draft.file, draft.function)
    places: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    for node in ast.walk(draft.function):
        if isinstance(node, ast.Compare) and _names_modes(draft, node):
            truth = modes.truth(node, MODES[0])
            if truth is not None:
                places[truth].append(draft.file.span(node))
    for truth, spans in places.items():
        if spans:  # The places of the other value are found again.
            draft = draft.with_texts(spans, str(truth))
            return without_known_tests(draft)
    return draft


def _names_modes(draft: Draft, node: ast.Compare) -> bool:
    sides = (node.left, *node.comparators)
    return node.lineno == node.end_lineno and all(
        ".ModeKeys." in (draft.file.name_of(side) or "") for side in sides
    )


def _may_be_none(modes: Modes, node: ast.expr) -> bool:
    """Says whether an expression is None in some of the modes."""
    if not isinstance(node, ast.IfExp) or not _depends_on_mode(modes, node.test):
        return False
    branches = (node.body, node.orelse)
    return any(modern_names.is_constant(branch, None) for branch in branches) or any(
        _may_be_none(modes, branch) for branch in branches
    )


def _tells_others(modes: Modes, node: ast.expr) -> bool:
    """Says whether an expression depends on the mode, also if the model does not train."""
    if not isinstance(node, ast.IfExp) or not _depends_on_mode(modes, node.test):
        return False
    values = {modes.truth(node.test, mode) for mode in MODES}
    tells = len(values) > 1 and modes.in_training(node.test) is None
    return tells or any(_tells_others(modes, branch) for branch in (node.body, node.orelse))


def _depends_on_mode(modes: Modes, test: ast.expr) -> bool:
    truths = [modes.truth(test, mode) for mode in MODES]
    return None not in truths and not isinstance(test, ast.Constant)


def _lines(
    draft: Draft, modes: Modes, statement: ast.Assign, value: ast.expr, indent: str
) -> Iterator[str]:
    """Yields the lines that assign a value in each mode."""
    if not isinstance(value, ast.IfExp) or not _depends_on_mode(modes, value.test):
        targets = "".join(f"{draft.file.segment(target)} = " for target in statement.targets)
        yield f"{indent}{targets}{rendering.one_line(draft.file, value)}"
        return
    deeper = f"{indent}    "
    yield f"{indent}if {ast.unparse(value.test)}:"
    yield from _lines(draft, modes, statement, value.body, deeper)
    yield f"{indent}else:"
    yield from _lines(draft, modes, statement, value.orelse, deeper)
