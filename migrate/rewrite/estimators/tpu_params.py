"""Writes the params that a TPUEstimator passed to its input_fns, for a Keras model.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile("TPUEstimator(model_fn, train_batch_size=16)")
>>> call = file.tree.body[0].value
>>> args = {keyword.arg: keyword.value for keyword in call.keywords}
>>> of_input_fn(file, args, None, "train")
'{"batch_size": 16}'

A TPUEstimator adds the batch size of the mode to the params. Without a TPU, this is the argument
for all examples of a step.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.rewrite.analysis import bridged_configs, estimator_classes, input_functions
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.names import modern_names

_NO_TPU = "# migrate: use_tpu is gone. For a TPU, create the model in the scope of a TPUStrategy."
_SIZES = dict(zip(("train", "eval", "infer"), estimator_classes.BATCH_SIZES, strict=True))
# Params that a TPUEstimator adds itself.
_ADDED = frozenset(("batch_size", "context", "use_tpu"))
_BATCH_SIZE = "batch_size"
_Function = ast.FunctionDef | ast.Lambda


def of_input_fn(
    file: SourceFile, args: Mapping[str, ast.expr], function: _Function | None, mode: str
) -> str:
    """Returns the params of an input_fn as text, or "" if they are unknown.

    Args:
      file: The file.
      args: Arguments of the TPUEstimator.
      function: The input_fn, or None if the file does not define it.
      mode: Mode that it is called for: "train", "eval" or "infer".
    """
    size, params = args.get(_SIZES[mode]), args.get("params")
    if size is not None and not bridged_configs.is_simple(file, size):
        return ""
    entries = [f'"{_BATCH_SIZE}": {file.segment(size)}'] if size is not None else []
    keys = keys_read(function) if function is not None else None
    if params is None or (keys is not None and keys <= {_BATCH_SIZE} and entries):
        return f"{{{', '.join(entries)}}}"
    text = file.segment(params)
    if not isinstance(params, ast.Name) or not _is_dictionary(file, params):
        return ""
    return f"{{{', '.join([f'**{text}', *entries])}}}" if entries else text


def _is_dictionary(file: SourceFile, node: ast.Name) -> bool:
    value = bindings.assigned_value(file, node)
    is_call = isinstance(value, ast.Call) and ast.unparse(value.func) == "dict"
    return isinstance(value, ast.Dict) or is_call


def keys_read(function: _Function) -> set[str] | None:
    """Returns the keys that a function reads from its params. None if it may read any."""
    keys = set()
    inside = [*ast.walk(function)]
    subscripts = {
        id(part.value): part.slice
        for part in inside
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load)
    }
    calls = [part for part in inside if isinstance(part, ast.Call)]
    subscripts |= {
        id(call.func.value): call.args[0]
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "get" and call.args
    }
    for part in inside:
        if not isinstance(part, ast.Name) or part.id != "params":
            continue
        key = subscripts.get(id(part))
        if not isinstance(key, ast.Constant):
            return None
        keys.add(str(key.value))
    return keys


def problem(file: SourceFile, args: Mapping[str, ast.expr]) -> str:
    """Returns the reason why a model_fn needs other params in each mode, or "" if it does not.

    Args:
      file: The file.
      args: Arguments of the TPUEstimator.
    """
    function = input_functions.function_of(file, args["model_fn"])
    if not isinstance(function, ast.FunctionDef):
        return "the model_fn of a TPUEstimator is not a function of this file"
    if "params" not in input_functions.parameters(function):
        return ""
    keys = keys_read(function)
    if keys is None:
        return "its model_fn may read the batch size of a TPUEstimator from params"
    tpu_keys = keys & _ADDED - {"use_tpu"}
    return f"its model_fn reads {sorted(tpu_keys)[0]} of a TPUEstimator" if tpu_keys else ""


def comment(args: Mapping[str, ast.expr]) -> str:
    """Returns the comment for the place that makes the model, or "" if nothing is lost.

    Args:
      args: Arguments of the TPUEstimator.
    """
    return "" if modern_names.is_constant(args.get("use_tpu"), False) else _NO_TPU
