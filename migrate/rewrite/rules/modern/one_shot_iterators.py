"""Returns the dataset itself from input functions, instead of the tensors of an iterator.

The iterator is a one-shot iterator, or one whose initializer only joins the table initializers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from migrate.rewrite.analysis import input_functions, modern_names
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.rendering import Rendered

_MAKES = "make_one_shot_iterator"
_MAKES_INITIALIZABLE = "make_initializable_iterator"
_GIVEN_AS = frozenset(
    ["input_fn", "train_input_fn", "eval_input_fn", "test_input_fn", "predict_input_fn"]
)
_TAKES = frozenset(["train", "evaluate", "predict", "TrainSpec", "EvalSpec", "Experiment"])
_OF_DICTIONARIES = frozenset(("get", "items", "keys", "pop", "update", "values"))
# Names that make or need state, which a function of a dataset does not have.
_STATEFUL = (
    *("tf.Variable", "tf.add_to_collection", "tf.contrib.lookup.", "tf.get_", "tf.layers."),
    *("tf.lookup.", "tf.random", "tf.summary.", "tf.train."),
)
_CALLED = "code other than an Estimator may call this function and expect tensors"


def _find(file: SourceFile) -> Iterator[Change]:
    seeds = modern_names.problem_of_seeds(file)
    for node in file.nodes:
        if isinstance(node, ast.FunctionDef):
            change = _returned(file, node) or _mapped(file, node)
            if change is None:
                continue
            if _is_for_tensors(file, node):
                yield Change(change.line, unsafe=_CALLED)
                continue
            unsafe = seeds if _is_for_estimators(file, node) else _CALLED
            yield change._replace(unsafe=unsafe)
        elif isinstance(node, ast.Lambda):
            dataset = _called(_called(node.body, "get_next"), _MAKES)
            if dataset is not None and "#" not in file.segment(node.body):
                unsafe = seeds if _is_given(file, node) else _CALLED
                yield file.replacement(node.body, file.segment(dataset), unsafe=unsafe)


def _is_for_tensors(file: SourceFile, function: ast.FunctionDef) -> bool:
    """Says whether a caller unpacks the result of a function, or may do so, as for a method."""
    if isinstance(file.parent(function), ast.ClassDef):
        return True
    if function.name in file.plan.decisions.unpacked_functions:
        return True
    calls = [
        file.parent(node)
        for node in file.nodes
        if isinstance(node, ast.Name) and node.id == function.name
    ]
    return any(
        isinstance(call, ast.Call) and input_functions.is_unpacked(file, call) for call in calls
    )


def _returned(file: SourceFile, function: ast.FunctionDef) -> Change | None:
    """Returns the change of a function that ends with the tensors of a dataset's iterator."""
    body, makes = _body(file, function)
    returned = body[-1]
    if not isinstance(returned, ast.Return) or returned.value is None:
        return None
    tail: list[ast.stmt] = [returned]
    value: ast.expr = returned.value
    before = body[:-1]
    if isinstance(value, ast.Tuple) and len(value.elts) == 2:
        # `features, None` has no labels, which features alone mean too.
        value = value.elts[0] if ast.unparse(value.elts[1]) == "None" else value
    if before and _assigns(before[-1], value):
        # features, labels = iterator.get_next(); return features, labels
        tail.insert(0, before[-1])
        value = before[-1].value
        before = before[:-1]
    iterator = _called(value, "get_next")
    if isinstance(iterator, ast.Name) and before and _assigns(before[-1], iterator):
        tail.insert(0, before[-1])
        iterator = before[-1].value
    dataset = _called(iterator, makes)
    if dataset is None or not _is_alone(file, function, tail):
        return None
    start, _ = file.span(tail[0])
    end = file.span(returned)[1]
    text = file.text[start:end]
    if "#" in text or len(tail) > 1 and any(c in text for c in (";", "\\")):
        return None
    return Change(tail[0].lineno, (Edit(start, end, f"return {file.segment(dataset)}"),))


