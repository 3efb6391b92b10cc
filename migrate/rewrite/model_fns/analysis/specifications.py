"""Reads the EstimatorSpec at the end of a path.

arguments = read(file, modes, "eval", path)
arguments["loss"]
"""

from __future__ import annotations

import ast

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import dictionaries, resolving
from migrate.rewrite.model_fns.analysis.modes import Modes, Path
from migrate.rewrite.names import modern_names

_SPEC = (
    "mode",
    "predictions",
    "loss",
    "train_op",
    "eval_metric_ops",
    "export_outputs",
    "training_chief_hooks",
    "training_hooks",
    "scaffold",
    "evaluation_hooks",
    "prediction_hooks",
)
_TPU_SPECS = ("tf.contrib.tpu.TPUEstimatorSpec", "tf.estimator.tpu.TPUEstimatorSpec")
_TPU_SPEC = (
    *("mode", "predictions", "loss", "train_op", "eval_metrics", "export_outputs", "scaffold_fn"),
    *("host_call", "training_hooks", "evaluation_hooks", "prediction_hooks"),
)
_HOOKS = ("training_hooks", "training_chief_hooks", "evaluation_hooks", "prediction_hooks")
_LOGGING = ("LoggingTensorHook", "StepCounterHook", "SummarySaverHook")
_NAN = "NanTensorHook"
_DESCRIPTION = "arguments of the EstimatorSpec"


def read(file: SourceFile, modes: Modes, mode: str, path: Path) -> dict[str, ast.expr]:
    """Returns the arguments of the EstimatorSpec that ends a path, without those that are None.

    Args:
      file: The file.
      modes: The model_fn, followed through each mode.
      mode: The mode of the path.
      path: The path.

    Raises:
      NotUnderstood: The path ends in something else, or the EstimatorSpec has no Keras equivalent.
    """
    call = _value(modes, mode, path)
    name = file.name_of(call.func) if isinstance(call, ast.Call) else None
    is_spec = name == "tf.estimator.EstimatorSpec" or name in _TPU_SPECS
    if not isinstance(call, ast.Call) or not is_spec:
        description = name or "something other than an EstimatorSpec"
        raise NotUnderstood(f"it returns {description} in line {path.result.lineno}")
    args = arguments.bind(_without_stars(path, call), _TPU_SPEC if name in _TPU_SPECS else _SPEC)
    if args is None:
        raise NotUnderstood(
            f"the EstimatorSpec in line {call.lineno} is created with *args or **kwargs"
        )
    args = {key: modes.branch(value, mode) for key, value in args.items()}
    args = {key: value for key, value in args.items() if not _is_none(path, value)}
    if _is_plain_scaffold(file, path, args.get("scaffold")):
        del args["scaffold"]
    for key in ("scaffold", "scaffold_fn", "host_call"):
        if key in args:
            raise NotUnderstood(f"the EstimatorSpec in line {call.lineno} has a {key}")
    for key in _HOOKS:
        if key in args:
            _check_hooks(file, path, args[key], args.get("loss"))
    return args


def _value(modes: Modes, mode: str, path: Path) -> ast.expr:
    """Returns the value of the result of a path, which may be a name or choose by the mode."""
    value = path.result
    while True:
        following = modes.branch(resolving.resolved(path, value), mode)
        if following is value:
            return value
        value = following


def _without_stars(path: Path, call: ast.Call) -> ast.Call:
    """Returns a call with the entries of a dictionary in place of `**dictionary`."""
    keywords: list[ast.keyword] = []
    for keyword in call.keywords:
        if keyword.arg is not None:
            keywords.append(keyword)
            continue
        entries = dictionaries.entries(path, keyword.value, _DESCRIPTION)
        keywords += [ast.keyword(key, value) for key, value in entries.items()]
    return ast.copy_location(ast.Call(call.func, call.args, keywords), call)


def _is_plain_scaffold(file: SourceFile, path: Path, node: ast.expr | None) -> bool:
    """Says whether an expression is a Scaffold without arguments, which is the default."""
    value = resolving.resolved(path, node) if node is not None else None
    if not isinstance(value, ast.Call) or value.args or value.keywords:
        return False
    return file.name_of(value.func) == "tf.train.Scaffold"


def _is_none(path: Path, node: ast.expr) -> bool:
    return modern_names.is_constant(resolving.resolved(path, node), None)


def _check_hooks(file: SourceFile, path: Path, node: ast.expr, loss: ast.expr | None) -> None:
    """Refuses hooks that do more than log, and than to stop at a loss of NaN."""
    hooks = resolving.resolved(path, node)
    for hook in hooks.elts if isinstance(hooks, (ast.List, ast.Tuple)) else [hooks]:
        constructor = resolving.resolved(path, hook)
        name = file.name_of(constructor.func) if isinstance(constructor, ast.Call) else None
        kind = (name or "").rpartition(".")[2]
        # Each training stops at a loss of NaN, with an error like this hook.
        is_usual = kind == _NAN and isinstance(constructor, ast.Call) and loss is not None
        if isinstance(constructor, ast.Call) and is_usual and loss is not None:
            args = [ast.unparse(argument) for argument in constructor.args]
            is_usual = args == [ast.unparse(loss)] and not constructor.keywords
        if kind not in _LOGGING and not is_usual:
            raise NotUnderstood(f"the EstimatorSpec has hooks ({ast.unparse(hook)})")
