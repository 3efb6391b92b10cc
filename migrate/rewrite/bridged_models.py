"""What takes an Estimator's place where its model_fn stays: a model of the bridge.

def _find(file):
    yield from carried_jobs.changes(file, RULE, bridged_models.CARRIER, carried_jobs.CANNED)
"""

from __future__ import annotations

import ast
import re

from migrate.rewrite import bridged, canned_models, carried_jobs, input_functions
from migrate.rewrite.carried_jobs import Carrier, Job, Model
from migrate.rewrite.model_fns import of_estimators
from migrate.rewrite.rule import Rule
from migrate.rewrite.source_file import SourceFile

_MARKER = "# migrate: bridged, Keras trains the model_fn as it is; python -m migrate recipes {}"


def _model(file: SourceFile, rule: Rule, job: Job) -> Model:
    """The bridged model of an Estimator's model_fn, with why it is no Keras model above it."""
    is_canned = job.found.name in carried_jobs.CANNED
    found = canned_models.reason(file, job) if is_canned else of_estimators.read(file, job)
    bridge, imports = bridged.module(file, "bridge")
    text = f"{bridge}.KerasModelFn({_arguments(file, job)})"
    marker = _MARKER.format("canned_estimators" if is_canned else "custom_model_fn")
    if isinstance(found, str) and found:
        # Lines have other numbers afterwards.
        why = re.sub(r" in line [0-9]+", "", found)
        line = file.newline + file.indent(job.made.statement.lineno)
        marker = f"# There is no Keras model for it yet: {why}.{line}{marker}"
    return Model(text, imports, marker)


def _arguments(file: SourceFile, job: Job) -> str:
    given = job.given
    if job.found.name in carried_jobs.CANNED:
        return f"{file.segment(job.made.call)}.model_fn"
    parts = [file.segment(given["model_fn"])]
    parts += [f"params={file.segment(given['params'])}"] if "params" in given else []
    if "config" in given and _takes_config(file, given["model_fn"]):
        parts.append(f"config={file.segment(given['config'])}")
    return ", ".join(parts)


def _takes_config(file: SourceFile, model_fn: ast.expr) -> bool:
    function = input_functions.function_of(file, model_fn)
    return function is None or "config" in input_functions.parameters(function)


CARRIER = Carrier(_model, "as_estimator", builds=True)
