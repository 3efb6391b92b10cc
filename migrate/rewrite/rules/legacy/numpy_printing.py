"""Keeps the printing of NumPy 1 where a program prints the results of an Estimator."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from migrate.rewrite.analysis import result_names
from migrate.rewrite.engine.rule import Change, Edit, Import, Rule
from migrate.rewrite.engine.source_file import SourceFile

_NUMPY = Import("numpy", "np")
_METHODS = frozenset(("evaluate", "predict", "train_and_evaluate"))
_COLLECTING = frozenset(("append", "extend", "insert"))
_DISPLAYS = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Tuple)
_KEEPING = ("np.", "numpy.", "round")  # These return numbers of NumPy.
_PRINTING = frozenset(("critical", "debug", "error", "format", "info", "print", "warning"))


def _find(file: SourceFile) -> Iterator[Change]:
    if not file.plan.program.is_old or "set_printoptions" in file.text:
        return
    results = result_names.of(file.nodes, _METHODS)
    results |= set(_collections(file.nodes, results))
    if not any(_prints(node, results) for node in file.nodes):
        return
    statement = _import_before(file.tree)
    if statement is None:
        return
    end = file.line_end(statement.end_lineno or statement.lineno)
    # NumPy 2 prints {"loss": np.float32(0.5)}.
    call = f'{file.module_name(_NUMPY)}.set_printoptions(legacy="1.25")'
    text = f"{file.newline}{call}  # Results print as {{'loss': 0.5}}."
    yield Change(statement.lineno, (Edit(end, end, text),), (_NUMPY,))


def _collections(nodes: Iterable[ast.AST], results: set[str]) -> Iterator[str]:
    """Yields the names of lists and dictionaries that collect numbers of results.

    For example, `losses` in `losses.append(results["loss"])`.
    """
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            targets: list[ast.expr] = [node.func.value] if node.func.attr in _COLLECTING else []
            values = node.args
        elif isinstance(node, ast.Assign):
            is_display = isinstance(node.value, _DISPLAYS)
            targets = [
                target.value if isinstance(target, ast.Subscript) else target
                for target in node.targets
                if isinstance(target, ast.Subscript) or is_display
            ]
            values = [node.value]
        else:
            continue
        if any(_has_number(value, results) for value in values):
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _has_number(value: ast.expr, results: set[str]) -> bool:
    """Says whether an expression is, or contains, a number of results, such as `row["loss"]`.

    Numbers that float() or another function of Python returns do not count, except round().
    """
    if isinstance(value, ast.Call) and ast.unparse(value.func).startswith(_KEEPING):
        return any(_has_number(argument, results) for argument in value.args)
    if isinstance(value, ast.Subscript):
        return _is_result(value.value, results)
    if isinstance(value, (ast.ListComp, ast.DictComp)):
        element = value.value if isinstance(value, ast.DictComp) else value.elt
        return _has_number(element, results)
    elements = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [])
    return _is_result(value, results) or any(_has_number(part, results) for part in elements)


def _is_result(value: ast.expr, results: set[str]) -> bool:
    return result_names.is_result(value, results, _METHODS)


def _prints(node: ast.AST, results: set[str]) -> bool:
    """Says whether a node prints or formats whole results. Single numbers print as before."""
    if isinstance(node, ast.Call):
        function = getattr(node.func, "attr", getattr(node.func, "id", ""))
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        return function in _PRINTING and any(_is_result(value, results) for value in values)
    if isinstance(node, ast.FormattedValue):
        return _is_result(node.value, results)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        text = node.left
        is_text = isinstance(text, ast.Constant) and isinstance(text.value, str)
        return is_text and _is_result(node.right, results)
    return False


def _import_before(tree: ast.Module) -> ast.stmt | None:
    """Returns the import after which NumPy is there: the last one at the start, or a later one.

    For example, `os.environ[...] = ...` may stand above the imports of NumPy and TensorFlow.
    """
    found, is_start = None, True
    missing = {"numpy", "tensorflow"}  # A new import of NumPy goes beside TensorFlow's.
    for statement in tree.body:
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            is_start = is_start and isinstance(statement, ast.Expr)
            continue
        names = [alias.name for alias in statement.names]
        if isinstance(statement, ast.ImportFrom):
            names = [statement.module or ""]
        packages = {name.partition(".")[0] for name in names}
        if is_start or packages & missing:
            found = statement
        missing -= packages
    return found


RULE = Rule(
    __name__,
    _find,
    message="Numbers in results print as in NumPy 1, because scripts parse such lines.",
    source="https://numpy.org/neps/nep-0051-scalar-representation.html",
    symbols=("numpy.set_printoptions",),
    recipe="custom_model_fn",
)
