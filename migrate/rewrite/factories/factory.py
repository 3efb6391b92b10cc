r"""Finds functions that make a spec, a config, an exporter or an Estimator from their arguments.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "from legacy import estimator as e\n"
...     "def get_spec(steps):\n"
...     "    return e.TrainSpec(input_fn, max_steps=steps)\n"
...     "spec = get_spec(10)\n"
... )
>>> factory = of_call(file, file.tree.body[-1].value, PARTS)
>>> factory.function.name
'get_spec'
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from migrate.rewrite.analysis import estimator_classes, input_functions, other_functions
from migrate.rewrite.analysis.other_functions import Definition
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import SourceFile

# The classes whose arguments the rules for Estimators read.
PARTS = frozenset(
    (
        "tf.contrib.tpu.RunConfig",
        "tf.estimator.BestExporter",
        "tf.estimator.EvalSpec",
        "tf.estimator.FinalExporter",
        "tf.estimator.LatestExporter",
        "tf.estimator.RunConfig",
        "tf.estimator.TrainSpec",
        "tf.estimator.tpu.RunConfig",
    )
)
# Estimators of a model_fn. Only functions that take the model_fn as an argument count.
ESTIMATORS = frozenset(estimator_classes.WITH_MODEL_FN)
_MAX_DEPTH = 4  # Limit of functions that only return the result of another one.


def of_call(file: SourceFile, call: ast.Call, classes: Collection[str]) -> Definition | None:
    """Returns the function that a call runs, if it makes objects of some classes.

    Args:
      file: The file.
      call: The call.
      classes: Names of the classes.
    """
    factory = _function_of(file, call)
    if factory is None or not _makes(factory.file, factory.function, classes, 0):
        return None
    return factory


def functions_of(file: SourceFile, classes: Collection[str]) -> Iterator[ast.FunctionDef]:
    """Yields the functions of a file that make objects of some classes.

    Args:
      file: The file.
      classes: Names of the classes.
    """
    for node in file.tree.body:
        is_plain = isinstance(node, ast.FunctionDef) and not node.decorator_list
        if isinstance(node, ast.FunctionDef) and is_plain and _makes(file, node, classes, 0):
            yield node


def _function_of(file: SourceFile, call: ast.Call) -> Definition | None:
    """Returns the function of the program that a call runs. None for other functions."""
    other = file.plan.decisions.factories.get(file.imported_name_of(call.func))
    if other is not None:
        return other_functions.definition(file, file.imported_name_of(call.func), other)
    if not isinstance(call.func, ast.Name) or bindings.is_rebound_indirectly(file, call.func):
        return None
    bound = bindings.of_scope(file, call.func)
    if len(bound) != 1 or not isinstance(bound[0], ast.FunctionDef):
        return None
    function = bound[0]
    if function.decorator_list or file.parent(function) is not file.tree:
        return None
    return Definition(file, function)


def _makes(
    file: SourceFile, function: ast.FunctionDef, classes: Collection[str], depth: int
) -> bool:
    """Says whether a function returns a call of some classes, perhaps through other functions."""
    answers = file.computed(_no_answers)
    key = function, frozenset(classes)
    if key not in answers:
        answers[key] = depth <= _MAX_DEPTH and _returns(file, function, classes, depth)
    return answers[key]


def _no_answers(
    file: SourceFile,
) -> dict[tuple[ast.FunctionDef, frozenset[str]], bool]:
    """Returns an empty table of answers, which `_makes` fills."""
    return {}


def _returns(
    file: SourceFile, function: ast.FunctionDef, classes: Collection[str], depth: int
) -> bool:
    for statement in input_functions.returns(function):
        for value in _values(function, statement.value):
            if not isinstance(value, ast.Call):
                continue
            name = file.name_of(value.func)
            if name in classes and (name not in ESTIMATORS or _takes_model_fn(function, value)):
                return True
            inner = _function_of(file, value)
            if inner is not None and _makes(inner.file, inner.function, classes, depth + 1):
                return True
    return False


def _takes_model_fn(function: ast.FunctionDef, call: ast.Call) -> bool:
    """Says whether the model_fn of an Estimator is an argument of the function that makes it.

    Otherwise the function is rewritten itself, with all its callers.
    """
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    model_fn = call.args[0] if call.args else keywords.get("model_fn")
    parameters = {
        argument.arg for argument in ast.walk(function.args) if isinstance(argument, ast.arg)
    }
    return isinstance(model_fn, ast.Name) and model_fn.id in parameters


def _values(function: ast.FunctionDef, node: ast.expr | None) -> list[ast.expr]:
    """Returns the values that an expression may be: those assigned to it, if it is a name."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return [value for element in node.elts for value in _values(function, element)]
    if not isinstance(node, ast.Name):
        return [node] if node is not None else []
    return [
        statement.value
        for statement in ast.walk(function)
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name) and target.id == node.id
    ]
