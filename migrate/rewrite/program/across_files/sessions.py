"""Decides whether Keras can train in a program whose files also run sessions.

    paths = sessions.decide(drafts)

An Estimator becomes a Keras model only if the session code of each file has a graph, or gets one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from migrate.rewrite.program.drafts import Drafts, Function
from migrate.rewrite.sessions import session_code

RULE = "session_graphs"
_SESSION = re.compile(r"Session\b|\bSupervisor\b|\bplaceholder\b")
_ROUNDS = 3  # Limit of functions that only call a function of another file.


def decide(drafts: Drafts) -> frozenset[str]:
    """Decides about the Estimators of files whose programs run sessions in other files.

    Args:
      drafts: The files. Gets the decisions.

    Returns:
      The files whose session code gets a graph.
    """
    using = {path for path in drafts.facts if _SESSION.search(drafts.text(path))}
    if not using:
        return frozenset()
    _decide_estimator_code(drafts, using)
    problems: dict[str, str] = {}
    changed: set[str] = set()
    for path in sorted(using):
        file = drafts.file(path)
        if file is None:
            continue
        problem = session_code.problem(file)
        if not problem and session_code.edits(file)[0]:
            changed.add(path)
            if not drafts.may_change(path, RULE):
                problem = f"a session needs a graph, and {RULE} may not change the file"
        if problem:
            problems[path] = f"{problem} in {os.path.basename(path)}"
    for path, facts in drafts.facts.items():
        others = sorted(facts.together - {path})
        problem = next((problems[other] for other in others if other in problems), "")
        has_changes = not changed.isdisjoint(others)
        if problem or has_changes:
            drafts.decide(path, sessions_elsewhere=problem, changes_sessions=has_changes)
    return frozenset(changed)


def _decide_estimator_code(drafts: Drafts, using: set[str]) -> None:
    """Decides which functions of other files make or use Estimators, for files with sessions."""
    paths = [*sorted(using)]
    for path in paths:  # The list grows during the loop.
        places = drafts.facts[path].defined_names.values()
        paths += {other for other, _ in places if other in drafts.facts} - {*paths}
    for _ in range(_ROUNDS):
        functions = {path: _functions(drafts, path) for path in paths}
        for path in paths:
            names = _names_of(drafts.facts[path].defined_names, functions)
            drafts.decide(path, estimator_code=names)


def _functions(drafts: Drafts, path: str) -> frozenset[str]:
    file = drafts.file(path)
    return session_code.estimator_functions(file) if file is not None else frozenset()


def _names_of(
    places: Mapping[str, tuple[str, str]], functions: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    """Returns the names in a file of functions that make or use Estimators.

    Args:
      places: File and name there of each name of another file.
      functions: Names of such functions in each file.
    """
    defined = {name: Function(*place) for name, place in places.items()}
    return frozenset(
        name for name, place in defined.items() if place.name in functions.get(place.path, ())
    )
