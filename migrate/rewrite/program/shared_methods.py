"""Finds methods that return Estimators to other files.

    for function, users in shared_methods.users(drafts, ["model.py"]):
        ...

The class of an object is not known in another file, so a method is found by its name. For example,
`task.py` calls `job.create_estimator()`, and only the class `Job` in `model.py` has such a method.
"""

from __future__ import annotations

import collections
from collections.abc import Collection, Iterator

from migrate.rewrite.engine.plan import OF_OBJECT
from migrate.rewrite.program.drafts import Drafts, Function, User

# Names of methods that objects of other packages have too.
_COMMON = frozenset(
    (
        *(name for kind in (dict, list, object, set, str) for name in dir(kind)),
        *("apply", "build", "call", "close", "compile", "create", "evaluate", "export", "fit"),
        *("load", "make", "model", "next", "open", "parse", "predict", "read", "run", "save"),
        *("start", "train", "write"),
    )
)


def users(drafts: Drafts, paths: Collection[str]) -> Iterator[tuple[Function, list[User]]]:
    """Yields the methods of files that other files call, with those other files.

    A method is left out if another class of the program has one of that name, or if a file reads it
    by `getattr` or replaces it in a derived class.

    Args:
      drafts: The files.
      paths: Files with the methods.
    """
    counts: dict[frozenset[str], collections.Counter[str]] = {}
    for path in paths:
        facts = drafts.facts[path]
        group = [drafts.facts[other] for other in facts.together if other in drafts.facts]
        if facts.together not in counts:
            counts[facts.together] = collections.Counter(
                _name(method) for other in group for method in other.methods
            )
        for method in facts.methods:
            name = _name(method)
            if name in _COMMON or counts[facts.together][name] > 1:
                continue
            if any({name, "*"} & other.used_names for other in group):
                continue
            others = [
                User(other, f"{OF_OBJECT}{name}")
                for other in sorted(facts.together - {path})
                if other in drafts.facts and name in drafts.facts[other].used_attributes
            ]
            if others:
                yield Function(path, method), others


def _name(method: str) -> str:
    return method.rpartition(".")[2]
