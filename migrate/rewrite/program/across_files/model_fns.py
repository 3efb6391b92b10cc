"""Decides about model_fns that Estimators of other files use, so that both files change together.

    decide(drafts)

The model_fn becomes a class in its own file, and the other files import the class. For example,
`task.py` then imports `Model` instead of `model_fn` from `model.py`.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Sequence

from legacy.reading import bindings as star_imports
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.plan import ModelClass, OtherModel
from migrate.rewrite.engine.source_file import MODELS, SourceFile
from migrate.rewrite.model_fns import aliases, keras_model
from migrate.rewrite.model_fns.analysis import checks
from migrate.rewrite.model_fns.bridging import reasons
from migrate.rewrite.names import modern_names
from migrate.rewrite.program import messages
from migrate.rewrite.program.drafts import Drafts, Function, User

_MAKES = re.compile(r"\bEstimator\(")
_IN_CLUSTERS = re.compile(r"\btrain_and_evaluate\b")
_ESTIMATOR = "tf.estimator.Estimator"
_PARAMETERS = ("model_fn", "model_dir", "config", "params", "warm_start_from")
_UNKNOWN = OtherModel("")
_NAMED = "the name {} of its class has another meaning in a file that may import it by `import *`"
_OTHER_USES = "its model_fn is also used in its own file"


def decide(drafts: Drafts) -> None:
    """Decides which model_fns become classes, and for which files.

    Args:
      drafts: The files. Gets the decisions.
    """
    for function, users in trained_model_fns(drafts).items():
        model = class_of(drafts, function)
        if model.reason:
            import_class(drafts, users, model)
            continue
        class_users = [user for user in users if imports_class(drafts, user, model)]
        for_all = len(class_users) == len(users) and not is_used_otherwise(drafts, function, users)
        model_class = ModelClass(model.name, distributes(drafts, users), stays=not for_all)
        decisions = drafts.plans[function.path].decisions
        exported = {**decisions.exported_models, function.name: model_class}
        if class_users and becomes_class(drafts, function, model, exported):
            for user in class_users:
                import_class(drafts, [user], _with_star(drafts, user, model))
            drafts.decide(function.path, exported_models=exported)


def import_class(drafts: Drafts, users: Sequence[User], model: OtherModel) -> None:
    """Decides that files use a class, or that they get the reason why there is none.

    Args:
      drafts: The files. Gets the decisions.
      users: The files, and their names for the function.
      model: The class.
    """
    for path, name in users:
        models = {**drafts.plans[path].decisions.imported_models, name: model}
        drafts.decide(path, imported_models=models)


def trained_model_fns(drafts: Drafts) -> dict[Function, list[User]]:
    """Returns the model_fns of Estimators in other files: the files, and the names there.

    Args:
      drafts: The files.
    """
    users: dict[Function, list[User]] = {}
    for path, facts in drafts.facts.items():
        if drafts.plans[path].decisions.exported_estimators or not may_train(drafts, path):
            continue  # `across_files/estimators` has decided about a file that exports Estimators.
        file = drafts.file(path, imported_models=dict.fromkeys(facts.imported_names, _UNKNOWN))
        names = {_model_fn(file, match.call) for match in file.names()} if file else set()
        for name in sorted(names & set(facts.imported_names)):
            function = Function(*facts.imported_names[name])
            users.setdefault(function, []).append(User(path, name))
    return users


def may_train(drafts: Drafts, path: str) -> bool:
    """Says whether a file may make an Estimator. Notebooks do not count.

    Args:
      drafts: The files.
      path: The file.
    """
    return not path.endswith(".ipynb") and bool(_MAKES.search(drafts.text(path)))


def distributes(drafts: Drafts, users: Sequence[User]) -> bool:
    """Says whether a strategy may train the model_fn in any of the files that use it.

    Args:
      drafts: The files.
      users: The files that use it.
    """
    return any(
        drafts.plans[path].program.uses(modern_names.distributes)
        or _IN_CLUSTERS.search(drafts.text(path))
        for path, _ in users
    )


def class_of(drafts: Drafts, function: Function) -> OtherModel:
    """Returns the class that a function becomes, or the reason why there is none.

    Args:
      drafts: The files.
      function: The model_fn.
    """
    file = drafts.file(function.path) if function.path in drafts.facts else None
    node = checks.function_named(file, function.name) if file is not None else None
    if file is None or node is None:
        return OtherModel("", reason="its model_fn is not a plain function of the given files")
    reason_to_stay = reasons.reason_to_stay(file, node)
    not_bridged = messages.with_file_name(reason_to_stay, function.path) if reason_to_stay else ""
    if bindings.count_reads(file, function.name):
        return OtherModel("", reason=_OTHER_USES, not_bridged=not_bridged)
    model = keras_model.read(file, node)
    if isinstance(model, str):
        reason = messages.with_file_name(model, function.path)
        return OtherModel("", reason=reason, not_bridged=not_bridged)
    if file.plan.is_starred and _is_used_in_others(drafts, function.path, model.name):
        return OtherModel("", reason=_NAMED.format(model.name), not_bridged=not_bridged)
    return OtherModel(model.name, model.takes_params, model.odd_signature)


def _is_used_in_others(drafts: Drafts, path: str, name: str) -> bool:
    """Says whether files other than one contain a name."""
    word = re.compile(rf"\b{name}\b")
    return any(word.search(drafts.text(other)) for other in drafts.facts if other != path)


def _with_star(drafts: Drafts, user: User, model: OtherModel) -> OtherModel:
    """Returns a class with the module of the `import *` that brings the function to a file."""
    path, name = user
    if ".*." not in name:
        return model
    module, _ = os.path.splitext(drafts.facts[path].imported_names[name][0])
    module = module.removesuffix(f"{os.sep}__init__")
    stars = [value[1:].partition(".*.")[0] for value in star_imports.alternatives(name)]
    stars = [
        star
        for star in stars
        if f"{os.sep}{module}".endswith(os.sep + star.lstrip(".").replace(".", os.sep))
    ]
    return model._replace(star=stars[0] if len(stars) == 1 else "")


def imports_class(drafts: Drafts, user: User, model: OtherModel) -> bool:
    """Says whether a file can use the class wherever its Estimators use the model_fn.

    Args:
      drafts: The files.
      user: The file, and its name for the model_fn.
      model: The class.
    """
    path, name = user
    models = {name: _with_star(drafts, user, model)}
    file = drafts.file(path, imported_models=models)
    if file is None:
        return False
    lines = lines_of_models(drafts, file)
    calls = [match.call for match in file.names() if _model_fn(file, match.call) == name]
    return all(call is not None and call.lineno in lines for call in calls)


def lines_of_models(drafts: Drafts, file: SourceFile) -> set[int]:
    """Returns the lines of a file's Estimators that become Keras models.

    Args:
      drafts: The files.
      file: A file from `drafts`.
    """
    return {
        change.line
        for change in drafts.changes(file)
        if change.replaced is not None and change.replaced.helpers == "porting"
    }


def is_used_otherwise(drafts: Drafts, function: Function, users: Sequence[User]) -> bool:
    """Says whether a function has any other use than as the model_fn of some Estimators.

    Args:
      drafts: The files.
      function: The function, or a constant that stands for it.
      users: The files with these Estimators, and their names for the function.
    """
    for path, facts in drafts.facts.items():
        for name, place in facts.imported_names.items():
            if place != function:
                continue
            file = drafts.file(path, imported_models={name: _UNKNOWN})
            uses = [*_names(file)] if file is not None else []
            trained = [_model_fn(file, match.call) for match in file.names()] if file else []
            if (path, name) not in users or len(uses) != trained.count(name):
                return True
    return False


def becomes_class(
    drafts: Drafts, function: Function, model: OtherModel, exported: dict[str, ModelClass]
) -> bool:
    """Says whether the file of a function can define the class.

    Args:
      drafts: The files.
      function: The function.
      model: The class.
      exported: The decision about the file, which includes the class.
    """
    changes = drafts.changes(drafts.file(function.path, exported_models=exported))
    checked = [change.check for change in changes if change.check is not None]
    return any((check.model_fn, check.model) == (function.name, model.name) for check in checked)


def names_left(file: SourceFile) -> set[str]:
    """Returns the model_fns of other files that Estimators of a file still train.

    Model_fns that stay functions do not count.

    Args:
      file: The file, under its plan.
    """
    models = file.plan.decisions.imported_models
    names = {_model_fn(file, match.call) for match in file.names()}
    return {name[1:] for name in names if name in models and not models[name].reason}


def _model_fn(file: SourceFile | None, call: ast.Call | None) -> str:
    """Returns the name of another file's model_fn in a call that makes an Estimator, or ""."""
    if file is None or call is None or file.name_of(call.func) != _ESTIMATOR:
        return ""
    node = (arguments.bind(call, _PARAMETERS) or {}).get("model_fn")
    value = aliases.value_of(file, node) if node is not None else None
    name = file.name_of(value or node) or ""
    return f"@{name.removeprefix(MODELS)}" if name.startswith(MODELS) else ""


def _names(file: SourceFile) -> Iterator[str]:
    """Yields each occurrence of another file's model_fn in a file. An alias of it counts once."""
    aliased = {node for node in aliases.names_of(file) if file.name_of(node)}
    for match in file.names():
        if match.name.startswith(MODELS) and match.node not in aliased:
            yield f"@{match.name.removeprefix(MODELS)}"
