"""Prepares a model_fn that is a method for a Keras model, which has its own `self`.

draft = renamed(draft)
draft = without_state(draft, original)

The object of the method becomes a parameter such as `classifier`. Attributes that only the model_fn
sets and reads become variables.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.rewrite.analysis import mutations
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import helpers, inlining
from migrate.rewrite.model_fns.layers import naming
from migrate.rewrite.model_fns.rendering import Rendered


def renamed(draft: Draft) -> Draft:
    """Returns a copy in which the object of a method is not named `self`.

    Args:
      draft: The copy of the file. It is returned unchanged if the model_fn is not a method.
    """
    owner = helpers.owner_of(draft)
    of_class = draft.file.parent(draft.function)
    if not owner or not isinstance(of_class, ast.ClassDef):
        return draft
    used_names = inlining.names_of(draft) | {"features", "labels", "mode", "params"}
    name = naming.snake(of_class.name)
    while name in used_names or naming.is_taken(name):
        name += "_"
    places = [
        draft.file.span(node)
        for node in ast.walk(draft.function)
        if isinstance(node, ast.Name) and node.id == owner
    ]
    start = draft.file.span(draft.function.args.args[0])[0]
    return draft.with_texts([*places, (start, start + len(owner))], name)


@expansion
def without_state(draft: Draft, original: SourceFile) -> Draft:
    """Returns a copy in which variables hold the attributes that only the model_fn uses.

    Args:
      draft: The copy of the file.
      original: The original file.

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
    stored_names = {attribute.attr for attribute in uses if not isinstance(attribute.ctx, ast.Load)}
    for name in sorted({attribute.attr for attribute in uses} - stored_names):
        _check_stable(draft, of_class, name)
    if not stored_names:
        return draft
    own_ids = {
        id(node) for function in _own_functions(draft, original) for node in ast.walk(function)
    }
    for node in original.nodes:
        is_same = isinstance(node, ast.Attribute) and node.attr in stored_names
        if is_same and id(node) not in own_ids and not _is_initial(original, node):
            raise NotUnderstood(f"it sets an attribute that line {_line(node)} uses")
    return _with_variables(draft, owner, stored_names)


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
            text = ast.unparse(child).replace(f"{node.id}.", "self.", 1)
            raise NotUnderstood(f"{text}() in line {node.lineno} may create variables")


def _check_stable(draft: Draft, of_class: ast.ClassDef, name: str) -> None:
    """Refuses an attribute that may change after the object is made."""
    if name in draft.file.plan.changed_elsewhere or "*" in draft.file.plan.changed_elsewhere:
        raise NotUnderstood(f"another file changes the attribute {name}")
    constants = [statement for statement in of_class.body if isinstance(statement, ast.Assign)]
    is_constant = any(name in slices.replaces(constant) for constant in constants)
    stores = [
        node
        for node in draft.file.nodes
        if isinstance(node, ast.Attribute) and node.attr == name
        if not isinstance(node.ctx, ast.Load) and not _is_of_other_class(draft, of_class, node)
    ]
    makers = [
        statement for statement in of_class.body if getattr(statement, "name", "") == "__init__"
    ]
    initial_ids = {id(node) for maker in makers for node in ast.walk(maker)}
    if not stores and not is_constant:
        raise NotUnderstood(f"its attribute {name} is unknown")
    for node in stores:
        if id(node) not in initial_ids or is_constant:
            raise NotUnderstood(f"its attribute {name} changes in line {node.lineno}")
    call_lines = [
        node.lineno
        for maker in makers
        for node in ast.walk(maker)
        if isinstance(node, ast.Call) and _names_method(node, draft.function.name)
    ]
    if call_lines and any(node.lineno > min(call_lines) for node in stores):
        raise NotUnderstood(f"its attribute {name} is set after the Estimator is made")
    change = next((node for node in draft.file.nodes if _changes(draft.file, node, name)), None)
    if change is not None:
        raise NotUnderstood(f"its attribute {name} changes in line {_line(change)}")


def _is_of_other_class(draft: Draft, of_class: ast.ClassDef, node: ast.Attribute) -> bool:
    """Says whether an attribute belongs to `self` in a method of another class."""
    function = draft.file.function(node)
    parent = draft.file.parent(function) if function is not None else None
    if not isinstance(parent, ast.ClassDef) or parent is of_class or function is None:
        return False
    owner = function.args.args[0].arg if function.args.args else ""
    return isinstance(node.value, ast.Name) and node.value.id == owner


def _names_method(call: ast.Call, name: str) -> bool:
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(
        isinstance(argument, ast.Attribute) and argument.attr == name for argument in arguments
    )


def _changes(file: SourceFile, node: ast.AST, name: str) -> bool:
    """Says whether a node is an attribute that a statement changes in place."""
    if not isinstance(node, ast.Attribute) or node.attr != name:
        return False
    parent = file.parent(node)
    if isinstance(parent, ast.Attribute) and parent.attr in mutations.METHODS:
        return isinstance(file.parent(parent), ast.Call)
    is_store = not isinstance(getattr(parent, "ctx", ast.Load()), ast.Load)
    return isinstance(parent, (ast.Attribute, ast.Subscript)) and is_store


def _own_functions(draft: Draft, original: SourceFile) -> Iterator[ast.FunctionDef]:
    """Yields the model_fn and its helpers in the original file."""
    lines = {*draft.inlined, draft.origin(draft.function.lineno)}
    for node in original.nodes:
        if isinstance(node, ast.FunctionDef) and node.lineno in lines:
            yield node


def _with_variables(draft: Draft, owner: str, stored_names: set[str]) -> Draft:
    """Returns a copy in which variables replace attributes."""
    used_names = inlining.names_of(draft)
    names = {name: inlining.free_name(name, used_names) for name in sorted(stored_names)}
    rendered = Rendered(draft.file)
    for node in _attributes(draft.function, owner):
        if node.attr in names:
            rendered.replace(node, names[node.attr])
    new_lines: dict[ast.stmt, Sequence[Line]] = {}
    for statement in draft.function.body:
        if any(attribute.attr in names for attribute in _attributes(statement, owner)):
            indent = draft.file.indent(statement.lineno)
            text = rendered.statement(statement, indent)
            new_lines[statement] = draft.lines_of(statement, text)
    return draft.with_lines(new_lines)
