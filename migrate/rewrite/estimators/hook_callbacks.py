r"""Turns the hooks of a training into Keras callbacks.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "import tensorflow.compat.v1 as tf\n"
...     "hooks = [tf.train.ProfilerHook(save_steps=100, output_dir='logs')]\n"
... )
>>> read(file, file.tree.body[1].value, "porting", ()).texts
("porting.Profile('logs', every_steps=100)",)
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, estimator_uses
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile

_SAVER = "CheckpointSaverHook"
_PROFILER = "ProfilerHook"
_EARLY = ("eval_dir", "min_steps", "run_every_secs", "run_every_steps")
# Early-stopping hooks: the name, the second parameter, and the callback.
_STOPS = {
    "stop_if_higher_hook": ("threshold", "StopIfHigher"),
    "stop_if_lower_hook": ("threshold", "StopIfLower"),
    "stop_if_no_decrease_hook": ("max_steps_without_decrease", "StopIfNoDecrease"),
    "stop_if_no_increase_hook": ("max_steps_without_increase", "StopIfNoIncrease"),
}
CALLBACKS = (_SAVER, _PROFILER)
LOGS = frozenset(
    (
        "LoggingTensorHook",
        "NanTensorHook",
        "StepCounterHook",
        "SummarySaverHook",
    )
)
# Hooks of the session debugger, which is of no use without sessions.
DEBUGGERS = ("DumpingDebugHook", "GrpcDebugHook", "LocalCLIDebugHook", "TensorBoardDebugHook")
_NO_DEBUGGER = (
    "the session debugger is dropped: tf.debugging.experimental.enable_dump_debug_info records "
    "tensors instead"
)
SILENT = {
    **dict.fromkeys(DEBUGGERS, _NO_DEBUGGER),
    "NanTensorHook": "a training stops at a NaN loss without this hook, but the hook may watch "
    "another tensor",
}
LOGGED = "its output is lost, and Keras shows only the loss and metrics"
_PARAMETERS = {
    _SAVER: ("checkpoint_dir", "save_secs", "save_steps"),
    _PROFILER: ("save_steps", "save_secs", "output_dir"),
    **{kind: ("estimator", "metric_name", second, *_EARLY) for kind, (second, _) in _STOPS.items()},
}
_NAMES = {"save_steps": "every_steps", "save_secs": "every_secs"}
_RECIPES = {
    "stop_if_": "early_stopping",
    "make_early_stopping_hook": "early_stopping",
    "SummarySaverHook": "tensorboard",
    "LoggingTensorHook": "logging_and_stop_hooks",
    "NanTensorHook": "logging_and_stop_hooks",
    "StepCounterHook": "logging_and_stop_hooks",
    "StopAtStepHook": "logging_and_stop_hooks",
}
_OWN = "session_run_hook"
_RUN = (
    "custom hooks run only in processes with one replica, and their session can only read variables"
)
_TRACES = "it writes profiles for TensorBoard, while ProfilerHook wrote Chrome traces"


class Callbacks(NamedTuple):
    """Callbacks that replace hooks.

    Attributes:
      texts: Expressions of the callbacks in new code.
      saves: Whether one of them replaces the Estimator's own saving.
      problem: Reason why they may not do the same, or "" if they do.
      edits: Edits of the statements that make named hooks.
      hooks: Calls that make the hooks.
    """

    texts: tuple[str, ...] = ()
    saves: bool = False
    problem: str = ""
    edits: tuple[Edit, ...] = ()
    hooks: tuple[ast.expr, ...] = ()


def read(
    file: SourceFile,
    hooks: ast.expr | None,
    helpers: str,
    saves: Sequence[str],
    runs: bool = False,
) -> Callbacks | str:
    """Returns the callbacks for the hooks of a training, or the reason why there are none.

    Args:
      file: The file.
      hooks: Hooks that `train` takes.
      helpers: Name of the module with the callbacks.
      saves: The Estimator's own saving, as arguments of `SaveCheckpoints`.
      runs: Whether the module can run hooks as they are.
    """
    if hooks is None or bindings.is_always_none(file, hooks):
        return Callbacks()
    value, list_statement = _single_use_value(file, hooks)
    if not isinstance(value, (ast.List, ast.Tuple)):
        if runs:
            return Callbacks((_run(helpers, file.segment(hooks)),), problem=_RUN)
        return f"the hooks of train in line {hooks.lineno} are unknown, or have other uses"
    edits = [bridged_configs.removal(file, list_statement)] if list_statement is not None else []
    texts, kinds, calls, custom_hooks = [], set(), [], []
    for expression in value.elts:
        hook, statement = _single_use_value(file, expression)
        name = (file.name_of(hook.func) if isinstance(hook, ast.Call) else None) or ""
        kind = name.rpartition(".")[2]
        if kind in LOGS or kind in DEBUGGERS:
            edits += [bridged_configs.removal(file, statement)] if statement is not None else []
            kinds.add(kind)
            continue
        if runs and not kind:
            custom_hooks.append(file.segment(expression))
            continue
        if kind not in _PARAMETERS or not isinstance(hook, ast.Call):
            recipe = next((page for part, page in _RECIPES.items() if part in kind), _OWN)
            hook_name = kind or "a custom hook"
            return (
                f"train in line {hook.lineno} takes {hook_name}, which must become a callback: "
                f"python -m migrate recipes {recipe}"
            )
        args = arguments.bind(hook, _PARAMETERS[kind])
        if args is not None:
            # Here None differs from the default: it means to check by steps alone.
            secs = {key: args[key] for key in ("run_every_secs",) if key in args}
            args = estimator_uses.without_none(args) | secs
        if args is None or set(args) - set(_PARAMETERS[kind]):
            return f"{kind} in line {hook.lineno} has unsupported arguments"
        missing = [name for name in _required(kind) if name not in args]
        if missing:
            return f"{kind} in line {hook.lineno} lacks {missing[0]}"
        kinds.add(kind)
        calls.append(hook)
        text = _text(file, kind, args, helpers, saves)
        if statement is not None:
            edits += file.replacement(hook, text).edits
        texts.append(text if statement is None else file.segment(expression))
    problem = _problem(kinds)
    if custom_hooks:
        texts.append(_run(helpers, f"[{', '.join(custom_hooks)}]"))
        problem = "; ".join(filter(None, (problem, _RUN)))
    return Callbacks(tuple(texts), _SAVER in kinds, problem, tuple(edits), tuple(calls))


def _run(helpers: str, hooks: str) -> str:
    return f"*{helpers}.run_hooks({hooks})"


def _single_use_value(file: SourceFile, node: ast.expr) -> tuple[ast.expr, ast.stmt | None]:
    """Returns the value of a name that is read once, and the statement that binds it.

    Other expressions, and names with more uses, are returned unchanged with None.
    """
    if not isinstance(node, ast.Name):
        return node, None
    value = bindings.assigned_value(file, node)
    uses = [part for part in file.nodes if isinstance(part, ast.Name) and part.id == node.id]
    if value is None or len(uses) != 2 or file.function(value) is not file.function(node):
        return node, None
    statement = file.statement(value)
    return (value, statement) if estimator_uses.is_alone(file, statement) else (node, None)


def _problem(kinds: set[str]) -> str:
    if _PROFILER in kinds:
        return _TRACES
    dropped = [kind for kind in sorted(kinds) if kind in LOGS or kind in DEBUGGERS]
    return "; ".join(dict.fromkeys(SILENT.get(kind, LOGGED) for kind in dropped))


def _required(kind: str) -> tuple[str, ...]:
    """Returns the parameters of a hook that have no default."""
    if kind in _STOPS:
        return ("estimator", "metric_name", _STOPS[kind][0])
    return ("checkpoint_dir",) if kind == _SAVER else ()


def _text(
    file: SourceFile, kind: str, args: dict[str, ast.expr], helpers: str, saves: Sequence[str]
) -> str:
    texts = {key: file.segment(node) for key, node in args.items()}
    if kind == _SAVER:
        intervals = [f"{key}={texts[key]}" for key in ("save_steps", "save_secs") if key in texts]
        intervals += [option for option in saves if option.startswith("keep=")]
        return f"{helpers}.SaveCheckpoints({', '.join([texts['checkpoint_dir'], *intervals])})"
    if kind in _STOPS:
        second, callback = _STOPS[kind]
        parts = [texts[key] for key in ("metric_name", second) if key in texts]
        if texts.get("eval_dir", "").endswith(".eval_dir()"):
            del texts["eval_dir"]  # This is its default.
        parts += [f"{key}={texts[key]}" for key in _EARLY if key in texts]
        return f"{helpers}.{callback}({', '.join(parts)})"
    intervals = [f"{new}={texts[old]}" for old, new in _NAMES.items() if old in texts]
    return f"{helpers}.Profile({', '.join([texts.get('output_dir', repr('')), *intervals])})"
