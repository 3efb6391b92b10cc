"""Removes statements that make or use Estimators, and that no path reaches.

For example, they follow a `return`, or stand in `if 0:`. The variables of such Estimators may have
the names of others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.analysis import estimator_classes, estimator_uses
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile

_ENDS = (ast.Break, ast.Continue, ast.Raise, ast.Return)
# A function with one of these parts is another kind of function, or has other variables.
_OF_FUNCTIONS = (ast.Await, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom)
_ASYNC = (ast.AsyncFor, ast.AsyncWith)


def _find(file: SourceFile) -> Iterator[Change]:
    removed: set[ast.AST] = set()
    for statements in _unreachable(file):
        is_new = removed.isdisjoint(statements)
        if is_new and _makes_estimator(file, statements) and _can_be_removed(file, statements):
            removed.update(part for statement in statements for part in ast.walk(statement))
            start = file.line_start(statements[0].lineno)
            before = file.text[:start]
            last_text = before.rstrip()  # Empty lines above go too.
            start = len(last_text) + before[len(last_text) :].find("\n") + 1
            last = statements[-1].end_lineno or statements[-1].lineno
            yield Change(statements[0].lineno, (Edit(start, file.line_start(last + 1), ""),))


def _unreachable(file: SourceFile) -> Iterator[Sequence[ast.stmt]]:
    """Yields statements of one block that no path reaches. No others of the block follow them."""
    for node in file.nodes:
        is_skipped = isinstance(node, ast.If) and _is_false(node.test) and not node.orelse
        if isinstance(node, ast.If) and is_skipped and len(_block(file, node)) > 1:
            yield [node]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if not isinstance(block, list):
                continue
            ends = [place for place, part in enumerate(block) if isinstance(part, _ENDS)]
            if ends and block[ends[0] + 1 :]:
                yield block[ends[0] + 1 :]


def _is_false(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and not test.value


def _block(file: SourceFile, statement: ast.stmt) -> Sequence[ast.stmt]:
    """Returns the block that a statement is in."""
    parent = file.parent(statement)
    blocks = (getattr(parent, name, ()) for name in ("body", "orelse", "finalbody"))
    return next((block for block in blocks if isinstance(block, list) and statement in block), ())


def _makes_estimator(file: SourceFile, statements: Sequence[ast.stmt]) -> bool:
    return any(
        estimator_uses.is_estimator(file, node)
        for statement in statements
        for node in ast.walk(statement)
    )


def _can_be_removed(file: SourceFile, statements: Sequence[ast.stmt]) -> bool:
    """Says whether the rest of the function has the same variables without some statements."""
    function = file.function(statements[0])
    if not isinstance(function, ast.FunctionDef):
        return False
    if not all(estimator_uses.is_alone(file, statement) for statement in statements):
        return False
    removed = {part for statement in statements for part in ast.walk(statement)}
    if any(isinstance(part, (*_OF_FUNCTIONS, *_ASYNC)) for part in removed):
        return False
    others = [part for part in ast.walk(function) if part not in removed]
    if any(isinstance(part, ast.ClassDef) for part in others):
        return False  # Its variables are not those of the function.
    comprehensions = [part for part in others if isinstance(part, ast.comprehension)]
    targets = {part for loop in comprehensions for part in ast.walk(loop.target)}
    kept = [part for part in others if part not in targets]
    kept_names = {name for part in kept for name in _bound(file, part, function)}
    used_names = {part.id for part in others if isinstance(part, ast.Name)}
    declarations = [part for part in others if isinstance(part, (ast.Global, ast.Nonlocal))]
    used_names |= {name for part in declarations for name in part.names}
    lost_names = {name for part in removed for name in _bound(file, part, function)} - kept_names
    return lost_names.isdisjoint(used_names)


def _bound(file: SourceFile, node: ast.AST, function: ast.FunctionDef) -> Sequence[str]:
    """Returns the names that a node binds in a function, also by `except E as name`."""
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return (node.name,) if node.name else ()
    if isinstance(node, ast.MatchMapping):
        return (node.rest,) if node.rest else ()
    return bindings.bound_names(node) if file.function(node) is function else ()


RULE = Rule(
    __name__,
    _find,
    message="Statements with Estimators that no path reaches are removed.",
    source="https://docs.python.org/3/reference/simple_stmts.html#the-return-statement",
    symbols=(*estimator_classes.WITH_MODEL_FN, *estimator_classes.CANNED),
    recipe="canned_estimators",
    # Its changes are safe. But the scan takes the names of a safe rule for rewritten ones, and the
    # Estimators that a path reaches are not.
    safe=False,
)
