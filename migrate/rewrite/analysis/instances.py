r"""Finds the class of this file that an object is an instance of.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "class Job:\n    def run(self):\n        return self.model\n"
...     "job = Job()\nprint(job.model)\n"
... )
>>> nodes = [node for node in file.nodes if isinstance(node, ast.Attribute)]
>>> [class_of(file, node.value).name for node in nodes]
['Job', 'Job']

Classes of the file that inherit from each other are one family, because an attribute of one may be
set in a method of another. The first one stands for the family.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.mentions import Mentions
from migrate.rewrite.engine.source_file import SourceFile

PROPERTIES = ("property", "cached_property", "functools.cached_property")
_WITH_SELF = ("classmethod", *PROPERTIES)


def class_of(file: SourceFile, node: ast.expr) -> ast.ClassDef | None:
    """Returns the first class of the family that an object belongs to. None if it is unknown.

    Args:
      file: The file.
      node: The object, such as `self` or `job`, or the class itself, as in `Job.make()`.
    """
    return _class_of(file, node, frozenset())


def _class_of(
    file: SourceFile, node: ast.expr | None, followed: frozenset[str]
) -> ast.ClassDef | None:
    """Returns the class as `class_of` does, without following some names again.

    Args:
      file: The file.
      node: The object.
      followed: Arguments and attributes that lead to it.
    """
    owner = None
    if isinstance(node, ast.Name):
        value = bindings.assigned_value(file, node)
        owner = _class_of_self(file, node) or class_named(file, node)
        if owner is None and isinstance(value, ast.Call):
            owner = class_named(file, value.func)
        if owner is None and value is None and node.id not in followed:
            values = _arguments(file, node)
            owner = _common(file, values, followed | {node.id})
    elif isinstance(node, ast.Call):
        owner = class_named(file, node.func)
    elif isinstance(node, ast.Attribute) and node.attr not in followed:
        owner = _common(file, _assigned(file, node), followed | {node.attr})
    return family_of(file, owner) if owner is not None else None


def _common(
    file: SourceFile, values: Sequence[ast.expr | None], followed: frozenset[str]
) -> ast.ClassDef | None:
    """Returns the class of all values. None if they may have different ones."""
    owners = {_class_of(file, value, followed) for value in values}
    return owners.pop() if len(owners) == 1 else None


def _arguments(file: SourceFile, node: ast.Name) -> list[ast.expr | None]:
    """Returns the values that a parameter gets. [] if they are not all known."""
    function, nodes = bindings.scope(file, node), bindings.of_scope(file, node)
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return []
    if isinstance(file.parent(function), ast.ClassDef) or len(nodes) != 1:
        return []
    plan, scope = file.plan, file.function(function)
    used = plan.used_elsewhere
    is_public = plan.is_shared and scope is None
    if is_public and (used is None or {function.name, "*"} & used):
        return []  # Another file may call it with other objects.
    values: list[ast.expr | None] = []
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    for reference in file.nodes:
        if not isinstance(reference, ast.Name) or reference.id != function.name:
            continue
        if bindings.scope(file, reference) is scope:
            call = file.parent(reference)
            is_call = isinstance(call, ast.Call) and call.func is reference
            args = arguments.bind(call, names) if is_call and isinstance(call, ast.Call) else None
            values.append((args or {}).get(node.id))
    return values


def _assigned(file: SourceFile, node: ast.Attribute) -> list[ast.expr | None]:
    """Returns the values that are assigned to an attribute. [] if they are not all known."""
    if {node.attr, "*"} & file.plan.changed_elsewhere:
        return []
    stores = [
        part
        for part in file.nodes
        if isinstance(part, ast.Attribute) and part.attr == node.attr
        if not isinstance(part.ctx, ast.Load)
    ]
    return [bindings.value_of(file, part) for part in stores]


def family(file: SourceFile, owner: ast.ClassDef) -> Sequence[ast.ClassDef]:
    """Returns all classes of the family of a class."""
    return file.computed(_families)[owner]


def family_of(file: SourceFile, owner: ast.ClassDef) -> ast.ClassDef:
    """Returns the first class of the family of a class."""
    return file.computed(_families)[owner][0]


def class_named(file: SourceFile, node: ast.expr) -> ast.ClassDef | None:
    """Returns the class of this file that a name stands for. None for other expressions."""
    nodes = bindings.of_scope(file, node) if isinstance(node, ast.Name) else []
    return nodes[0] if len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef) else None


def methods(file: SourceFile, owner: ast.ClassDef, name: str) -> list[ast.FunctionDef]:
    """Returns the methods of a name in the family of a class.

    Args:
      file: The file.
      owner: A class of the family.
      name: Name of the methods.
    """
    return [
        statement
        for member in file.computed(_families)[owner]
        for statement in member.body
        if isinstance(statement, ast.FunctionDef) and statement.name == name
    ]


def is_derived_elsewhere(file: SourceFile, owner: ast.ClassDef) -> bool:
    """Says whether another file derives a class from a class of a family.

    Args:
      file: The file.
      owner: A class of the family.
    """
    family = file.computed(_families)[owner]
    return any(member.name in file.plan.changed_elsewhere for member in family)


def is_other_object(file: SourceFile, node: ast.Attribute) -> bool:
    """Says whether an attribute is that of a module or of flags, such as `tf.estimator`."""
    value: ast.expr = node
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, ast.Name) and value.id in file.computed(mentions).outside


def mentions(file: SourceFile) -> Mentions:
    """Returns the names of other files that a file uses."""
    return Mentions(file.tree, file.plan.local_modules.__contains__)


def _class_of_self(file: SourceFile, node: ast.expr) -> ast.ClassDef | None:
    """Returns the class in one of whose methods an expression is `self`."""
    method = file.function(node)
    while method is not None and not isinstance(file.parent(method), ast.ClassDef):
        method = file.function(method)
    if not isinstance(method, ast.FunctionDef) or not isinstance(node, ast.Name):
        return None
    owner = file.parent(method)
    is_self = bool(method.args.args) and method.args.args[0].arg == node.id
    decorators = [ast.unparse(decorator) for decorator in method.decorator_list]
    is_plain = is_self and all(
        text in _WITH_SELF or text.endswith(".setter") for text in decorators
    )
    return owner if is_plain and isinstance(owner, ast.ClassDef) else None


def _families(file: SourceFile) -> dict[ast.ClassDef, Sequence[ast.ClassDef]]:
    """Returns the family of each class, in the order of the file."""
    classes = [node for node in file.nodes if isinstance(node, ast.ClassDef)]
    families = {node: [node] for node in classes}
    for node in classes:
        for base in node.bases:
            bases = [other for other in classes if other.name == ast.unparse(base)]
            for other in bases:
                if families[other] is not families[node]:
                    merged = [*families[other], *families[node]]
                    families.update(dict.fromkeys(merged, merged))
    return {
        node: sorted(family, key=lambda member: member.lineno) for node, family in families.items()
    }
