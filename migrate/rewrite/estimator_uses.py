r"""An Estimator that a file makes, and all that is done with it, where the file says it all.

>>> from migrate.rewrite.source_file import SourceFile
>>> file = SourceFile(
...     "from legacy import estimator as tf_estimator\n"
...     "job = tf_estimator.Estimator(model_fn, 'model')\n"
...     "job.train(input_fn, steps=10)\n"
... )
>>> found = next(found for found in file.names() if found.name == "tf.estimator.Estimator")
>>> used = read(file, found.call)
>>> used.name, [(one.method, sorted(one.given)) for one in used.calls]
('job', [('train', ['input_fn', 'steps'])])
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from migrate.rewrite import arguments, bindings
from migrate.rewrite.source_file import SourceFile

METHODS = {
    "train": ("input_fn", "hooks", "steps", "max_steps", "saving_listeners"),
    "evaluate": ("input_fn", "steps", "hooks", "checkpoint_path", "name"),
    "predict": ("input_fn", "predict_keys", "hooks", "checkpoint_path", "yield_single_examples"),
    "export_saved_model": (
        "export_dir_base",
        "serving_input_receiver_fn",
        "assets_extra",
        "as_text",
        "checkpoint_path",
        "experimental_mode",
    ),
    "export_savedmodel": (
        "export_dir_base",
        "serving_input_receiver_fn",
        "assets_extra",
        "as_text",
        "checkpoint_path",
        "strip_default_attrs",
    ),
    "latest_checkpoint": (),
}


class MethodCall(NamedTuple):
    """A method called on an Estimator, or its `model_dir`.

    method: Its name.
    call: The call.
    given: Its arguments by the names of the parameters; those that are None left out.
    is_inner: Whether it stands in an argument of another.
    """

    method: str
    call: ast.expr
    given: dict[str, ast.expr]
    is_inner: bool = False


class Used(NamedTuple):
    """An Estimator with a name, and what is done with it.

    name: The name.
    statement: The one that makes it.
    call: The call that does.
    calls: All that is called on it, in order.
    """

    name: str
    statement: ast.Assign
    call: ast.Call
    calls: tuple[MethodCall, ...]


def read(file: SourceFile, call: ast.Call) -> Used | str:
    """Returns what is done with an Estimator.

    Args:
      file: The file.
      call: The call that makes it.

    Returns:
      What is done, or why that is not known.
    """
    statement = file.parent(call)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return "it is given no name of its own"
    (target,) = statement.targets
    if not isinstance(target, ast.Name):
        return "it is kept in something else than a name"
    name = target.id
    if not is_alone(file, statement):
        return "more stands on its line"
    if bindings.assigned(file, target) is not call:
        return f"{name} is bound more than once"
    calls = []
    for node in ast.walk(file.tree):
        if not isinstance(node, ast.Name) or node.id != name or node is target:
            continue
        if bindings.scope(file, node) is not bindings.scope(file, target):
            continue
        if not _is_same_scope(file, node, statement):
            return f"{name} is used in another function than it is made in"
        found = _method(file, node)
        if isinstance(found, str):
            return found
        calls.append(found)
    calls.sort(key=lambda one: file.span(one.call))
    for i, one in enumerate(calls):
        outer = next((other for other in calls[:i] if _is_in(file, one.call, other.call)), None)
        if outer is not None and (one.method, outer.method[:6]) != ("model_dir", "export"):
            return f"{name} is used in what it is given itself, in line {one.call.lineno}"
        calls[i] = one._replace(is_inner=outer is not None)
    return Used(name, statement, call, tuple(calls))


def _is_in(file: SourceFile, node: ast.AST, other: ast.AST) -> bool:
    return file.span(other)[0] <= file.span(node)[0] and file.span(node)[1] <= file.span(other)[1]


def _is_same_scope(file: SourceFile, node: ast.AST, other: ast.AST) -> bool:
    return file.function(node) is file.function(other)


def _method(file: SourceFile, node: ast.Name) -> MethodCall | str:
    """What is done with an Estimator's name where it stands, or why that is not known."""
    attribute = file.parent(node)
    if not isinstance(attribute, ast.Attribute):
        return f"{node.id} is passed on in line {node.lineno}, and more may be done with it"
    if attribute.attr == "model_dir" and isinstance(attribute.ctx, ast.Load):
        return MethodCall("model_dir", attribute, {})
    call = file.parent(attribute)
    if (
        attribute.attr not in METHODS
        or not isinstance(call, ast.Call)
        or call.func is not attribute
    ):
        return f"{node.id}.{attribute.attr} in line {node.lineno} has no like of a bridged model"
    given = arguments.bound(call, METHODS[attribute.attr])
    if given is None:
        return f"{node.id}.{attribute.attr} is given arguments by * or ** in line {node.lineno}"
    return MethodCall(attribute.attr, call, without_none(given))


def without_none(given: dict[str, ast.expr]) -> dict[str, ast.expr]:
    """Returns the arguments that are not None, which stands for what is not given."""
    return {
        name: value
        for name, value in given.items()
        if not (isinstance(value, ast.Constant) and value.value is None)
    }


def is_alone(file: SourceFile, statement: ast.stmt) -> bool:
    """Says whether nothing else but a comment stands on the lines of a statement."""
    start, end = file.span(statement)
    before = file.text[file.line_start(statement.lineno) : start]
    after = file.text[end : file.line_end(statement.end_lineno or statement.lineno)]
    return not before.strip() and not after.partition("#")[0].strip()


def is_in_loop(file: SourceFile, node: ast.AST | None) -> bool:
    """Says whether something is in a loop of its function."""
    while node is not None and not isinstance(node, (ast.FunctionDef, ast.Lambda)):
        if isinstance(node, (ast.For, ast.While, ast.ListComp)):
            return True
        node = file.parent(node)
    return False


def understood(calls: Sequence[MethodCall], taken: dict[str, frozenset[str]]) -> str:
    """Returns why calls cannot be carried over; "" where they can.

    Args:
      calls: The calls.
      taken: By method, the arguments that can be.
    """
    for one in calls:
        left = sorted(set(one.given) - taken.get(one.method, frozenset()))
        if left:
            return f"{one.method} is given {left[0]} in line {one.call.lineno}"
    return ""
