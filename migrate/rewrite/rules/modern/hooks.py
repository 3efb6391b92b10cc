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
from migrate.rewrite.estimators import hook_callbacks, shared_hooks

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
      element: The hook in the list: the call that creates it, or a name for it.
    """

    call: ast.Call
    function: str
    hooks: ast.List
    element: ast.expr

    def is_created_above(self, file: SourceFile, hook: ast.Call) -> bool:
        """Says whether the hook, or its list, is created above the call."""
        return self.element is not hook or file.statement(self.hooks) is not file.statement(
            self.call
        )


def _find(file: SourceFile) -> Iterator[Change]:
    for match in file.matches(RULE):
        is_callback = match.name.endswith(hook_callbacks.CALLBACKS)  # With its Estimator.
        place = _place(file, match.call) if match.call is not None and not is_callback else None
        name = match.name.rpartition(".")[2]
        if place is None and match.call is not None and name in hook_callbacks.LOGS:
            edits = shared_hooks.removal(file, match.call)
            if edits:
                yield Change(match.call.lineno, tuple(edits), (), _lost(name))
        if place is None or match.call is None:
            continue
        change = _change(file, match, match.call, place)
        yield file.suggestion(match.call, change) if isinstance(change, str) else change


def _place(file: SourceFile, hook: ast.Call) -> _Place | None:
    """Returns the place where a training takes a hook, or None if it is not in a known list."""
    element = _only_use(file, hook)
    hooks = file.parent(element)
    if not isinstance(hooks, ast.List):
        return None
    value = _only_use(file, hooks)
    call = file.parent(value)
    call = file.parent(call) if isinstance(call, ast.keyword) else call
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    args = _arguments(call)
    is_hooks_argument = args is not None and args.get("hooks") is value
    return _Place(call, call.func.attr, hooks, element) if is_hooks_argument else None


def _only_use(file: SourceFile, node: ast.expr) -> ast.expr:
    """Returns the only use of the name of an expression, or the expression if there is none."""
    uses = bindings.uses_of_value(file, node) or []
    is_local = len(uses) == 1 and file.function(uses[0]) is file.function(node)
    return uses[0] if is_local and estimator_uses.is_alone(file, file.statement(node)) else node


def _arguments(call: ast.Call) -> dict[str, ast.expr] | None:
    names = _POSITIONS.get(call.func.attr) if isinstance(call.func, ast.Attribute) else None
    return arguments.bind(call, names) if names else None


def _change(file: SourceFile, match: Match, hook: ast.Call, place: _Place) -> Change | str:
    """Returns the change of a training with a hook, or the reason why it stays."""
    name, call = match.name.rpartition(".")[2], place.call
    args = estimator_uses.without_none(_arguments(call) or {})
    editor = arguments.Arguments(file.segment(call))
    if args["hooks"] in call.args:
        # The removal of a positional argument would move those after it.
        editor.name_positional(_POSITIONS[place.function])
    edits = _removal_edits(file, hook, place, editor)
    if name in hook_callbacks.LOGS:
        edits = [*file.replacement(call, editor.code).edits, *edits]
        return Change(call.lineno, tuple(edits), (), _lost(name))
    limits = arguments.bind(hook, ("num_steps", "last_step"))
    limits = estimator_uses.without_none(limits or {})
    if len(limits) != 1:
        return "the step at which it stops is unknown"
    if {"steps", "max_steps"} & set(args):
        return "its training also has steps or max_steps"
    ((key, value),) = limits.items()
    if key == "num_steps" and place.function == "TrainSpec":
        return "num_steps counts from the start of this training, and max_steps from the first step"
    if place.is_created_above(file, hook) and not bridged_configs.is_simple(file, value):
        return "the step at which it stops may change before the training takes it"
    editor.set_value({"num_steps": "steps", "last_step": "max_steps"}[key], file.segment(value))
    unsafe = _ONE_MORE if key == "last_step" else ""
    return Change(call.lineno, (*file.replacement(call, editor.code).edits, *edits), (), unsafe)


def _lost(name: str) -> str:
    """Returns the reason why the output differs without a hook."""
    return hook_callbacks.SILENT.get(name, hook_callbacks.LOGGED)


def _removal_edits(
    file: SourceFile, hook: ast.Call, place: _Place, editor: arguments.Arguments
) -> list[Edit]:
    """Removes a hook from the list in its call, and returns the edits in other places."""
    other_hooks = [file.segment(value) for value in place.hooks.elts if value is not place.element]
    edits = []
    if place.element is not hook:
        edits.append(bridged_configs.removal(file, file.statement(hook)))
    if file.statement(place.hooks) is not file.statement(place.call):
        edits += file.replacement(place.hooks, f"[{', '.join(other_hooks)}]").edits
    elif other_hooks:
        editor.set_value("hooks", f"[{', '.join(other_hooks)}]")
    else:
        editor.remove("hooks")
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
