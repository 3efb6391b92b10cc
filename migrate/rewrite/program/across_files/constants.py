"""Decides about constants that are model_fns of other files, for Estimators of further files.

    decide(drafts)

For example, `params.py` has `MODEL_FN = models.cnn_model_fn`, and `task.py` trains
`params.MODEL_FN`. The constant keeps its name, and its value becomes a class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite.engine.plan import OF_MODULE, ModelClass, OtherModel
from migrate.rewrite.model_fns import other_files
from migrate.rewrite.program.across_files import model_fns
from migrate.rewrite.program.drafts import Drafts, Function, User


class _Source(NamedTuple):
    """The model_fn that a constant stands for.

    Attributes:
      name: Its name in the file of the constant.
      function: The function.
      line: Line of the constant.
    """

    name: str
    function: Function
    line: int


def decide(drafts: Drafts) -> None:
    """Decides which constants become classes.

    Args:
      drafts: The files. Gets the decisions.
    """
    for constant, users in model_fns.trained_model_fns(drafts).items():
        source = _source(drafts, constant)
        if source is not None:
            _decide(drafts, constant, users, source)


def _source(drafts: Drafts, constant: Function) -> _Source | None:
    """Returns the function that a constant stands for. None if it is no such constant."""
    file = drafts.file(constant.path) if constant.path in drafts.facts else None
    if file is None or OF_MODULE in (file.plan.used_elsewhere or ()):
        return None
    value = other_files.constant_of(file, constant.name)
    name = file.imported_name_of(value)
    place = drafts.facts[constant.path].imported_names.get(name)
    return _Source(name, Function(*place), value.lineno) if place and value is not None else None


def _decide(drafts: Drafts, constant: Function, users: Sequence[User], source: _Source) -> None:
    """Decides about a constant, or stores the reason why it stays."""
    function, plan = source.function, drafts.plans[constant.path]
    model = model_fns.class_of(drafts, function)
    imported = model._replace(name=constant.name, is_constant=True)
    if model.reason:
        model_fns.import_class(drafts, users, imported)
        return
    others = {*drafts.users.get(function, ())} - {*users, User(constant.path, source.name)}
    known = drafts.plans[function.path].decisions.exported_models
    stays = bool(others) or function.name in known
    exported = {
        **known,
        function.name: ModelClass(model.name, model_fns.distributes(drafts, users), stays=stays),
    }
    decisions = {
        "imported_models": {**plan.decisions.imported_models, source.name: model},
        "assigned_models": {**plan.decisions.assigned_models, constant.name: model},
    }
    changes = drafts.changes(drafts.file(constant.path, **decisions))
    if (
        all(model_fns.imports_class(drafts, user, imported) for user in users)
        and not model_fns.is_used_otherwise(drafts, constant, users)
        and any(change.line == source.line for change in changes)
        and model_fns.becomes_class(drafts, function, model, exported)
    ):
        model_fns.import_class(drafts, users, imported)
        drafts.decide(constant.path, **decisions)
        drafts.decide(function.path, exported_models=exported)
        return
    reason = f"its model_fn {constant.name} has other uses, or a file that uses it stays"
    model_fns.import_class(drafts, users, OtherModel("", reason=reason))
