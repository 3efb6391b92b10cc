"""Returns the dataset itself from input functions, instead of the tensors of an iterator.

The iterator is a one-shot iterator, or one whose initializer only joins the table initializers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine.rule import Change, Edit, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.names import modern_names

_ONE_SHOT = "make_one_shot_iterator"
_INITIALIZABLE = "make_initializable_iterator"
_INPUT_FN_PARAMETERS = frozenset(
    ["input_fn", "train_input_fn", "eval_input_fn", "test_input_fn", "predict_input_fn"]
)
_CONSUMERS = frozenset(["train", "evaluate", "predict", "TrainSpec", "EvalSpec", "Experiment"])
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
            change = _direct_change(file, node) or _map_change(file, node)
            if change is None:
                continue
            if _may_be_unpacked(file, node):
                yield Change(change.line, unsafe=_CALLED)
                continue
            called = "" if _is_for_estimators(file, node) else _CALLED
            unsafe = "; ".join(filter(None, (called, seeds)))
            yield change._replace(unsafe=unsafe)
        elif isinstance(node, ast.Lambda):
            dataset = _receiver(_receiver(node.body, "get_next"), _ONE_SHOT)
            if dataset is not None and "#" not in file.segment(node.body):
                called = "" if _is_passed_as_input_fn(file, node) else _CALLED
                unsafe = "; ".join(filter(None, (called, seeds)))
                yield file.replacement(node.body, file.segment(dataset), unsafe=unsafe)


def _may_be_unpacked(file: SourceFile, function: ast.FunctionDef) -> bool:
    """Says whether a caller may unpack the result of a function. Callers of a method always may."""
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


def _direct_change(file: SourceFile, function: ast.FunctionDef) -> Change | None:
    """Returns the change of a function that returns the tensors of an iterator, or None."""
    body, method = _body(file, function)
    return_statement = body[-1]
    if not isinstance(return_statement, ast.Return) or return_statement.value is None:
        return None
    tail: list[ast.stmt] = [return_statement]
    value: ast.expr = return_statement.value
    statements = body[:-1]
    if isinstance(value, ast.Tuple) and len(value.elts) == 2:
        # `features, None` means the same as `features`: no labels.
        value = value.elts[0] if ast.unparse(value.elts[1]) == "None" else value
    if statements and _assigns(statements[-1], value):
        # features, labels = iterator.get_next(); return features, labels
        tail.insert(0, statements[-1])
        value = statements[-1].value
        statements = statements[:-1]
    iterator = _receiver(value, "get_next")
    if isinstance(iterator, ast.Name) and statements and _assigns(statements[-1], iterator):
        tail.insert(0, statements[-1])
        iterator = statements[-1].value
    dataset = _receiver(iterator, method)
    if dataset is None or not _is_self_contained(file, function, tail):
        return None
    start, _ = file.span(tail[0])
    end = file.span(return_statement)[1]
    text = file.text[start:end]
    # The edit would delete comments, and statements that share a line.
    if "#" in text or len(tail) > 1 and any(c in text for c in (";", "\\")):
        return None
    return Change(tail[0].lineno, (Edit(start, end, f"return {_one_expression(file, dataset)}"),))


def _one_expression(file: SourceFile, node: ast.expr) -> str:
    """Returns the text of an expression, in the parentheses that its line breaks need."""
    text = file.segment(node)
    try:
        ast.parse(text)
    except SyntaxError:
        return f"({text})"
    return text


def _body(file: SourceFile, function: ast.FunctionDef) -> tuple[list[ast.stmt], str]:
    """Returns the statements of a function, and the method that creates its iterator.

    The statements do not include one that adds the initializer of an iterator to the table
    initializers.
    """
    initializations = [
        statement for statement in function.body if _adds_initializer(file, statement)
    ]
    body = [statement for statement in function.body if statement not in initializations]
    if len(initializations) != 1 or not body or body[-1] is not function.body[-1]:
        return function.body, _ONE_SHOT
    return body, _INITIALIZABLE


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


def _receiver(node: ast.expr | None, method: str) -> ast.expr | None:
    """Returns the object whose method is called without arguments, or None.

    For `tf.data.make_one_shot_iterator(dataset)`, returns the dataset.
    """
    if not isinstance(node, ast.Call) or node.keywords or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr != method:
        return None
    if len(node.args) == 1 and method in (_ONE_SHOT, _INITIALIZABLE):
        return node.args[0]
    return node.func.value if not node.args else None


def _is_self_contained(file: SourceFile, function: ast.FunctionDef, tail: list[ast.stmt]) -> bool:
    """Says whether no inner function uses the names that the end of a function binds.

    Statements before the end may use these names for other values.
    """
    names = set().union(*map(slices.bound, tail))
    tail_ids = {id(part) for statement in tail for part in ast.walk(statement)}
    return not any(
        isinstance(part, ast.Name)
        and id(part) not in tail_ids
        and part.id in names
        and part.id not in _local_names(inner)
        for inner in ast.walk(function)
        if isinstance(inner, (ast.FunctionDef, ast.Lambda)) and inner is not function
        for part in ast.walk(inner)
    )


def _local_names(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Returns the names that an inner function binds."""
    names = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    if isinstance(function, ast.FunctionDef):
        names |= slices.bound_inside(function)
    return names


