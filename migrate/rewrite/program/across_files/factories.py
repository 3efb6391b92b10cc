"""Decides about functions of one file that make the specs or configs of another.

    decide(drafts)

A rule may write out calls of these functions. For example, `task.py` calls `get_train_spec` of
`specs.py`.
"""

from __future__ import annotations

import re

from migrate.rewrite.engine.plan import OtherFunction
from migrate.rewrite.factories import factory
from migrate.rewrite.program.drafts import Drafts

_MAKES = re.compile(r"(Spec|RunConfig|Exporter|Estimator|Classifier|Regressor)\(")
_CLASSES = factory.PARTS | factory.ESTIMATORS
_ROUNDS = 2  # A function may return the result of another file's function.


def decide(drafts: Drafts) -> None:
    """Decides which functions of other files a file may write out.

    Args:
      drafts: The files. Gets the decisions.
    """
    for _ in range(_ROUNDS):
        functions = _functions(drafts)
        for path in drafts.facts:
            factories = _of_file(drafts, path, functions)
            if factories:
                drafts.decide(path, factories=factories)


def _functions(drafts: Drafts) -> dict[str, list[str]]:
    """Returns the names of the functions of each file."""
    functions = {}
    for path in drafts.facts:
        is_python = path.endswith(".py") and _MAKES.search(drafts.text(path))
        file = drafts.file(path) if is_python else None
        if file is not None:
            functions[path] = [node.name for node in factory.functions_of(file, _CLASSES)]
    return functions


def _of_file(
    drafts: Drafts, path: str, functions: dict[str, list[str]]
) -> dict[str, OtherFunction]:
    """Returns the functions of other files that a file uses, by its names for them.

    The code of a function may use other functions of its file, so these are included.
    """
    facts = drafts.facts[path]
    factories: dict[str, OtherFunction] = {}
    for name, (defining_path, function) in facts.defined_names.items():
        if function not in functions.get(defining_path, ()):
            continue
        is_direct = facts.imported_names[name] == (defining_path, function)
        siblings = functions[defining_path] if is_direct else [function]
        plan = drafts.plans[defining_path]
        for sibling in siblings:
            factories[name.removesuffix(function) + sibling] = OtherFunction(
                defining_path, drafts.text(defining_path), plan, sibling, is_direct
            )
        for other_name, other in plan.decisions.factories.items():
            if not other_name.startswith("@."):
                factories.setdefault(other_name, other)
    return factories
