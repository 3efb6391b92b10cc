"""Hooks that only say when to stop, as arguments of train; those that only log go.

Those that save or profile become callbacks along with their Estimator: see `hook_callbacks`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.rewrite import arguments, estimator_uses, hook_callbacks
from migrate.rewrite.rule import Change, Example, Rule
from migrate.rewrite.source_file import Found, SourceFile

_STOP = "StopAtStepHook"
_POSITIONS = {
    "train": estimator_uses.METHODS["train"],
    "TrainSpec": ("input_fn", "max_steps", "hooks", "saving_listeners"),
}
_ONE_MORE = "where a checkpoint has reached the step already, the hook let one more step run"


def _find(file: SourceFile) -> Iterator[Change]:
    for found in file.found(RULE):
        call = _owner(file, found)
        is_carried = found.name.endswith(hook_callbacks.CALLBACKS)  # Along with its Estimator.
        if call is None or found.call is None or is_carried:
            continue
        change = _rewritten(file, found, found.call, call)
        yield file.suggested(found.call, change) if isinstance(change, str) else change


def _owner(file: SourceFile, found: Found) -> ast.Call | None:
    """The call of train, or of TrainSpec, that a hook is given to in a list."""
    hooks = file.parent(found.call) if found.call is not None else None
    if not isinstance(hooks, ast.List):
        return None
    call = file.parent(hooks)
    call = file.parent(call) if isinstance(call, ast.keyword) else call
    if not isinstance(call, ast.Call):
        return None
    given = _given(call)
    return call if given is not None and given.get("hooks") is hooks else None


def _given(call: ast.Call) -> dict[str, ast.expr] | None:
    names = _POSITIONS.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    return arguments.bound(call, names) if names else None


def _rewritten(file: SourceFile, found: Found, hook: ast.Call, call: ast.Call) -> Change | str:
    """The change of what a hook is given to, or why it is left as it is."""
    name = found.name.rpartition(".")[2]
    given = estimator_uses.without_none(_given(call) or {})
    hooks = given["hooks"]
    left = [one for one in getattr(hooks, "elts", ()) if one is not hook]
    edited = arguments.Arguments(file.segment(call))
    if hooks in call.args:
        edited.name_positional(_POSITIONS[call.func.attr])  # type: ignore[attr-defined]
    if left:
        edited.set_value("hooks", f"[{', '.join(map(file.segment, left))}]")
    else:
        edited.remove("hooks")
    if name in hook_callbacks.LOGS:
        return file.replaced(
            call, edited.code, unsafe=hook_callbacks.SILENT.get(name, hook_callbacks.LOGGED)
        )
    stops = arguments.bound(hook, ("num_steps", "last_step"))
    stops = estimator_uses.without_none(stops or {})
    if len(stops) != 1:
        return "when it stops is not seen here"
    if {"steps", "max_steps"} & set(given):
        return "it stops a training that has steps or max_steps besides"
    ((key, value),) = stops.items()
    if key == "num_steps" and call.func.attr == "TrainSpec":  # type: ignore[attr-defined]
        return "train_and_evaluate counts steps from the first training on"
    edited.set_value({"num_steps": "steps", "last_step": "max_steps"}[key], file.segment(value))
    return file.replaced(call, edited.code, unsafe=_ONE_MORE if key == "last_step" else "")


_JOB = (
    "from legacy import estimator as tf_estimator\n"
    "import tensorflow as tf\n"
    "v1 = tf.compat.v1\n"
    "def model_fn(features, labels, mode):\n"
    "    w = v1.get_variable('w', [], initializer=tf.ones_initializer())\n"
    "    loss = tf.reduce_mean((features['a'] * w - labels) ** 2)\n"
    "    step = v1.train.get_global_step()\n"
    "    train_op = v1.train.GradientDescentOptimizer(0.01).minimize(loss, step)\n"
    "    return tf_estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)\n"
    "def input_fn():\n"
    "    return tf.data.Dataset.from_tensors(({'a': [1., 2.]}, [2., 3.])).repeat(9)\n"
    "job = tf_estimator.Estimator(model_fn)\n"
)
_SEEN = "x = job.evaluate(input_fn, steps=1)\n"

RULE = Rule(
    __name__,
    _find,
    message="Hooks that stop a training are its steps or max_steps; those that only log go. "
    "Those that save or profile become callbacks, where Keras comes to train.",
    source="https://www.tensorflow.org/guide/migrate/logging_stop_hook",
    symbols=tuple(
        f"tf.{place}.{name}"
        for place in ("train", "estimator")
        for name in (_STOP, *sorted((*hook_callbacks.LOGS, *hook_callbacks.CALLBACKS)))
    ),
    recipe="logging_and_stop_hooks",
    examples=(
        Example(
            _JOB + "job.train(input_fn, hooks=[v1.train.StopAtStepHook(num_steps=2)])\n"
            "job.train(input_fn, [v1.train.StopAtStepHook(3)])\n" + _SEEN,
            _JOB + "job.train(input_fn, steps=2)\njob.train(input_fn=input_fn, steps=3)\n" + _SEEN,
            api="v2",
        ),
        Example(
            _JOB + "job.train(input_fn=input_fn, hooks=[v1.train.StopAtStepHook(last_step=4),\n"
            "    v1.train.StepCounterHook(every_n_steps=2)])\n" + _SEEN,
            _JOB + "job.train(input_fn=input_fn, max_steps=4)\n" + _SEEN,
            unsafe=True,
            api="v2",
        ),
    ),
    unchanged=(
        _JOB + "job.train(input_fn, hooks=[v1.train.StopAtStepHook(2)], steps=3)\nx = 1\n",
        _JOB + "hooks = [v1.train.StopAtStepHook(2)]\njob.train(input_fn, hooks=hooks)\nx = 1\n",
        _JOB + "def session(op):\n"
        "    hooks = [v1.train.StopAtStepHook(2)]\n"
        "    return v1.train.MonitoredSession(hooks=hooks)\nx = 1\n",
    ),
    safe=False,
)