def _map_change(file: SourceFile, function: ast.FunctionDef) -> Change | None:
    """Returns the change of a function that transforms the tensors of an iterator, or None.

    The computation becomes a function for `Dataset.map`.
    """
    body, method = _body(file, function)
    index = next((i for i, statement in enumerate(body) if _gets_next(statement)), -1)
    assignment = body[index] if index >= 0 else None
    return_statement = body[-1]
    if not isinstance(assignment, ast.Assign) or not isinstance(return_statement, ast.Return):
        return None
    iterator, first = _receiver(assignment.value, "get_next"), index
    previous_statement = body[index - 1] if index else None
    if (
        isinstance(iterator, ast.Name)
        and previous_statement is not None
        and _assigns(previous_statement, iterator)
    ):
        iterator, first = previous_statement.value, index - 1
    dataset = _receiver(iterator, method)
    names = _element_names(assignment.targets, body[index + 1 :])
    if dataset is None or not names or not _is_self_contained(file, function, body[first:]):
        return None
    rest = body[index + 1 :]
    targets = set().union(*map(slices.bound, rest))
    removed_names = set().union(*map(slices.bound, body[first : index + 1])) - {*names}
    if removed_names & set().union(*map(slices.read, rest)):
        return None  # The rest reads the iterator, or another name that would be removed.
    # In the new function, a name that is read and then assigned would be unbound.
    if any(_has_state(file, part) for part in rest) or slices.open_names(rest) & targets - {*names}:
        return None
    name = file.new_name("prepare", ("the map of", function), function)
    start, end = file.line_start(body[first].lineno), file.span(return_statement)[1]
    indent = file.indent(assignment.lineno)
    renderer = Rendered(file)
    try:
        lines = [renderer.statement(statement, indent + "    ") for statement in rest]
    except NotUnderstood:
        return None
    map_call = f"{_one_expression(file, dataset)}.map({name})"
    text = [f"{indent}def {name}({', '.join(names)}):", *lines, "", f"{indent}return {map_call}"]
    if first and body[first - 1].end_lineno == body[first].lineno - 1:
        text.insert(0, "")
    return Change(body[first].lineno, (Edit(start, end, file.newline.join(text)),))


def _gets_next(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Assign) else None
    return _receiver(value, "get_next") is not None


def _element_names(targets: list[ast.expr], body: list[ast.stmt]) -> list[str]:
    """Returns the parameters of a function that takes an element of the dataset, or [].

    `Dataset.map` passes the parts of a tuple as several arguments. So an element with one name must
    be a dictionary.
    """
    target = targets[0]
    if len(targets) > 1:
        return []
    if isinstance(target, ast.Tuple):
        names = [node.id for node in target.elts if isinstance(node, ast.Name)]
        return names if len(names) == len(target.elts) else []
    if not isinstance(target, ast.Name):
        return []
    uses = [
        part
        for statement in body
        for part in ast.walk(statement)
        if isinstance(part, (ast.Subscript, ast.Attribute)) and slices.base(part) == target.id
    ]
    key_uses = [
        node
        for node in uses
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
        or isinstance(node, ast.Attribute)
        and node.attr in _OF_DICTIONARIES
    ]
    return [target.id] if key_uses and len(key_uses) == len(uses) else []


def _has_state(file: SourceFile, statement: ast.stmt) -> bool:
    """Says whether a statement may need the graph of the Estimator, or returns no tensors."""
    if any(match.name.startswith(_STATEFUL) for match in checks.names_in(file, statement)):
        return True
    value = statement.value if isinstance(statement, ast.Return) else None
    is_pair = isinstance(value, ast.Tuple) and len(value.elts) == 2
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    returns_none = any(modern_names.is_constant(part, None) for part in parts if part is not None)
    has_return = any(isinstance(part, ast.Return) for part in ast.walk(statement))
    if isinstance(statement, ast.Return):
        return value is None or returns_none or (isinstance(value, ast.Tuple) and not is_pair)
    return has_return


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
    return bool(uses) and all(_is_passed_as_input_fn(file, node) for node in uses)


def _is_passed_as_input_fn(file: SourceFile, node: ast.AST) -> bool:
    parent = file.parent(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        # lambda: input_fn(path, 10)
        node, parent = parent, file.parent(parent)
        if not isinstance(parent, ast.Lambda):
            return False
        node, parent = parent, file.parent(parent)
    if isinstance(parent, ast.keyword):
        return parent.arg in _INPUT_FN_PARAMETERS
    if isinstance(parent, ast.Call) and parent.args and parent.args[0] is node:
        function = parent.func
        return isinstance(function, ast.Attribute) and function.attr in _CONSUMERS
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
