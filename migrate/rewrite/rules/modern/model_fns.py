"""A model_fn that is understood becomes a Keras model, and what trained it calls of that."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite import carried_jobs, input_functions
from migrate.rewrite.carried_jobs import Carrier, Job, Model
from migrate.rewrite.model_fns import writing
from migrate.rewrite.rule import Change, Rule
from migrate.rewrite.source_file import SourceFile

_CHECKPOINTS = (
    "a Keras model has its own checkpoints: those of the Estimator are to be converted "
    "(python -m migrate checkpoint convert), and its first weights are others"
)
_PARAMS = "its model_fn takes params, and the Estimator has none that are seen"


def _find(file: SourceFile) -> Iterator[Change]:
    yield from carried_jobs.changes(file, RULE, _CARRIER)


def _model(file: SourceFile, rule: Rule, job: Job) -> Model | str:
    """The Keras model that takes the place of an Estimator and its model_fn."""
    function = input_functions.function_of(file, job.given["model_fn"])
    if not isinstance(function, ast.FunctionDef) or file.parent(function) is not file.tree:
        return "its model_fn is not a function of this file"
    found = writing.read(file, function)
    if isinstance(found, str):
        return f"{function.name} has no Keras model yet: {found}"
    params = [file.segment(job.given["params"])] if "params" in job.given else ["{}"]
    text = f"{found.name}({', '.join(params if found.takes_params else [])})"
    below = (f"{job.used.name}.compile({job.used.name}.make_optimizer())",)
    problem = found.problem or _CHECKPOINTS
    return Model(text, found.imports, "", below, (*found.edits(),), problem)


_CARRIER = Carrier(_model, "porting", "optimizer.iterations")

RULE = Rule(
    __name__,
    _find,
    message="A model_fn that is understood becomes a Keras model, which trains without Estimators.",
    source="https://www.tensorflow.org/guide/migrate/migrating_estimator",
    symbols=("tf.estimator.Estimator",),
    recipe="custom_model_fn",
    examples=(),
    unchanged=(),
    safe=False,
    instead_of=("estimators",),
)
