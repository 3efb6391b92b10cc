"""Writes out the training flags that some calls of a Keras model leave out.

draft = with_flags(draft)

For example, a model_fn calls `model(features)` for training and `model(features, training=False)`
for evaluation. In TensorFlow 1, both calls compute the same. With the flag in both of them, the
modes share the statement.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns.analysis import checks, keras_objects, slices
from migrate.rewrite.model_fns.expansion.draft import Draft, expansion

_FLAG = "training"


@expansion
def with_flags(draft: Draft) -> Draft:
    """Returns a copy of a file in which either all calls of a Keras model have a flag, or none.

    Args:
      draft: The copy of the file.
    """
    file, function = draft.file, draft.function
    names = [match.name for match in checks.names_in(file, function)]
    if any(name in keras_objects.SET_PHASE for name in names):
        return draft
    places: list[tuple[int, int]] = []
    for name in _models(file, function):
        calls = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == name
        ]
        without = [call for call in calls if not _may_have_flag(call)]
        if len(without) < len(calls):
            places += [_end(file, call) for call in without]
    return draft.with_texts(places, f", {_FLAG}=False") if places else draft


def _models(file: SourceFile, function: ast.FunctionDef) -> Iterator[str]:
    """Yields the names of Keras models that a model_fn makes, each with a single value."""
    local = slices.bound_inside(function)
    bindings = [name for statement in function.body for name in slices.bound(statement)]
    for statement in ast.walk(function):
        value = statement.value if isinstance(statement, ast.Assign) else None
        if not isinstance(statement, ast.Assign) or not isinstance(value, ast.Call):
            continue
        is_model = (file.name_of(value.func) or "").startswith(keras_objects.MODELS)
        if is_model or keras_objects.maker(file, value, local) is not None:
            yield from (name for name in slices.replaces(statement) if bindings.count(name) == 1)


def _may_have_flag(call: ast.Call) -> bool:
    """Says whether a call has the flag, or arguments that are unknown or that it may be among."""
    is_plain = len(call.args) == 1 and not isinstance(call.args[0], ast.Starred)
    return not is_plain or any(keyword.arg in (_FLAG, None) for keyword in call.keywords)


def _end(file: SourceFile, call: ast.Call) -> tuple[int, int]:
    """Returns the empty span before the bracket or comma at the end of a call."""
    end = file.span(call)[1] - 1
    text = file.text[:end].rstrip()
    end = len(text.removesuffix(","))
    return end, end
