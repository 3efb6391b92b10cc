"""Prepares a model_fn that is a method: its object gets a name that a Keras model can use.

draft = renamed(draft)
draft = without_state(draft, original)

In the Keras model, `self` is the model. So the object of the method becomes a parameter such as
`classifier`. Attributes that only the model_fn sets and reads become variables.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion import helpers, inlining
from migrate.rewrite.model_fns.expansion.draft import Draft, Line
from migrate.rewrite.model_fns.layers import naming
from migrate.rewrite.model_fns.rendering import Rendered

_CHANGING = frozenset(
    (
        *("add", "append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse"),
        *("setdefault", "sort", "update"),
    )
)


def renamed(draft: Draft) -> Draft:
    """Returns a copy in which the object of a method is not named `self`.

    Args:
      draft: The copy of the file. Other functions than methods stay.
    """
    owner = helpers.owner_of(draft)
    of_class = draft.file.parent(draft.function)
    if not owner or not isinstance(of_class, ast.ClassDef):
        return draft
    taken = inlining.names_of(draft) | {"features", "labels", "mode", "params"}
    wanted = naming.snake(of_class.name)
    while wanted in taken or naming.is_taken(wanted):
        wanted += "_"
    places = [
        draft.file.span(node)
        for node in ast.walk(draft.function)
        if isinstance(node, ast.Name) and node.id == owner
    ]
    start = draft.file.span(draft.function.args.args[0])[0]
    return draft.with_texts([*places, (start, start + len(owner))], wanted)


def without_state(draft: Draft, original: SourceFile) -> Draft:
    """Returns a copy in which variables hold the attributes that only the model_fn uses.

    Args:
      draft: The copy of the file.
      original: The file itself.

    Raises:
      NotUnderstood: The object has attributes that may change, or may do more than hold values.
    """
    owner = helpers.owner_of(draft)
    of_class = draft.file.parent(draft.function)
    if not owner or not isinstance(of_class, ast.ClassDef):
        return draft
    uses = [*_attributes(draft.function, owner)]
    for node in ast.walk(draft.function):
        if isinstance(node, ast.Name) and node.id == owner:
            _check_use(draft.file, node)
    stored = {one.attr for one in uses if not isinstance(one.ctx, ast.Load)}
    for name in sorted({one.attr for one in uses} - stored):
        _check_stable(draft, of_class, name)
    if not stored:
        return draft
    inside = {id(node) for function in _own(draft, original) for node in ast.walk(function)}
    for node in original.nodes:
        is_same = isinstance(node, ast.Attribute) and node.attr in stored
        if is_same and id(node) not in inside and not _is_initial(original, node):
            raise NotUnderstood(f"it sets an attribute that line {_line(node)} uses")
    return _with_variables(draft, owner, stored)


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _is_initial(file: SourceFile, node: ast.AST) -> bool:
    """Says whether `self.loss = None` only declares an attribute."""
    statement = file.parent(node)
    function = file.function(node)
    is_none = isinstance(statement, ast.Assign) and ast.unparse(statement.value) == "None"
    return is_none and isinstance(function, ast.FunctionDef) and function.name == "__init__"


def _attributes(statement: ast.stmt, owner: str) -> Iterator[ast.Attribute]:
    for node in ast.walk(statement):
        value = node.value if isinstance(node, ast.Attribute) else None
        if isinstance(node, ast.Attribute) and isinstance(value, ast.Name) and value.id == owner:
            yield node


def _check_use(file: SourceFile, node: ast.Name) -> None:
    """Refuses uses of an object other than to read and set its attributes."""
    child: ast.AST = node
    parent: ast.AST | None = file.parent(node)
    if not isinstance(parent, ast.Attribute):
        raise NotUnderstood(f"it uses {node.id} in line {node.lineno} as a whole")
    while isinstance(parent, (ast.Attribute, ast.Subscript)):
        child, parent = parent, file.parent(parent)
        if isinstance(parent, ast.Call) and parent.func is child:
            said = ast.unparse(child).replace(f"{node.id}.", "self.", 1)
            raise NotUnderstood(f"{said}() in line {node.lineno} may create variables")


def _check_stable(draft: Draft, of_class: ast.ClassDef, name: str) -> None:
    """Refuses an attribute that may change after the object is made."""
    if name in draft.file.plan.changed_elsewhere or "*" in draft.file.plan.changed_elsewhere:
        raise NotUnderstood(f"another file changes the attribute {name}")
    constants = [one for one in of_class.body if isinstance(one, ast.Assign)]
    is_constant = any(name in slices.replaces(one) for one in constants)
    stores = [
        node
        for node in draft.file.nodes
        if isinstance(node, ast.Attribute) and node.attr == name
        if not isinstance(node.ctx, ast.Load) and not _is_of_other_class(draft, of_class, node)
    ]
    makers = [one for one in of_class.body if getattr(one, "name", "") == "__init__"]
    first = {id(node) for maker in makers for node in ast.walk(maker)}
    if not stores and not is_constant:
        raise NotUnderstood(f"its attribute {name} is unknown")
    for node in stores:
        if id(node) not in first or is_constant:
            raise NotUnderstood(f"its attribute {name} changes in line {draft.origin(node.lineno)}")
    made = [
        one.lineno
        for maker in makers
        for one in ast.walk(maker)
        if isinstance(one, ast.Call) and _names_method(one, draft.function.name)
    ]
    if made and any(node.lineno > min(made) for node in stores):
        raise NotUnderstood(f"its attribute {name} is set after the Estimator is made")
    changes = next((one for one in draft.file.nodes if _changes(draft.file, one, name)), None)
    if changes is not None:
        raise NotUnderstood(f"its attribute {name} changes in line {_line(changes)}")


def _is_of_other_class(draft: Draft, of_class: ast.ClassDef, node: ast.Attribute) -> bool:
    """Says whether an attribute is that of `self` in a method of another class."""
    function = draft.file.function(node)
    around = draft.file.parent(function) if function is not None else None
    if not isinstance(around, ast.ClassDef) or around is of_class or function is None:
        return False
    own = function.args.args[0].arg if function.args.args else ""
    return isinstance(node.value, ast.Name) and node.value.id == own


def _names_method(call: ast.Call, name: str) -> bool:
    given = [*call.args, *(one.value for one in call.keywords)]
    return any(isinstance(one, ast.Attribute) and one.attr == name for one in given)


def _changes(file: SourceFile, node: ast.AST, name: str) -> bool:
    """Says whether a node is an attribute that a statement changes in place."""
    if not isinstance(node, ast.Attribute) or node.attr != name:
        return False
    parent = file.parent(node)
    if isinstance(parent, ast.Attribute) and parent.attr in _CHANGING:
        return isinstance(file.parent(parent), ast.Call)
    is_store = not isinstance(getattr(parent, "ctx", ast.Load()), ast.Load)
    return isinstance(parent, (ast.Attribute, ast.Subscript)) and is_store


def _own(draft: Draft, original: SourceFile) -> Iterator[ast.FunctionDef]:
    """Yields the model_fn and its helpers in the original file."""
    lines = {*draft.inlined, draft.origin(draft.function.lineno)}
    for node in original.nodes:
        if isinstance(node, ast.FunctionDef) and node.lineno in lines:
            yield node


def _with_variables(draft: Draft, owner: str, stored: set[str]) -> Draft:
    """Returns a copy in which variables take the place of attributes."""
    taken = inlining.names_of(draft)
    names = {one: inlining.free_name(one, taken) for one in sorted(stored)}
    rendered = Rendered(draft.file)
    for node in _attributes(draft.function, owner):
        if node.attr in names:
            rendered.replace(node, names[node.attr])
    changed: dict[ast.stmt, Sequence[Line]] = {}
    for statement in draft.function.body:
        if any(one.attr in names for one in _attributes(statement, owner)):
            indent = draft.file.indent(statement.lineno)
            text = rendered.statement(statement, indent)
            changed[statement] = draft.lines_of(statement, text)
    return draft.with_lines(changed)
