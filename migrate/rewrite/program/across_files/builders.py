"""Decides about functions that return model_fns to Estimators of other files.

    decide(drafts)

Such a function returns a class instead, if all of its results are trained by Estimators that become
models. For example, `task.py` calls `make_model_fn(8)` of `model.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.plan import OF_MODULE, ModelClass, OtherModel
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import aliases, keras_model, other_files, places
from migrate.rewrite.model_fns.analysis import checks
from migrate.rewrite.program import messages
from migrate.rewrite.program.across_files import model_fns
from migrate.rewrite.program.drafts import Drafts, Function, User

_UNKNOWN = OtherModel("", is_returned=True)


def decide(drafts: Drafts) -> None:
    """Decides which functions return classes to which files.

    Args:
      drafts: The files. Gets the decisions.
    """
    for function, users in _builders(drafts).items():
        model = _model(drafts, function, users)
        exported = {**drafts.plans[function.path].decisions.exported_models}
        if not model.reason:
            distributes = model_fns.distributes(drafts, users)
            exported[function.name] = ModelClass(model.name, distributes, is_returned=True)
            problem = _problem(drafts, function, users, model, exported)
            model = _refused(problem) if problem else model
        model_fns.import_class(drafts, users, model)
        if not model.reason:
            drafts.decide(function.path, exported_models=exported)


def _refused(reason: str) -> OtherModel:
    return OtherModel("", reason=reason, is_returned=True)


def _builders(drafts: Drafts) -> dict[Function, list[User]]:
    """Returns the functions whose results other files train: the files, and the names there."""
    users: dict[Function, list[User]] = {}
    for path, facts in drafts.facts.items():
        if drafts.plans[path].decisions.exported_estimators or not model_fns.may_train(
            drafts, path
        ):
            continue  # `across_files/estimators` has decided about a file that exports Estimators.
        names = facts.defined_names
        file = drafts.file(path, imported_models=dict.fromkeys(names, _UNKNOWN))
        for name in sorted(_trained_names(file) & names.keys() if file is not None else ()):
            users.setdefault(Function(*names[name]), []).append(User(path, name))
    return users


def _trained_names(file: SourceFile) -> Set[str]:
    """Returns the functions of other files whose results the Estimators of a file train."""
    return {other_files.builder_name(file, node) for node in aliases.model_fn_lines(file)} - {""}


def _model(drafts: Drafts, function: Function, users: Sequence[User]) -> OtherModel:
    """Returns the class that a function returns, or the reason why there is none."""
    file = drafts.file(function.path) if function.path in drafts.facts else None
    builder = checks.function_named(file, function.name) if file is not None else None
    if file is None or builder is None:
        return _refused("a function that is not in the given files returns its model_fn")
    others = {*drafts.users.get(function, ())} - {*users}
    is_used_by_name = OF_MODULE in (file.plan.used_elsewhere or ())
    if bindings.count_reads(file, function.name) or others or is_used_by_name:
        return _refused(f"{function.name}() has other uses than to make model_fns of Estimators")
    place = places.of_builder(file, builder)
    model = place if isinstance(place, str) else keras_model.read(file, place.function, place)
    if isinstance(model, str):
        return _refused(messages.with_file_name(model, function.path))
    return OtherModel(model.name, model.takes_params, model.odd_signature, is_returned=True)


def _problem(
    drafts: Drafts,
    function: Function,
    users: Sequence[User],
    model: OtherModel,
    exported: Mapping[str, ModelClass],
) -> str:
    """Returns the reason why a file cannot use the class or define it, or "" if all can."""
    for path, name in users:
        file = drafts.file(path, imported_models={name: model})
        if file is None:
            return "a file that uses it cannot be read"
        lines = model_fns.lines_of_models(drafts, file)
        results = other_files.results_of(file, name)
        nodes = [node for result in results or () for node in result.model_fns]
        model_fn_lines = aliases.model_fn_lines(file)
        if results is None or not {model_fn_lines[node] for node in nodes} <= lines:
            return f"{function.name}() has other uses than to make Keras models"
    file = drafts.file(function.path, exported_models=exported)
    builder = checks.function_named(file, function.name) if file is not None else None
    place = places.of_builder(file, builder) if file is not None and builder is not None else ""
    if isinstance(place, str):
        return place
    has_change = any(change.line == place.function.lineno for change in drafts.changes(file))
    return "" if has_change else "the file that defines its model_fn stays"


def names_left(file: SourceFile) -> set[str]:
    """Returns the functions of other files that return classes, and that Estimators still call.

    Args:
      file: The file, under its plan.
    """
    models = file.plan.decisions.imported_models
    names = _trained_names(file) & models.keys()
    return {name[1:] for name in names if models[name].is_returned and not models[name].reason}
