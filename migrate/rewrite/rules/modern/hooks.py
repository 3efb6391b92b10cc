"""Turns hooks that only stop a training into arguments of train, and removes hooks that only log.

Hooks that save or profile become callbacks together with their Estimator. See `hook_callbacks`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, estimator_uses
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import Match, SourceFile
from migrate.rewrite.estimators import hook_callbacks

_STOP = "StopAtStepHook"
_POSITIONS = {
    "train": estimator_uses.METHODS["train"],
    "TrainSpec": ("input_fn", "max_steps", "hooks", "saving_listeners"),
}
_ONE_MORE = "if a checkpoint had already reached the last step, the hook still ran one more step"


class _Place(NamedTuple):
    """The place where a training takes a hook.

    Attributes:
      call: Call of train, or of TrainSpec.
      function: "train" or "TrainSpec".
      hooks: List that contains the hook.
      element: The hook in the list: the call that makes it, or a name for it.
    """

    call: ast.Call
    function: str
    hooks: ast.List
    element: ast.expr

    def is_moved(self, file: SourceFile, hook: ast.Call) -> bool:
        """Says whether the hook, or its list, is made above the call."""
        return self.element is not hook or file.statement(self.hooks) is not file.statement(
            self.call
        )


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        is_carried = match.name.endswith(hook_callbacks.CALLBACKS)  # Together with its Estimator.
        place = _place(file, match.call) if match.call is not None and not is_carried else None
        if place is None or match.call is None:
            continue
        change = _rewritten(file, match, match.call, place)
        yield file.suggestion(match.call, change) if isinstance(change, str) else change


def _place(file: SourceFile, hook: ast.Call) -> _Place | None:
    """Returns the place where a training takes a hook. None if it is not in a known list."""
    element = _named(file, hook)
    hooks = file.parent(element)
    if not isinstance(hooks, ast.List):
        return None
    value = _named(file, hooks)
    call = file.parent(value)
    call = file.parent(call) if isinstance(call, ast.keyword) else call
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    args = _arguments(call)
    is_given = args is not None and args.get("hooks") is value
    return _Place(call, call.func.attr, hooks, element) if is_given else None


def _named(file: SourceFile, node: ast.expr) -> ast.expr:
    """Returns the one use of the name of an expression. The expression itself if there is none."""
    uses = bindings.uses_of_value(file, node) or []
    is_near = len(uses) == 1 and file.function(uses[0]) is file.function(node)
    return uses[0] if is_near and estimator_uses.is_alone(file, file.statement(node)) else node


def _arguments(call: ast.Call) -> dict[str, ast.expr] | None:
    names = _POSITIONS.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    return arguments.bind(call, names) if names else None


def _rewritten(file: SourceFile, match: Match, hook: ast.Call, place: _Place) -> Change | str:
    """Returns the change of a training with a hook, or the reason why it stays."""
    name, call = match.name.rpartition(".")[2], place.call
    args = estimator_uses.without_none(_arguments(call) or {})
    edited = arguments.Arguments(file.segment(call))
    if args["hooks"] in call.args:
        edited.name_positional(_POSITIONS[place.function])
    edits = _without(file, hook, place, edited)
    if name in hook_callbacks.LOGS:
        unsafe = hook_callbacks.SILENT.get(name, hook_callbacks.LOGGED)
        return Change(call.lineno, (*file.replacement(call, edited.code).edits, *edits), (), unsafe)
    stops = arguments.bind(hook, ("num_steps", "last_step"))
    stops = estimator_uses.without_none(stops or {})
    if len(stops) != 1:
        return "the step at which it stops is unknown"
    if {"steps", "max_steps"} & set(args):
        return "its training also has steps or max_steps"
    ((key, value),) = stops.items()
    if key == "num_steps" and place.function == "TrainSpec":
        return "num_steps counts from the start of this training, and max_steps from the first step"
    if place.is_moved(file, hook) and not bridged_configs.is_simple(file, value):
        return "the step at which it stops may change before the training takes it"
    edited.set_value({"num_steps": "steps", "last_step": "max_steps"}[key], file.segment(value))
    unsafe = _ONE_MORE if key == "last_step" else ""
    return Change(call.lineno, (*file.replacement(call, edited.code).edits, *edits), (), unsafe)


def _without(
    file: SourceFile, hook: ast.Call, place: _Place, edited: arguments.Arguments
) -> list[Edit]:
    """Removes a hook from its list, in the call or by edits of a list in another place."""
    left = [file.segment(value) for value in place.hooks.elts if value is not place.element]
    edits = []
    if place.element is not hook:
        edits.append(bridged_configs.removal(file, file.statement(hook)))
    if file.statement(place.hooks) is not file.statement(place.call):
        edits += file.replacement(place.hooks, f"[{', '.join(left)}]").edits
    elif left:
        edited.set_value("hooks", f"[{', '.join(left)}]")
    else:
        edited.remove("hooks")
    return edits


RULE = Rule(
    __name__,
    _find,
    message="Arguments of train replace hooks that stop it. Hooks that only log are removed. "
    "Hooks that save or profile become callbacks when Keras trains.",
    source="https://www.tensorflow.org/guide/migrate/logging_stop_hook",
    symbols=tuple(
        f"tf.{place}.{name}"
        for place in ("train", "estimator")
        for name in (_STOP, *sorted((*hook_callbacks.LOGS, *hook_callbacks.CALLBACKS)))
    ),
    recipe="logging_and_stop_hooks",
    safe=False,
)