def _body(file: SourceFile, function: ast.FunctionDef) -> tuple[list[ast.stmt], str]:
    """Returns the statements of a function, and the method that makes its iterator.

    A statement that adds the initializer of an iterator to the table initializers is left out.
    """
    added = [one for one in function.body if _adds_initializer(file, one)]
    body = [one for one in function.body if one not in added]
    if len(added) != 1 or not body or body[-1] is not function.body[-1]:
        return function.body, _MAKES
    return body, _MAKES_INITIALIZABLE


def _adds_initializer(file: SourceFile, statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or file.name_of(call.func) != "tf.add_to_collection":
        return False
    (key, value) = call.args if len(call.args) == 2 else (None, None)
    is_initializer = isinstance(value, ast.Attribute) and value.attr == "initializer"
    return is_initializer and file.name_of(key) == "tf.GraphKeys.TABLE_INITIALIZERS"


def _assigns(statement: ast.stmt, value: ast.expr) -> TypeGuard[ast.Assign]:
    """Says whether a statement assigns to the names that an expression then returns."""
    return (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and ast.unparse(statement.targets[0]).strip("()") == ast.unparse(value).strip("()")
    )


def _called(node: ast.expr | None, method: str) -> ast.expr | None:
    """Returns the object of a method call without arguments, or the argument of tf.data's maker."""
    if not isinstance(node, ast.Call) or node.keywords or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr != method:
        return None
    if len(node.args) == 1 and method in (_MAKES, _MAKES_INITIALIZABLE):
        return node.args[0]
    return node.func.value if not node.args else None


def _is_alone(file: SourceFile, function: ast.FunctionDef, tail: list[ast.stmt]) -> bool:
    """Says whether no inner function uses the names that the end of a function binds.

    Statements before the end may use these names for other values.
    """
    bound = set().union(*map(slices.bound, tail))
    inside = {id(part) for statement in tail for part in ast.walk(statement)}
    return not any(
        isinstance(part, ast.Name)
        and id(part) not in inside
        and part.id in bound
        and part.id not in _local(inner)
        for inner in ast.walk(function)
        if isinstance(inner, (ast.FunctionDef, ast.Lambda)) and inner is not function
        for part in ast.walk(inner)
    )


def _local(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Returns the names that have a meaning of their own in an inner function."""
    names = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    if isinstance(function, ast.FunctionDef):
        names |= slices.bound_inside(function)
    return names


def _mapped(file: SourceFile, function: ast.FunctionDef) -> Change | None:
    """Returns the change of a function that computes on the tensors of a dataset's iterator.

    The computation becomes a function for `Dataset.map`.
    """
    body, makes = _body(file, function)
    at = next((i for i, one in enumerate(body) if _gets_next(one)), -1)
    taken = body[at] if at >= 0 else None
    returned = body[-1]
    if not isinstance(taken, ast.Assign) or not isinstance(returned, ast.Return):
        return None
    iterator, first = _called(taken.value, "get_next"), at
    above = body[at - 1] if at else None
    if isinstance(iterator, ast.Name) and above is not None and _assigns(above, iterator):
        iterator, first = above.value, at - 1
    dataset = _called(iterator, makes)
    names = _element(taken.targets, body[at + 1 :])
    if dataset is None or not names or not _is_alone(file, function, body[first:]):
        return None
    rest = body[at + 1 :]
    bound = set().union(*map(slices.bound, rest))
    gone = set().union(*map(slices.bound, body[first : at + 1])) - {*names}
    if gone & set().union(*map(slices.read, rest)):
        return None  # It reads the iterator a second time.
    if any(_is_stateful(file, one) for one in rest) or slices.open_names(rest) & bound - {*names}:
        return None
    name = file.new_name("prepare", ("the map of", function), function)
    start, end = file.line_start(body[first].lineno), file.span(returned)[1]
    indent = file.indent(taken.lineno)
    rendered = Rendered(file)
    try:
        lines = [rendered.statement(one, indent + "    ") for one in rest]
    except NotUnderstood:
        return None
    made = f"{file.segment(dataset)}.map({name})"
    text = [f"{indent}def {name}({', '.join(names)}):", *lines, "", f"{indent}return {made}"]
    if first and body[first - 1].end_lineno == body[first].lineno - 1:
        text.insert(0, "")
    return Change(body[first].lineno, (Edit(start, end, file.newline.join(text)),))


def _gets_next(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Assign) else None
    return _called(value, "get_next") is not None


def _element(targets: list[ast.expr], body: list[ast.stmt]) -> list[str]:
    """Returns the parameters of a function that takes an element of the dataset, or [].

    `Dataset.map` passes the parts of a tuple as several arguments. So an element with one name must
    be a dictionary.
    """
    target = targets[0]
    if len(targets) > 1:
        return []
    if isinstance(target, ast.Tuple):
        names = [one.id for one in target.elts if isinstance(one, ast.Name)]
        return names if len(names) == len(target.elts) else []
    if not isinstance(target, ast.Name):
        return []
    uses = [
        part
        for statement in body
        for part in ast.walk(statement)
        if isinstance(part, (ast.Subscript, ast.Attribute)) and slices.base(part) == target.id
    ]
    keyed = [
        one
        for one in uses
        if isinstance(one, ast.Subscript)
        and isinstance(one.slice, ast.Constant)
        and isinstance(one.slice.value, str)
        or isinstance(one, ast.Attribute)
        and one.attr in _OF_DICTIONARIES
    ]
    return [target.id] if keyed and len(keyed) == len(uses) else []


def _is_stateful(file: SourceFile, statement: ast.stmt) -> bool:
    """Says whether a statement may need the graph of the Estimator, or returns no tensors."""
    if any(match.name.startswith(_STATEFUL) for match in checks.names_in(file, statement)):
        return True
    value = statement.value if isinstance(statement, ast.Return) else None
    is_pair = isinstance(value, ast.Tuple) and len(value.elts) == 2
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    returns_none = any(modern_names.is_constant(one, None) for one in parts if one is not None)
    has_inner = any(isinstance(one, ast.Return) for one in ast.walk(statement))
    if isinstance(statement, ast.Return):
        return value is None or returns_none or (isinstance(value, ast.Tuple) and not is_pair)
    return has_inner


def _is_for_estimators(file: SourceFile, function: ast.FunctionDef) -> bool:
    """Says whether this file passes a function to Estimators, and has no other use for it."""
    if not isinstance(file.parent(function), ast.Module):
        return False
    uses = [
        node
        for node in file.nodes
        if isinstance(node, ast.Name)
        and node.id == function.name
        and isinstance(node.ctx, ast.Load)
    ]
    return bool(uses) and all(_is_given(file, node) for node in uses)


def _is_given(file: SourceFile, node: ast.AST) -> bool:
    parent = file.parent(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        # lambda: input_fn(path, 10)
        node, parent = parent, file.parent(parent)
        if not isinstance(parent, ast.Lambda):
            return False
        node, parent = parent, file.parent(parent)
    if isinstance(parent, ast.keyword):
        return parent.arg in _GIVEN_AS
    if isinstance(parent, ast.Call) and parent.args and parent.args[0] is node:
        function = parent.func
        return isinstance(function, ast.Attribute) and function.attr in _TAKES
    return False


RULE = Rule(
    __name__,
    _find,
    message="An input_fn returns its dataset, because Estimators and Keras create the iterator.",
    source="https://www.tensorflow.org/guide/migrate/migrating_estimator",
    symbols=("tf.data.make_one_shot_iterator", "make_one_shot_iterator"),
    recipe="input_functions",
    safe=False,
)
