"""Names a checkpoint of an Estimator that another call takes, so that both calls can change."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_classes, estimator_uses
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import warm_starts

_START, _PATH = "warm_start_from", "checkpoint_path"
_TRAIN = frozenset(("fit", "train", "train_and_evaluate"))
# Expressions that evaluate a part several times, later or perhaps not at all.
_OPEN = (
    *(ast.BoolOp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.Lambda, ast.ListComp, ast.SetComp),
)
_OF_ESTIMATORS = frozenset(("eval_dir", "latest_checkpoint", "model_dir"))
_CLASSES = (*estimator_classes.CANNED, *estimator_classes.WITH_MODEL_FN)


def _find(file: SourceFile) -> Iterator[Change]:
    matches = [match for match in file.v1_names() if match.name in _CLASSES]
    for match in matches:
        for keyword in match.call.keywords if match.call is not None else ():
            if keyword.arg == _START and _reads_estimator(keyword.value):
                yield from _changes(file, keyword.value, match.call)
    for node in file.nodes if matches else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            for keyword in node.keywords if node.func.attr in ("evaluate", "predict") else ():
                if keyword.arg == _PATH and _reads_estimator(keyword.value):
                    yield from _changes(file, keyword.value, node)


def _reads_estimator(node: ast.expr) -> bool:
    """Says whether an expression may read the folder or a checkpoint of an Estimator."""
    return any(
        isinstance(part, ast.Attribute) and part.attr in _OF_ESTIMATORS for part in ast.walk(node)
    )


def _changes(file: SourceFile, node: ast.expr, call: ast.Call | None) -> Iterator[Change]:
    """Yields the change of a statement that evaluates a call once and trains nothing before it."""
    statement = file.statement(node)
    if not isinstance(statement, (ast.Assign, ast.Expr, ast.Return)):
        return
    if not estimator_uses.is_alone(file, statement):
        return
    for part in ast.walk(statement):
        is_training = isinstance(part, ast.Attribute) and part.attr in _TRAIN
        if is_training or isinstance(part, _OPEN):
            return
    preferred = _START if file.name_of(getattr(call, "func", None)) else _PATH
    name = file.new_name(preferred, ("the checkpoint of", node), file.function(node))
    start = file.span(statement)[0]
    indent = file.newline + file.indent(statement.lineno)
    text = f"{name} = {file.segment(node)}{indent}"
    edits = (Edit(start, start, text), Edit(*file.span(node), name))
    yield Change(statement.lineno, edits)


RULE = Rule(
    __name__,
    _find,
    message="A checkpoint of an Estimator that another call takes has a name.",
    source="https://www.tensorflow.org/api_docs/python/tf/estimator/WarmStartSettings",
    symbols=(warm_starts.SETTINGS,),
    recipe="warm_start",
    safe=False,
)
