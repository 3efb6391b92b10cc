"""Decides once per program how its files change, before any of them is rewritten.

    plan = ProgramPlan(facts, changeable=facts.keys(), rules=rules, unsafe=True)
    plan.files["task.py"].decisions.imported_models

Files that share a program are decided together. For example, if `model.py` defines the model_fn
that `task.py` trains, either both files change or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine.plan import FilePlan
from migrate.rewrite.engine.rule import Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.program.across_files import (
    builders,
    constants,
    estimators,
    experiments,
    factories,
    helpers,
    inputs,
    learn_estimators,
    model_fns,
    sessions,
    silent_functions,
)
from migrate.rewrite.program.drafts import Drafts
from migrate.rewrite.program.program_files import FileFacts
from migrate.rewrite.sessions import session_code

_HELPERS = ("as_estimator", "porting")


class ProgramPlan:
    """The decisions about files that share a program.

    Attributes:
      files: Plan for each file.
    """

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        changeable: Set[str],
        rules: Sequence[Rule],
        *,
        unsafe: bool,
    ) -> None:
        """Makes the decisions.

        Args:
          facts: Facts about each file.
          changeable: Files that may be changed. The others are only read.
          rules: Rules that will be applied.
          unsafe: Whether changes that may alter results will be made too.
        """
        drafts = Drafts(facts, changeable, rules)
        experiments.decide(drafts, rules, unsafe)
        learn_estimators.decide(drafts, rules, unsafe)
        factories.decide(drafts)
        silent_functions.decide(drafts)
        helpers.decide(drafts)
        with_sessions = sessions.decide(drafts)
        inputs.decide(drafts, unsafe)
        estimators.decide(drafts)
        model_fns.decide(drafts)
        constants.decide(drafts)
        builders.decide(drafts)
        _decide_behavior(drafts, unsafe, with_sessions)
        self.files: dict[str, FilePlan] = drafts.plans


def _decide_behavior(drafts: Drafts, unsafe: bool, with_sessions: Set[str]) -> None:
    """Decides which files belong to a program that trains by Keras.

    Another file of the program may disable behavior of TensorFlow 2 that Keras needs, or run
    sessions that need a graph.
    """
    disabling = {path for path, facts in drafts.facts.items() if facts.disables_v2}
    disabling |= with_sessions
    training = {
        path
        for path, facts in drafts.facts.items()
        if (facts.together & disabling) - {path} and _trains_keras(drafts, path, unsafe)
    }
    for path, facts in drafts.facts.items():
        if facts.together & training:
            drafts.decide(path, trains_keras=True)


def _trains_keras(drafts: Drafts, path: str, unsafe: bool) -> bool:
    """Says whether a file trains Keras models in place of Estimators, now or once it is changed."""
    file = drafts.file(path)
    if file is not None and bridged_configs.imports(file, _HELPERS):
        return True
    return any(
        change.replaced is not None and (unsafe or not change.unsafe)
        for change in drafts.changes(file)
    )


def problem_of(file: SourceFile) -> str:
    """Returns the reason why a rewritten file does not keep to its plan, or "" if it does.

    The other files were rewritten for that plan, so the program would fail.

    Args:
      file: The rewritten file, under its plan.
    """
    if file.plan.decisions.trains_keras:
        problem = session_code.problem(file)
        if problem or session_code.edits(file)[0]:
            return f"another file trains with Keras, but {problem or 'a session needs a graph'}"
    names = {
        *estimators.names_left(file),
        *model_fns.names_left(file),
        *builders.names_left(file),
    }
    if not names:
        left = ", ".join(experiments.names_left(file))
        return f"it still has {left}, and another file does not" if left else ""
    return (
        f"another file turns {', '.join(sorted(names))} into a Keras model, but this file cannot "
        "use one"
    )


def connected(facts: Mapping[str, FileFacts]) -> Iterator[list[str]]:
    """Yields groups of files that are decided together, because they share programs.

    Args:
      facts: Facts about each file.
    """
    remaining = dict.fromkeys(facts)
    places = {path: place for place, path in enumerate(facts)}
    while remaining:
        group = [next(iter(remaining))]
        del remaining[group[0]]
        for path in group:  # The group grows during the loop.
            neighbors = sorted(facts[path].together & remaining.keys(), key=places.__getitem__)
            for neighbor in neighbors:
                del remaining[neighbor]
            group += neighbors
        yield group
