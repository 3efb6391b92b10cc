"""Reads the model_fn of an Estimator, from the same or another file, as a Keras model.

found = read(file, job)
if isinstance(found, KerasModel):
    print(found.text())
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis import bridged_configs, input_functions
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators.estimator_jobs import Job
from migrate.rewrite.model_fns import builders, other_files, writing
from migrate.rewrite.model_fns.other_files import ImportedModel
from migrate.rewrite.model_fns.writing import KerasModel


def read(file: SourceFile, job: Job) -> KerasModel | ImportedModel | str:
    """Returns an Estimator's model_fn as a Keras model, or the reason why it has none.

    Args:
      file: The file.
      job: The Estimator.
    """
    node = _without_alias(file, job.arguments["model_fn"])
    other = other_files.of(file, node)
    if other is not None:
        return other
    function = input_functions.function_of(file, node)
    if not isinstance(function, ast.FunctionDef):
        is_method = isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("self", "cls")
        return f"its model_fn is {'a method' if is_method else 'not a function of this file'}"
    is_nested = file.parent(function) is not file.tree
    if is_nested and (problem := builders.problem(file, node, function)):
        return problem
    known = file.computed(_known_models)
    if function not in known:
        known[function] = writing.read(file, function)
    return known[function]


def _without_alias(file: SourceFile, node: ast.expr) -> ast.expr:
    """Returns the model_fn that a name stands for, as in `model_function = model_fn`."""
    value = _aliased(file, node)
    return value if value is not None else node


def _aliased(file: SourceFile, node: ast.expr) -> ast.Name | None:
    """Returns the name that an alias stands for, if the alias has no other use."""
    value = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else None
    if not isinstance(node, ast.Name) or not isinstance(value, ast.Name):
        return None
    if file.plan.is_shared and bindings.scope(file, node) is None:
        return None  # Other files may import the alias.
    uses = bindings.uses_of_value(file, value)
    return value if uses is not None and len(uses) == 1 and value.id != node.id else None


def expression(file: SourceFile, job: Job, model: KerasModel | ImportedModel) -> str:
    """Returns the expression of the class, where an Estimator is made.

    Args:
      file: The file.
      job: The Estimator.
      model: Its model_fn, as `read` returns it.
    """
    built = builders.of(file, _without_alias(file, job.arguments["model_fn"]))
    return built.text if built is not None else model.name


def edits(file: SourceFile, job: Job, model: KerasModel | ImportedModel) -> tuple[Edit, ...]:
    """Returns the edits of a builder, and those that remove the alias of a model_fn.

    Args:
      file: The file.
      job: The Estimator.
      model: Its model_fn, as `read` returns it.
    """
    value = _aliased(file, job.arguments["model_fn"])
    found = (bridged_configs.removal(file, file.statement(value)),) if value is not None else ()
    built = builders.of(file, _without_alias(file, job.arguments["model_fn"]))
    return (*found, *(built.edits(file, model.name) if built is not None else ()))


def _known_models(file: SourceFile) -> dict[ast.FunctionDef, KerasModel | str]:
    """Returns the dictionary of the models of a file's functions, which `read` fills."""
    return {}
