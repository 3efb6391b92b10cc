"""RunConfigs and strategies beside models that Keras trains: a process can join any cluster.

A RunConfig becomes as_estimator's, which takes a ring of workers without a chief; a strategy is
made only where there is no cluster, as after that a process cannot join one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_classes
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Change, Edit
from migrate.rewrite.engine.source_file import Found, SourceFile
from migrate.rewrite.estimators import bridged_configs

_HELPERS = ("as_estimator", "bridge", "porting")
_ESTIMATORS = (*estimator_classes.WITH_MODEL_FN, *estimator_classes.CANNED)
_ELSEWHERE = "it goes along with an Estimator of another file"


def changes(file: SourceFile) -> Iterator[Change]:
    """Yields the changes of RunConfigs and strategies, once no Estimator is left in a file.

    Args:
      file: The file.
    """
    if not _is_carried(file):
        return
    unsafe = "" if bridged_configs.imports(file, _HELPERS) else _ELSEWHERE
    for found in file.names():
        if found.name != "tf.estimator.RunConfig":
            continue
        name, imports = bridged_configs.module(file, "as_estimator")
        change = file.replaced(found.node, f"{name}.RunConfig", imports)
        edits = (*change.edits, *_strategy(file, found))
        yield change._replace(edits=edits, unsafe=unsafe)
    for name in _joined(file):
        edits = _made_later(file, name)
        if edits:
            yield Change(name.lineno, edits)


def _strategy(file: SourceFile, found: Found) -> tuple[Edit, ...]:
    """The edit by which a RunConfig is given what makes its strategy."""
    keywords = found.call.keywords if found.call is not None else []
    value = next((one.value for one in keywords if one.arg == "train_distribute"), None)
    return _made_later(file, value)


def _made_later(file: SourceFile, value: ast.expr | None) -> tuple[Edit, ...]:
    """The edit of what makes a strategy, here or where its only name is bound."""
    if isinstance(value, ast.Name):
        uses = [part for part in file.nodes if isinstance(part, ast.Name) and part.id == value.id]
        value = bindings.assigned(file, value) if len(uses) == 2 else None
    if not isinstance(value, ast.Call):
        return ()
    return file.replaced(value, bridged_configs.made_later(file.segment(value))).edits


def _joined(file: SourceFile) -> Iterator[ast.Name]:
    """Yields the names of strategies that a model's own is made of, where it is no cluster's."""
    modules = {bridged_configs.module(file, one)[0] for one in ("as_estimator", "porting")}
    for node in file.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "strategy" and ast.unparse(node.func.value) in modules:
            yield from (one for one in node.args[1:] if isinstance(one, ast.Name))


def _is_carried(file: SourceFile) -> bool:
    """Says whether a file has models of Keras, or is given them, and no Estimator of its own."""
    if not bridged_configs.imports(file, _HELPERS) and not file.context.handed:
        return False
    return not has_estimators(file)


def has_estimators(file: SourceFile) -> bool:
    """Says whether a file has an Estimator other than for its model_fn, which is bridged."""
    made = [found for found in file.names() if found.name in _ESTIMATORS]
    return not all(bridged_configs.is_of_model(file, found) for found in made)
