"""Decides about Experiments that one file makes and another file runs.

    decide(drafts, rules)

For example, `model.py` defines `make_experiment_fn()`, and `task.py` passes its result to
`learn_runner.run`. Both files change, or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from migrate.rewrite.analysis import experiment_flow
from migrate.rewrite.analysis.experiment_flow import Flow
from migrate.rewrite.engine.rule import Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.program.drafts import Drafts, Function, User

_RULE = "experiments"


def decide(drafts: Drafts, rules: Sequence[Rule], unsafe: bool) -> None:
    """Decides which functions run an Experiment for other files instead of returning it.

    The decisions that follow read the files as they are after that change, because the Estimator of
    an Experiment can then be followed.

    Args:
      drafts: The files. Gets the decisions and the changed texts.
      rules: Rules that will be applied.
      unsafe: Whether changes that may alter results will be made too.
    """
    rules = [rule for rule in rules if rule.name == _RULE]
    paths = [path for path in drafts.facts if _may_have_one(drafts.text(path))]
    if not rules or not unsafe or not paths:
        return
    for function, users in drafts.users.items():
        if function.path in paths:
            _decide_function(drafts, rules, function, users)
    importing = [path for path, plan in drafts.plans.items() if plan.decisions.imported_experiments]
    for path in dict.fromkeys([*paths, *importing]):
        text = drafts.rewritten(path, rules)
        if text is not None:
            drafts.replace_text(path, text)


def _may_have_one(text: str) -> bool:
    return "Experiment" in text or "learn_runner" in text


def _decide_function(
    drafts: Drafts, rules: Sequence[Rule], function: Function, users: Sequence[User]
) -> None:
    """Decides that a function runs an Experiment, if all files that use it can change too."""
    exported = {**drafts.plans[function.path].decisions.exported_experiments}
    exported[function.name] = experiment_flow.DEFAULT_METHOD
    file = drafts.file(function.path, exported_experiments=exported)
    flow = Flow(file) if file is not None else None
    if flow is None or not flow.experiments or function.name not in flow.exported_functions:
        return
    depth = flow.exported_functions[function.name]
    methods: set[str] = set()
    decisions: dict[str, dict[str, Any]] = {}
    for path, name in users:
        imported = {**drafts.plans[path].decisions.imported_experiments, name: depth}
        decisions[path] = {"imported_experiments": imported}
        user_file = drafts.file(path, **decisions[path])
        if user_file is not None:
            methods.add(Flow(user_file).method)
    exported[function.name] = methods.pop() if len(methods) == 1 else ""
    if not exported[function.name]:
        return
    decisions[function.path] = {"exported_experiments": exported}
    texts = {path: drafts.rewritten(path, rules, **decisions[path]) for path in decisions}
    if any(text is None or _has_experiments(path, text) for path, text in texts.items()):
        return
    for path, file_decisions in decisions.items():
        drafts.decide(path, **file_decisions)


def _has_experiments(path: str, text: str) -> bool:
    return _names(SourceFile(text, path)) != []


def _names(file: SourceFile) -> list[str]:
    return [match.name for match in file.names() if experiment_flow.is_of_experiments(match.name)]


def names_left(file: SourceFile) -> Iterator[str]:
    """Yields the names by which a file still makes or runs an Experiment of several files.

    Args:
      file: The file, under its plan.
    """
    decisions = file.plan.decisions
    if decisions.exported_experiments or decisions.imported_experiments:
        yield from dict.fromkeys(_names(file))
