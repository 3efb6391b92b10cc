r"""Finds calls of input functions by which a program looks at its data before a training.

    features, target = input_fn("")
    print(list(features))

The call makes tensors, and no session runs them. Outside of a graph, TensorFlow 2 would read data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.source_file import Match, SourceFile

_SUFFIX = "input_fn"


class InspectedInput(NamedTuple):
    """A statement that calls an input function for its tensors.

    Attributes:
      match: Name of the input function.
      statement: The statement.
      reason: Reason why it cannot get a graph of its own, or "" if it can.
    """

    match: Match
    statement: ast.stmt
    reason: str


def read(file: SourceFile) -> Iterator[InspectedInput]:
    """Yields the statements of a file, outside of functions, that unpack such tensors.

    Args:
      file: The file.
    """
    for statement in file.nodes:
        call = statement.value if isinstance(statement, ast.Assign) else None
        if not isinstance(statement, ast.Assign) or not isinstance(call, ast.Call):
            continue
        is_unpacked = file.function(call) is None and input_functions.is_unpacked(file, call)
        if is_unpacked and _returns_tensors(file, call):
            name = ast.unparse(call.func)
            match = Match(name, name, call.func, call, guarded=False)
            yield InspectedInput(match, statement, _reason(file, statement))


def _returns_tensors(file: SourceFile, call: ast.Call) -> bool:
    function = input_functions.function_of(file, call.func)
    if isinstance(function, ast.FunctionDef):
        return input_functions.reads_iterator(file, function)
    # A function of another file, or a method of an object from there.
    last = ast.unparse(call.func).rpartition(".")[2]
    return last.endswith(_SUFFIX) and bool(file.plan.decisions.tensors_elsewhere)


def _reason(file: SourceFile, statement: ast.Assign) -> str:
    """Returns the reason why other code needs the graph of the tensors, or "".

    Printing a tensor and reading the keys of a dictionary need no graph.
    """
    for target in statement.targets:
        for name in ast.walk(target):
            if not isinstance(name, ast.Name) or not isinstance(name.ctx, ast.Store):
                continue
            for use in bindings.uses(file, name):
                if not _is_printed(file, use):
                    return f"line {use.lineno} uses its tensor {use.id}"
    return ""


def _is_printed(file: SourceFile, node: ast.AST) -> bool:
    while isinstance(node, ast.expr):
        parent = file.parent(node)
        if isinstance(parent, ast.Call) and ast.unparse(parent.func) in ("print", "len", "type"):
            return True
        node = parent if parent is not None else file.tree
    return False
