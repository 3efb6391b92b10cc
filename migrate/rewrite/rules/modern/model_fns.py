"""Turns a model_fn into a Keras model, and calls on its Estimator into calls on the model."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_classes
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Change, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import estimator_jobs, tpu_params
from migrate.rewrite.estimators.estimator_jobs import Carrier, Job, Model
from migrate.rewrite.model_fns import metrics, of_estimators, optimizers, writing
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.layers import contrib_layers
from migrate.rewrite.model_fns.other_files import ImportedModel
from migrate.rewrite.model_fns.writing import KerasModel

_CHECKPOINTS = (
    "a Keras model has other checkpoints and initial weights: convert those of the Estimator "
    "(python -m migrate checkpoint convert)"
)

_OTHERS = "it changes together with the Estimator of another file"

_CHANGES = frozenset(
    (
        *("add_hparam", "clear", "del_hparam", "override_from_dict", "parse", "parse_json", "pop"),
        *("popitem", "set_hparam", "setdefault", "update"),
    )
)


def _find(file: SourceFile) -> Iterator[Change]:
    found: dict[int, KerasModel | ImportedModel] = {}
    carrier = Carrier(functools.partial(_model, found), "porting")
    changes = [*estimator_jobs.changes(file, RULE, carrier, estimator_classes.WITH_MODEL_FN)]
    made = {change.line: change for change in changes if change.edits}
    yield from _for_others(file)
    for change in changes:
        if change.line not in made:
            yield change
    for together in _together(made, found):
        models = {id(found[line]): found[line] for line in together}.values()
        edits = [edit for line in together for edit in made[line].edits]
        for model in models:
            edits += model.edits(uses=sum(found[line] is model for line in together))
        imports = tuple(module for line in together for module in made[line].imports)
        for line in together:
            change = made[line]._replace(edits=(*dict.fromkeys(edits),), imports=imports)
            yield change._replace(check=found[line].check)


def _for_others(file: SourceFile) -> Iterator[Change]:
    """Yields the changes of model_fns that Estimators of other files use."""
    for name, asked in file.plan.decisions.exported_models.items():
        function = checks.function_named(file, name)
        model = writing.read(file, function) if function is not None else ""
        if isinstance(model, KerasModel):
            model.distributes = asked.distributes
            edits = tuple(model.edits(uses=-1 if asked.stays else 0))
            yield Change(model.function.lineno, edits, model.imports, _OTHERS, model.check)


def _together(
    made: dict[int, Change], found: dict[int, KerasModel | ImportedModel]
) -> Iterator[list[int]]:
    """Yields the lines of Estimators that change together.

    The Estimators of one model_fn share one class. Estimators that may reach the same variable
    share one change.
    """
    left = [*made]
    while left:
        group = [left.pop(0)]
        for line in group:
            near = [
                one
                for one in left
                if found[one] is found[line] or made[one].edits == made[line].edits
            ]
            left = [one for one in left if one not in near]
            group += near
        yield sorted(group)


def _model(
    found: dict[int, KerasModel | ImportedModel], file: SourceFile, rule: Rule, job: Job
) -> Model | str:
    """Returns the Keras model that replaces an Estimator and its model_fn."""
    model = of_estimators.read(file, job)
    if isinstance(model, str):
        return f"there is no Keras model for it yet: {model}"
    problem = _params(file, job)
    if problem:
        return problem
    lost = tpu_params.comment(job.arguments) if job.is_of_tpu else ""
    found[job.construction.call.lineno] = model
    model.distributes = model.distributes or job.distributes(file)
    params = file.segment(job.arguments["params"]) if "params" in job.arguments else "{}"
    text = model.made(params if model.takes_params else "")
    below = (f"{job.name}.compile({job.name}.make_optimizer())",)
    problems = [_CHECKPOINTS, *([model.problem] if model.problem else [])]
    if model.odd_signature and any(
        method_call.method.startswith("export") for method_call in job.use.calls
    ):
        problems.append(f"the old signature of a {model.odd_signature} named its input 'inputs'")
    edits = of_estimators.edits(file, job)
    return Model(text, model.imports, lost, below, edits, "; ".join(problems))


def _params(file: SourceFile, job: Job) -> str:
    """Returns the reason why a model cannot use an Estimator's params as they are, or ""."""
    node = job.arguments.get("params")
    if job.is_of_tpu and (problem := tpu_params.problem(file, job.arguments)):
        return problem
    if isinstance(node, ast.Name):
        line = job.construction.call.lineno
        changed = (one for one in file.nodes if getattr(one, "lineno", 0) > line)
        if any(_is_change(one, node.id) for one in changed):
            return f"the program changes {node.id} after the Estimator has copied it"
        node = bindings.assigned_value(file, node)
    dictionaries = [one for one in ast.walk(node) if isinstance(one, ast.Dict)] if node else []
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
