"""Rewrites RunConfigs and strategies next to Keras models, so that a process can join any cluster.

A RunConfig becomes that of as_estimator, which accepts synchronous workers without a chief. A
strategy is made only where no cluster exists, because a process cannot join one after that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import bridged_configs, estimator_classes
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Change, Edit
from migrate.rewrite.engine.source_file import Match, SourceFile

_HELPERS = ("as_estimator", "bridge", "porting")
_ESTIMATORS = (*estimator_classes.WITH_MODEL_FN, *estimator_classes.CANNED)
_ELSEWHERE = "it changes together with an Estimator of another file"


def changes(file: SourceFile) -> Iterator[Change]:
    """Yields the changes of RunConfigs and strategies, once a file has no Estimator left.

    Args:
      file: The file.
    """
    if not _has_only_models(file):
        return
    unsafe = "" if bridged_configs.imports(file, _HELPERS) else _ELSEWHERE
    for match in file.names():
        if match.name != "tf.estimator.RunConfig":
            continue
        name, imports = bridged_configs.module(file, "as_estimator")
        change = file.replacement(match.node, f"{name}.RunConfig", imports)
        edits = (*change.edits, *_strategy(file, match))
        yield change._replace(edits=edits, unsafe=unsafe)
    for strategy in _strategy_names(file):
        edits = _factory_edits(file, strategy)
        if edits:
            yield Change(strategy.lineno, edits)


def _strategy(file: SourceFile, match: Match) -> tuple[Edit, ...]:
    """Returns the edits that pass a RunConfig a function that makes its strategy."""
    keywords = match.call.keywords if match.call is not None else []
    value = next((keyword.value for keyword in keywords if keyword.arg == "train_distribute"), None)
    return _factory_edits(file, value)


def _factory_edits(file: SourceFile, value: ast.expr | None) -> tuple[Edit, ...]:
    """Returns the edits of the call that makes a strategy, here or where its only name is bound."""
    if isinstance(value, ast.Name):
        # Of two uses, one binds the name, and the other one passes the strategy.
        uses = [part for part in file.nodes if isinstance(part, ast.Name) and part.id == value.id]
        value = bindings.assigned_value(file, value) if len(uses) == 2 else None
    if not isinstance(value, ast.Call):
        return ()
    return file.replacement(value, bridged_configs.factory(file.segment(value))).edits


def _strategy_names(file: SourceFile) -> Iterator[ast.Name]:
    """Yields the names of strategies that are arguments of `strategy` of a helper module."""
    modules = {bridged_configs.module(file, name)[0] for name in ("as_estimator", "porting")}
    for node in file.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "strategy" and ast.unparse(node.func.value) in modules:
            yield from (name for name in node.args[1:] if isinstance(name, ast.Name))


def _has_only_models(file: SourceFile) -> bool:
    """Says whether a file makes or receives Keras models, and has no Estimator itself."""
    if not bridged_configs.imports(file, _HELPERS) and not file.plan.decisions.imported_estimators:
        return False
    return not has_estimators(file)


def has_estimators(file: SourceFile) -> bool:
    """Says whether a file has an Estimator that is not made only to bridge its model_fn."""
    matches = [match for match in file.names() if match.name in _ESTIMATORS]
    return not all(bridged_configs.is_of_model(file, match) for match in matches)
