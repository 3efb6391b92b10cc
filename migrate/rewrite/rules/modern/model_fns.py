"""Turns a model_fn into a Keras model, and calls on its Estimator into calls on the model."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping, Sequence

from migrate.rewrite.analysis import (
    estimator_classes,
    estimator_uses,
    input_functions,
    mutations,
)
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import estimator_jobs, tpu_params
from migrate.rewrite.estimators.estimator_jobs import Carrier, Job, Model
from migrate.rewrite.model_fns import (
    keras_model,
    metrics,
    of_estimators,
    optimizers,
    other_files,
    places,
)
from migrate.rewrite.model_fns.analysis import checks, evaluated_predictions, slices
from migrate.rewrite.model_fns.keras_model import KerasModel
from migrate.rewrite.model_fns.layers.calls import contrib_layers
from migrate.rewrite.model_fns.of_estimators import ModelUse
from migrate.rewrite.model_fns.other_files import ImportedModel
from migrate.rewrite.model_fns.places import Place
from migrate.rewrite.rules import warm_started

_CHECKPOINTS = (
    "a Keras model has other checkpoints and initial weights: convert those of the Estimator "
    "(python -m migrate checkpoint convert)"
)

_TOGETHER = "another Estimator of the function that returns its model_fn stays"
_OTHERS = "it changes together with the Estimator of another file"

# Methods of params that change them, also those of HParams.
_CHANGES = mutations.METHODS | {
    *("add_hparam", "del_hparam", "override_from_dict", "parse", "parse_json", "set_hparam"),
}


def _find(file: SourceFile) -> Iterator[Change]:
    uses_by_line: dict[int, ModelUse] = {}
    make = functools.partial(_model, uses_by_line)
    carrier = Carrier(make, "porting", blocker=warm_started.blocker)
    # The carrier calls _model, which fills uses_by_line.
    changes = [*estimator_jobs.changes(file, RULE, carrier, estimator_classes.WITH_MODEL_FN)]
    changes = _together(changes, uses_by_line)
    changes_by_line = {change.line: change for change in changes if change.edits}
    models_by_line = {line: use.model for line, use in uses_by_line.items()}
    yield from _exported_model_changes(file)
    yield from _constant_changes(file)
    for change in changes:
        if change.line not in changes_by_line:
            yield change
    for lines in _groups(changes_by_line, models_by_line):
        group_models = {id(models_by_line[line]): models_by_line[line] for line in lines}.values()
        edits = [edit for line in lines for edit in changes_by_line[line].edits]
        for model in group_models:
            edits += model.edits(uses=sum(models_by_line[line] is model for line in lines))
        imports = tuple(module for line in lines for module in changes_by_line[line].imports)
        for line in lines:
            change = changes_by_line[line]._replace(edits=(*dict.fromkeys(edits),), imports=imports)
            yield change._replace(check=models_by_line[line].check)


def _together(changes: Sequence[Change], uses: Mapping[int, ModelUse]) -> list[Change]:
    """Returns the changes, without those of Estimators that need the change of another one.

    For example, two Estimators may train results of one function. The function returns a class to
    both, or a model_fn to both.
    """
    changes = [*changes]
    while True:
        lines = {change.line for change in changes if change.edits}
        # Estimators that share a change have the same edits.
        broken_edits = [
            change.edits
            for change in changes
            if change.edits and not _needed_lines(uses[change.line]) <= lines
        ]
        kept = [
            change._replace(edits=(), unsafe=_TOGETHER) if change.edits in broken_edits else change
            for change in changes
        ]
        if kept == changes:
            return kept
        changes = kept


def _needed_lines(use: ModelUse) -> frozenset[int]:
    """Returns the lines of the Estimators that must change together with one of them."""
    return use.returned.lines if use.returned is not None else frozenset()


def _exported_model_changes(file: SourceFile) -> Iterator[Change]:
    """Yields the changes of model_fns that Estimators in other files use."""
    classes = {node.name for node in file.nodes if isinstance(node, ast.ClassDef)}
    for name, model_class in file.plan.decisions.exported_models.items():
        function = checks.function_named(file, name)
        if function is None or model_class.name in classes:  # The function may stay.
            continue
        place: Place | str = Place(function)
        if model_class.is_returned:
            place = places.of_builder(file, function)
        model = place if isinstance(place, str) else keras_model.read(file, place.function, place)
        if isinstance(model, KerasModel):
            model.distributes = model_class.distributes
            edits = tuple(model.edits(uses=-1 if model_class.stays else 0))
            yield Change(model.function.lineno, edits, model.imports, _OTHERS, model.check)


def _constant_changes(file: SourceFile) -> Iterator[Change]:
    """Yields the changes of constants that are model_fns of Estimators in other files."""
    for name in file.plan.decisions.assigned_models:
        change = other_files.constant_edits(file, name)
        if change is not None:
            line, edits = change
            yield Change(line, edits, unsafe=_OTHERS)


def _groups(
    changes: Mapping[int, Change], models: Mapping[int, KerasModel | ImportedModel]
) -> Iterator[list[int]]:
    """Yields the lines of Estimators that change together.

    The Estimators of one model_fn share one class. Estimators that may reach the same variable
    share one change.
    """
    lines = [*changes]
    while lines:
        group = [lines.pop(0)]
        for line in group:
            neighbors = [
                other_line
                for other_line in lines
                if models[other_line] is models[line]
                or changes[other_line].edits == changes[line].edits
            ]
            lines = [other_line for other_line in lines if other_line not in neighbors]
            group += neighbors
        yield sorted(group)


def _model(
    uses_by_line: dict[int, ModelUse], file: SourceFile, rule: Rule, job: Job
) -> Model | str:
    """Returns the Keras model that replaces an Estimator, or the reason why there is none."""
    use = of_estimators.read(file, job)
    if isinstance(use, str):
        return f"there is no Keras model for it yet: {use}"
    model = use.model
    problem = _params_problem(file, job) or _predictions_problem(file, job)
    if problem:
        return problem
    tpu_comment = tpu_params.comment(job.arguments) if job.is_of_tpu else ""
    uses_by_line[job.construction.call.lineno] = use
    model.distributes = model.distributes or job.distributes(file)
    params = file.segment(job.arguments["params"]) if "params" in job.arguments else "{}"
    text = use.constructor_call(params if model.takes_params else "")
    statements = (f"{job.name}.compile({job.name}.make_optimizer())",)
    problems = [_CHECKPOINTS]
    if model.odd_signature and any(
        method_call.method.startswith("export") for method_call in job.use.calls
    ):
        problems.append(f"the old signature of a {model.odd_signature} named its input 'inputs'")
    edits = of_estimators.edits(file, job, use)
    return Model(text, model.imports, tpu_comment, statements, edits, "; ".join(problems))


def _predictions_problem(file: SourceFile, job: Job) -> str:
    """Returns the reason why the function of add_metrics may get other predictions, or ""."""
    calls = [call for call in job.use.calls if call.method == estimator_uses.ADDS_METRICS]
    if not calls:
        return ""
    function = input_functions.function_of(file, job.arguments["model_fn"])
    if not isinstance(function, ast.FunctionDef):
        reason = "its model_fn is not a function of this file"
    else:
        reason = evaluated_predictions.problem(file, function)
    line = calls[0].call.lineno
    return f"add_metrics in line {line} needs its predictions, but {reason}" if reason else ""


def _params_problem(file: SourceFile, job: Job) -> str:
    """Returns the reason why a model cannot use an Estimator's params, or "" if it can."""
    node = job.arguments.get("params")
    if job.is_of_tpu and (problem := tpu_params.problem(file, job.arguments)):
        return problem
    if isinstance(node, ast.Name):
        line = job.construction.call.lineno
        later_nodes = (part for part in file.nodes if getattr(part, "lineno", 0) > line)
        if any(_is_change(part, node.id) for part in later_nodes):
            return f"the program changes {node.id} after the Estimator has copied it"
        node = bindings.assigned_value(file, node)
    dictionaries = [part for part in ast.walk(node) if isinstance(part, ast.Dict)] if node else []
    keys = [key for value in dictionaries for key in value.keys if isinstance(key, ast.Constant)]
    if not all(isinstance(key.value, str) for key in keys):
        return "its params have keys that are not strings, which Keras cannot save"
    return ""


def _is_change(node: ast.AST, name: str) -> bool:
    """Says whether a statement or a call changes the value of a name."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return slices.base(node.func) == name and node.func.attr in _CHANGES
    return isinstance(node, (ast.Assign, ast.AugAssign, ast.Delete)) and name in slices.changed(
        node
    )


RULE = Rule(
    __name__,
    _find,
    message="A Keras model replaces a model_fn, and trains without Estimators.",
    source="https://www.tensorflow.org/guide/migrate/migrating_estimator",
    symbols=(
        *estimator_classes.WITH_MODEL_FN,
        "tf.estimator.EstimatorSpec",
        "tf.losses.get_regularization_loss",
        "tf.losses.get_regularization_losses",
        *contrib_layers.NAMES,
        *metrics.NAMES,
        *optimizers.NAMES,
    ),
    recipe="custom_model_fn",
    safe=False,
    instead_of=("estimators", "train_and_evaluate"),
)
