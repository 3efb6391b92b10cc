"""What takes an Estimator's place where its model_fn stays: a model of the bridge.

def _find(file):
    yield from carried_jobs.changes(file, RULE, bridged_models.CARRIER)
"""

from __future__ import annotations

import ast
import re

from migrate.rewrite import bridged, carried_jobs, input_functions
from migrate.rewrite.carried_jobs import Carrier, Job, Model
from migrate.rewrite.rule import Rule
from migrate.rewrite.source_file import SourceFile

_MARKER = "# migrate: bridged, Keras trains the model_fn as it is; python -m migrate recipes {}"


def _model(file: SourceFile, rule: Rule, job: Job) -> Model:
    """The bridged model of an Estimator's model_fn."""
    bridge, imports = bridged.module(file, "bridge")
    text = f"{bridge}.KerasModelFn({_arguments(file, job)})"
    return Model(text, imports, _MARKER.format(rule.recipe))


def _arguments(file: SourceFile, job: Job) -> str:
    given = job.given
    if job.found.name in carried_jobs.CANNED:
        return f"{file.segment(job.used.call)}.model_fn"
    parts = [file.segment(given["model_fn"])]
    parts += [f"params={file.segment(given['params'])}"] if "params" in given else []
    if "config" in given and _takes_config(file, given["model_fn"]):
        parts.append(f"config={file.segment(given['config'])}")
    return ", ".join(parts)


def _takes_config(file: SourceFile, model_fn: ast.expr) -> bool:
    function = input_functions.function_of(file, model_fn)
    return function is None or "config" in input_functions.parameters(function)


def explained(file: SourceFile, job: Job, model: Model, reason: str) -> Model:
    """Returns a model with a comment that says why it is not another one.

    Args:
      file: The file.
      job: The Estimator that it takes the place of.
      model: The model.
      reason: Why; "" for no comment.
    """
    if not reason:
        return model
    # Lines have other numbers afterwards.
    why = f"# There is no Keras model for it yet: {re.sub(r' in line [0-9]+', '', reason)}."
    line = file.newline + file.indent(job.used.statement.lineno)
    return model._replace(above=f"{why}{line}{model.above}")


CARRIER = Carrier(_model, "as_estimator", "global_step", builds=True)
