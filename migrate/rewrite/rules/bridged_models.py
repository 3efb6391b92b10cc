"""Replaces an Estimator by a bridged model, which keeps its model_fn.

    def _find(file):
        carrier = bridged_models.CARRIER
        yield from estimator_jobs.changes(file, RULE, carrier, estimator_classes.CANNED)

For example, `Estimator(model_fn, params=params)` becomes `bridge.KerasModelFn(model_fn,
params=params)`.
"""

from __future__ import annotations

import ast
import re

from migrate.rewrite.analysis import (
    bridged_configs,
    estimator_classes,
    input_functions,
)
from migrate.rewrite.canned import canned_models
from migrate.rewrite.engine.rule import Rule
from migrate.rewrite.engine.source_file import MODELS, SourceFile
from migrate.rewrite.estimators import estimator_jobs, tpu_params
from migrate.rewrite.estimators.estimator_jobs import Carrier, Job, Model
from migrate.rewrite.model_fns import of_estimators
from migrate.rewrite.model_fns.bridging import reasons

_MARKER = "# migrate: Keras trains the unchanged model_fn (python -m migrate recipes {})"


def _model(file: SourceFile, rule: Rule, job: Job) -> Model | str:
    """Returns the bridged model of a model_fn, or the reason why Keras cannot train it.

    A comment above the model says why it is not a Keras model.
    """
    is_canned = job.match.name in estimator_classes.CANNED
    problem = _bridge_problem(file, job)
    if problem:
        return problem
    reason = _keras_problem(file, job)
    bridge, imports = bridged_configs.module(file, "bridge")
    text = f"{bridge}.KerasModelFn({_arguments(file, job)})"
    comments = [_MARKER.format("canned_estimators" if is_canned else "custom_model_fn")]
    if reason:
        comments.insert(0, f"# There is no Keras model for it yet: {reason}.")
    tpu_comment = tpu_params.comment(job.arguments) if job.is_of_tpu else ""
    comments += [tpu_comment] if tpu_comment else []
    separator = file.newline + file.indent(job.construction.statement.lineno)
    return Model(text, imports, separator.join(comments))


def _bridge_problem(file: SourceFile, job: Job) -> str:
    """Returns the reason why Keras cannot train a model_fn, or "" if none is known."""
    node = job.arguments.get("model_fn")
    name = (file.name_of(node) or "").removeprefix(MODELS)
    model = file.plan.decisions.imported_models.get(f"@{name}")
    if model is not None:
        return model.not_bridged
    function = input_functions.function_of(file, node) if node is not None else None
    if not isinstance(function, ast.FunctionDef):
        return ""
    return reasons.reason_to_stay(file, function)


def _keras_problem(file: SourceFile, job: Job) -> str:
    """Returns the reason why there is no Keras model, or "" if its rule was merely skipped."""
    is_canned = job.match.name in estimator_classes.CANNED
    result = canned_models.reason(file, job) if is_canned else of_estimators.read(file, job)
    reason = result if isinstance(result, str) else ""
    reason = reason or (tpu_params.problem(file, job.arguments) if job.is_of_tpu else "")
    reason = reason or estimator_jobs.refused_of(file, job, "porting")
    # The rewrite changes line numbers.
    return re.sub(r" in line [0-9]+( of)?", lambda match: " in" if match[1] else "", reason)


def _arguments(file: SourceFile, job: Job) -> str:
    args = job.arguments
    if job.match.name in estimator_classes.CANNED:
        return f"{_canned_call(file, job)}.model_fn"
    parts = [file.segment(args["model_fn"])]
    if job.is_of_tpu:
        parts.append(f"params={_params_of_tpu(file, job)}")
    elif "params" in args:
        parts.append(f"params={file.segment(args['params'])}")
    if "config" in args and input_functions.takes_config(file, args["model_fn"]):
        parts.append(f"config={file.segment(args['config'])}")
    return ", ".join(parts)


def _canned_call(file: SourceFile, job: Job) -> str:
    """Returns the call of a canned Estimator, with a RunConfig that allows any cluster."""
    text = file.segment(job.construction.call)
    if "config" in job.arguments or not job.distributes(file) or "#" in text:
        return text
    as_estimator, _ = bridged_configs.module(file, "as_estimator")
    start, comma = (
        text[:-1].rstrip(),
        ", " if job.construction.call.args or job.construction.call.keywords else "",
    )
    comma = " " if start.endswith(",") else comma
    return f"{start}{comma}config={as_estimator}.RunConfig())"


def _params_of_tpu(file: SourceFile, job: Job) -> str:
    """Returns the params that a TPUEstimator passed to its functions."""
    as_estimator, _ = bridged_configs.module(file, "as_estimator")
    parts = [file.segment(job.arguments["params"])] if "params" in job.arguments else []
    parts += [
        f"{name}={file.segment(job.arguments[name])}"
        for name in estimator_classes.BATCH_SIZES
        if name in job.arguments
    ]
    return f"{as_estimator}.TPUParams({', '.join(parts)})"


CARRIER = Carrier(_model, "as_estimator", builds=True, keeps_checkpoints=True)
