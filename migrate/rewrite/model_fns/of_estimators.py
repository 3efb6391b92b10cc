"""Reads the model_fn of an Estimator, from the same or another file, as a Keras model.

model = read(file, job)
if isinstance(model, KerasModel):
    print(model.text())
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators.estimator_jobs import Job
from migrate.rewrite.model_fns import bound_arguments, keras_model, other_files, places
from migrate.rewrite.model_fns.keras_model import KerasModel
from migrate.rewrite.model_fns.other_files import ImportedModel


def read(file: SourceFile, job: Job) -> KerasModel | ImportedModel | str:
    """Returns an Estimator's model_fn as a Keras model, or the reason why it cannot become one.

    Args:
      file: The file.
      job: The Estimator.
    """
    node = _without_alias(file, job.arguments["model_fn"])
    other = other_files.of(file, node)
    if other is not None:
        return other
    place = places.of(file, node)
    if isinstance(place, str):
        return place
    models = file.computed(_known_models)
    if place.function not in models:
        models[place.function] = keras_model.read(file, place.function, place)
    return models[place.function]


def _without_alias(file: SourceFile, node: ast.expr) -> ast.expr:
    """Returns the model_fn that a name stands for, as in `model_function = model_fn`."""
    value = _aliased(file, node)
    return value if value is not None else node


def _aliased(file: SourceFile, node: ast.expr) -> ast.expr | None:
    """Returns the model_fn that an alias stands for, if the alias has no other use."""
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else None
    is_alias = isinstance(value, ast.Name) or (
        value is not None and bound_arguments.read(file, value) is not None
    )
    if not isinstance(node, ast.Name) or value is None or not is_alias:
        return None
    if file.plan.is_shared and bindings.scope(file, node) is None:
        return None  # Other files may import the alias.
    uses = bindings.uses_of_value(file, value)
    is_itself = isinstance(value, ast.Name) and value.id == node.id
    return value if uses is not None and len(uses) == 1 and not is_itself else None


def edits(file: SourceFile, job: Job) -> tuple[Edit, ...]:
    """Returns the edits that remove the alias of an Estimator's model_fn.

    Args:
      file: The file.
      job: The Estimator.
    """
    value = _aliased(file, job.arguments["model_fn"])
    return (bridged_configs.removal(file, file.statement(value)),) if value is not None else ()


def _known_models(file: SourceFile) -> dict[ast.FunctionDef, KerasModel | str]:
    """Returns the dictionary of the models of a file's functions, which `read` fills."""
    return {}
