"""Writes out the functions that return the scope of an arg_scope.

draft = with_scopes(draft)

For example, `with slim.arg_scope(my_arg_scope(0.1)):` becomes the `with slim.arg_scope(...)`
statements of `my_arg_scope`, around the same body.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.expansion.cell_builders import CellValues
from migrate.rewrite.model_fns.expansion.contrib import argument_scopes
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import helpers
from migrate.rewrite.model_fns.expansion.functions.helpers import Helper
from migrate.rewrite.model_fns.rendering import Rendered

_MOST_CALLS = 30  # Ends the expansion of recursive functions.


@expansion
def with_scopes(draft: Draft) -> Draft:
    """Returns a copy of a file in which a model_fn has the scopes that its functions return.

    A call stays if its function does more than make scopes.

    Args:
      draft: The copy of the file.
    """
    if "arg_scope" not in draft.file.text:
        return draft
    for _ in range(_MOST_CALLS):
        written = next(_written(draft), None)
        if written is None:
            break
        draft = draft.with_lines(*written)
    return draft


def _written(
    draft: Draft,
) -> Iterator[tuple[Mapping[ast.stmt, Sequence[Line]], frozenset[int]]]:
    """Yields the lines that take the place of each statement with such a scope.

    The original line number of the function that returns the scope follows.
    """
    for statement in ast.walk(draft.function):
        if not isinstance(statement, ast.With):
            continue
        for i, item in enumerate(statement.items):
            result = _scopes(draft, item)
            if result is not None:
                items = [*map(ast.unparse, statement.items)]
                items[i : i + 1] = [ast.unparse(scope) for scope in result[0]]
                origin = draft.origin(result[1].lineno)
                yield {statement: _lines(draft, statement, items)}, frozenset((origin,))


def _lines(draft: Draft, statement: ast.With, items: Sequence[str]) -> list[Line]:
    """Returns the lines of nested `with` statements around the body of a statement."""
    lines: list[Line] = []
    indent, rendered = draft.file.indent(statement.lineno), Rendered(draft.file)
    for item in items:
        lines += draft.lines_of(statement, f"{indent}with {item}:")
        indent += "    "
    for child in statement.body:
        lines += draft.lines_of(child, rendered.statement(child, indent))
    return lines


def _scopes(draft: Draft, item: ast.withitem) -> tuple[list[ast.expr], ast.FunctionDef] | None:
    """Returns the scopes of a function whose result an arg_scope gets, and the function.

    Returns None for other items.
    """
    call = item.context_expr
    if not argument_scopes.is_scope(draft.file, call) or not isinstance(call, ast.Call):
        return None
    inner = call.args[0] if len(call.args) == 1 and not call.keywords else None
    helper = helpers.of_call(draft, inner) if isinstance(inner, ast.Call) else None
    if helper is None or helper.owner or item.optional_vars or not isinstance(inner, ast.Call):
        return None
    try:
        values = helpers.helper_arguments(helper, inner)
        scopes = _of_function(draft.file, helper.function, values)
    except NotUnderstood:
        return None
    return None if _is_shadowed(draft, helper) else (scopes, helper.function)


def _is_shadowed(draft: Draft, helper: Helper) -> bool:
    """Says whether a name of a function has another meaning in the model_fn."""
    function = helper.function
    arguments = {argument.arg for argument in function.args.args + function.args.kwonlyargs}
    free = set().union(*map(slices.read, function.body)) - slices.bound_inside(function) - arguments
    own = {argument.arg for argument in draft.function.args.args}
    return not helper.is_inner and bool(free & (slices.bound_inside(draft.function) | own))


def _of_function(
    file: SourceFile, function: ast.FunctionDef, values: Mapping[str, ast.expr]
) -> list[ast.expr]:
    """Returns the scopes in a function, the outermost first.

    Args:
      file: The file.
      function: A function that ends with `with slim.arg_scope(...) as scope: return scope`.
      values: Values of its parameters.

    Raises:
      NotUnderstood: The function has another form.
    """
    parameters, scopes, name = CellValues(values), [], ""
    body: Sequence[ast.stmt] = function.body[ast.get_docstring(function) is not None :]
    while True:
        *before, last = body
        parameters.follow(before)
        if not isinstance(last, ast.With):
            break
        for item in last.items:
            if not argument_scopes.is_scope(file, item.context_expr):
                raise NotUnderstood(f"{function.name}() has another scope")
            scopes.append(parameters.value(item.context_expr))
            name = ast.unparse(item.optional_vars) if item.optional_vars is not None else ""
        body = last.body
    value = last.value if isinstance(last, ast.Return) else None
    if not name or value is None or ast.unparse(value) != name or name in parameters.values:
        raise NotUnderstood(f"{function.name}() returns something else")
    return scopes
