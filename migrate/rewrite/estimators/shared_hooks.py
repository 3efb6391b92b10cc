r"""Removes a hook that only logs from all calls that take it.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "hooks = [LoggingTensorHook(['loss'], 10)]\n"
...     "job.train(data, hooks=hooks)\n"
...     "job.evaluate(data, hooks=hooks)\n"
... )
>>> [edit.text for edit in removal(file, file.tree.body[0].value.elts[0])]
['job.train(data)', 'job.evaluate(data)', '']
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis import bridged_configs, estimator_uses
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile

_CALLS = ("train", "evaluate", "predict", "TrainSpec", "EvalSpec")


def removal(file: SourceFile, hook: ast.Call) -> list[Edit]:
    """Returns the edits that remove a hook. There are none if other code may use it.

    Args:
      file: The file.
      hook: Call that makes the hook.
    """
    uses = _uses(file, hook)
    elements: list[ast.expr] = [*uses] if uses else [hook]
    lists = [file.parent(element) for element in elements]
    edits: list[Edit] = []
    for hooks, element in zip(lists, elements, strict=True):
        if not isinstance(hooks, ast.List) or lists.count(hooks) > 1:
            return []
        found = _from_list(file, hooks, element)
        if not found:
            return []
        edits += found
    return [*edits, *(_statement(file, hook) if uses else [])]


def _from_list(file: SourceFile, hooks: ast.List, element: ast.expr) -> list[Edit]:
    """Returns the edits that remove a hook from a list, and an empty list from its calls."""
    uses = _uses(file, hooks)
    values: list[ast.expr] = [*uses] if uses else [hooks]
    calls = [_call_with(file, value) for value in values]
    if None in calls:
        return []
    others = [file.segment(other) for other in hooks.elts if other is not element]
    if others:
        return [*file.replacement(hooks, f"[{', '.join(others)}]").edits]
    edits: list[Edit] = []
    for call in calls:
        if call is not None:
            editor = arguments.Arguments(file.segment(call))
            editor.remove("hooks")
            edits += file.replacement(call, editor.code).edits
    return [*edits, *(_statement(file, hooks) if uses else [])]


def _uses(file: SourceFile, value: ast.expr) -> list[ast.Name]:
    """Returns the uses of the name of a value. Empty if it has none, or other files may use it."""
    uses = bindings.uses_of_value(file, value) or []
    if not uses or not estimator_uses.is_alone(file, file.statement(value)):
        return []
    is_open = file.plan.is_shared and bindings.scope(file, uses[0]) is None
    return [] if is_open else uses


def _call_with(file: SourceFile, value: ast.expr) -> ast.Call | None:
    """Returns the call of an Estimator, or of a spec, that takes a value as its hooks."""
    keyword = file.parent(value)
    call = file.parent(keyword) if isinstance(keyword, ast.keyword) else None
    if not isinstance(keyword, ast.keyword) or keyword.arg != "hooks":
        return None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    return call if call.func.attr in _CALLS else None


def _statement(file: SourceFile, value: ast.expr) -> list[Edit]:
    return [bridged_configs.removal(file, file.statement(value))]
