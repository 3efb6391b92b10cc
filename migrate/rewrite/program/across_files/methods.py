"""Finds methods and attributes that give Estimators to other files.

    for function, users in methods.users(drafts, ["model.py"]):
        ...

They are found by their names. For example, `task.py` calls `job.create_estimator()`, and only the
class `Job` in `model.py` has such a method. Objects of other packages may have an attribute of the
same name, so its object must be made in the file that reads it.
"""

from __future__ import annotations

import ast
import collections
from collections.abc import Collection, Iterator

from migrate.rewrite.analysis import instances
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.plan import OF_OBJECT
from migrate.rewrite.engine.source_file import ESTIMATORS, Match, SourceFile
from migrate.rewrite.program.drafts import Drafts, Function, User

_OF_OBJECT = f"{ESTIMATORS}{OF_OBJECT[1:]}"
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
    """Yields the methods and attributes of files that other files use, with those other files.

    One is left out if another class of the program has one of that name, or if a file uses it by
    `getattr`, assigns it, or replaces it in a derived class.

    Args:
      drafts: The files.
      paths: Files with the classes.
    """
    counts: dict[frozenset[str], collections.Counter[str]] = {}
    for path in paths:
        facts = drafts.facts[path]
        group = [drafts.facts[other] for other in facts.together if other in drafts.facts]
        if facts.together not in counts:
            counts[facts.together] = collections.Counter(
                _name(member)
                for other in group
                for member in {*other.methods, *other.own_attributes}
            )
        for member in (*facts.methods, *facts.own_attributes):
            name = _name(member)
            if name in _COMMON or counts[facts.together][name] > 1:
                continue
            if any({name, "*"} & other.used_names for other in group):
                continue
            if {name, "*"} & facts.plan.changed_elsewhere:
                continue
            text = f"{OF_OBJECT}{name}" + ("()" if member in facts.methods else "")
            others = [
                User(other, text)
                for other in sorted(facts.together - {path})
                if other in drafts.facts and name in drafts.facts[other].used_attributes
            ]
            if others:
                yield Function(path, member), others


def problem_of_object(file: SourceFile, match: Match, function: Function) -> str:
    """Returns the reason why an attribute may not be that of a class, or "" if it is.

    Args:
      file: File that uses it.
      match: The attribute or method.
      function: The attribute or method of the class.
    """
    node, class_name = match.node, function.name.partition(".")[0]
    if not match.name.startswith(_OF_OBJECT) or match.name.endswith("()"):
        return ""
    values = _values(file, node.value) if isinstance(node, ast.Attribute) else []
    for value in values:
        name = file.imported_name_of(value.func) if isinstance(value, ast.Call) else ""
        if name.rpartition(".")[2] != class_name:
            return f"the class of {file.segment(node)} in line {node.lineno} is unknown"
    if not values or not isinstance(getattr(node, "ctx", None), ast.Load):
        return f"the class of {file.segment(node)} in line {node.lineno} is unknown"
    return ""


def _values(file: SourceFile, node: ast.expr) -> list[ast.expr | None]:
    """Returns the values of a name, or of an attribute of `self`. None stands for unknown ones."""
    if isinstance(node, ast.Name):
        return [bindings.value_of(file, binder) for binder in bindings.of_scope(file, node)]
    owner = instances.class_of(file, node.value) if isinstance(node, ast.Attribute) else None
    return [
        bindings.value_of(file, part)
        for part in file.nodes
        if isinstance(part, ast.Attribute) and isinstance(node, ast.Attribute)
        if part.attr == node.attr and not isinstance(part.ctx, ast.Load)
        if owner is not None and instances.class_of(file, part.value) in (owner, None)
    ]


def _name(member: str) -> str:
    return member.rpartition(".")[2]
