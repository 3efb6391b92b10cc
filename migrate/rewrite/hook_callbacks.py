r"""Hooks that a training is given, as the callbacks that Keras has in their place.

>>> from migrate.rewrite.source_file import SourceFile
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

from migrate.rewrite import arguments, estimator_uses
from migrate.rewrite.source_file import SourceFile

_SAVER = "CheckpointSaverHook"
_PROFILER = "ProfilerHook"
CALLBACKS = (_SAVER, _PROFILER)
_PARAMETERS = {
    _SAVER: ("checkpoint_dir", "save_secs", "save_steps"),
    _PROFILER: ("save_steps", "save_secs", "output_dir"),
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
_TRACES = "what it writes is for TensorBoard's profiler; a ProfilerHook wrote Chrome traces"


class Callbacks(NamedTuple):
    """Callbacks that take the place of hooks.

    texts: Them, as new code has them.
    saves: Whether one of them saves in place of what an Estimator saves by itself.
    problem: Why they may not do the same; "" where they do.
    """

    texts: tuple[str, ...] = ()
    saves: bool = False
    problem: str = ""


def read(
    file: SourceFile, hooks: ast.expr | None, helpers: str, saves: Sequence[str]
) -> Callbacks | str:
    """Returns the callbacks for the hooks of a training, or why there are none.

    Args:
      file: The file.
      hooks: What `train` is given.
      helpers: The name of the module that has the callbacks.
      saves: How an Estimator saves by itself, as arguments of `SaveCheckpoints`.
    """
    if hooks is None:
        return Callbacks()
    if not isinstance(hooks, (ast.List, ast.Tuple)):
        return f"train is given hooks that are not seen in line {hooks.lineno}"
    texts, kinds = [], set()
    for hook in hooks.elts:
        name = (file.name_of(hook.func) if isinstance(hook, ast.Call) else None) or ""
        kind = name.rpartition(".")[2]
        if kind not in CALLBACKS or not isinstance(hook, ast.Call):
            recipe = next((found for part, found in _RECIPES.items() if part in kind), _OWN)
            what = kind or "a hook of its own"
            return (
                f"train is given {what} in line {hook.lineno}, which is to become a callback: "
                f"python -m migrate recipes {recipe}"
            )
        given = arguments.bound(hook, _PARAMETERS[kind])
        given = estimator_uses.without_none(given) if given is not None else None
        if given is None or set(given) - set(_PARAMETERS[kind]):
            return f"{kind} is given more than where and how often in line {hook.lineno}"
        kinds.add(kind)
        texts.append(_text(file, kind, given, helpers, saves))
    return Callbacks(tuple(texts), _SAVER in kinds, _TRACES if _PROFILER in kinds else "")


def _text(
    file: SourceFile, kind: str, given: dict[str, ast.expr], helpers: str, saves: Sequence[str]
) -> str:
    texts = {key: file.segment(node) for key, node in given.items()}
    if kind == _SAVER:
        often = [f"{key}={texts[key]}" for key in ("save_steps", "save_secs") if key in texts]
        often += [one for one in saves if one.startswith("keep=")]
        return f"{helpers}.SaveCheckpoints({', '.join([texts['checkpoint_dir'], *often])})"
    often = [f"{new}={texts[old]}" for old, new in _NAMES.items() if old in texts]
    return f"{helpers}.Profile({', '.join([texts.get('output_dir', repr('')), *often])})"


def is_about_evaluations(name: str | None) -> bool:
    """Says whether a hook, by its public name, looks at evaluations, or may do so.

    Args:
      name: The name; None for a hook of a program's own.
    """
    return name is None or ".stop_if_" in name or name.endswith(".make_early_stopping_hook")
