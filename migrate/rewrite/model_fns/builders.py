r"""Follows functions that return a model_fn, which then return the class of a Keras model.

>>> from migrate.rewrite.engine.source_file import SourceFile
>>> file = SourceFile(
...     "def model_fn_builder(rate):\n"
...     "    def model_fn(features, labels, mode):\n"
...     "        return features * rate\n"
...     "    return model_fn\n"
...     "model_fn = model_fn_builder(0.1)\n"
...     "Estimator(model_fn)\n"
... )
>>> built = of(file, file.tree.body[-1].value.args[0])
>>> built.text, [edit.text for edit in built.edits(file, "Model")]
('model_class', ['Model', 'model_class'])
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrate.rewrite.analysis import input_functions
from migrate.rewrite.engine import bindings
from migrate.rewrite.engine.rule import Edit
from migrate.rewrite.engine.source_file import SourceFile


class Built(NamedTuple):
    """A model_fn that a function of the file returns.

    Attributes:
      text: Expression of the class that replaces it.
      returned: Name of the model_fn in the return statement.
      target: Name that the result is assigned to, or None if it is not assigned.
    """

    text: str
    returned: ast.Name
    target: ast.Name | None

    def edits(self, file: SourceFile, name: str) -> Iterator[Edit]:
        """Yields the edits that return the class.

        Args:
          file: The file.
          name: Name of the class.
        """
        yield from file.replacement(self.returned, name).edits
        if self.target is not None:
            yield from file.replacement(self.target, self.text).edits


def of(file: SourceFile, node: ast.expr) -> Built | None:
    """Returns the builder of a model_fn. None if no function of the file returns it.

    Args:
      file: The file.
      node: The model_fn argument of an Estimator.
    """
    call = bindings.assigned_value(file, node) if isinstance(node, ast.Name) else node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return None
    maker = input_functions.function_of(file, call.func)
    found = [one.value for one in input_functions.returns(maker)] if maker is not None else []
    if len(found) != 1 or not isinstance(found[0], ast.Name):
        return None
    if not isinstance(node, ast.Name):
        return Built(file.segment(call), found[0], None)
    assignment = file.parent(call)
    target = assignment.targets[0] if isinstance(assignment, ast.Assign) else None
    if not isinstance(target, ast.Name):
        return None
    name = file.new_name("model_class", ("the class of", call), bindings.scope(file, node))
    return Built(name, found[0], target)


def problem(file: SourceFile, node: ast.expr, function: ast.FunctionDef) -> str:
    """Returns the reason why a nested model_fn cannot become a class, or "" if it can.

    Args:
      file: The file.
      node: The model_fn argument of an Estimator.
      function: The model_fn, which another function defines.
    """
    uses = _uses(file, function)
    if isinstance(node, ast.Name) and node in uses:
        return "" if len(uses) == 1 else "its model_fn has other uses in its function"
    built = of(file, node)
    if built is None or built.returned not in uses:
        return "its model_fn is not defined at module level"
    maker = file.function(function)
    if file.plan.is_shared or not isinstance(maker, ast.FunctionDef):
        return "other files may use the function that returns its model_fn"
    is_local = built.target is None or len(bindings.uses(file, built.target)) == 1
    if len(uses) != 1 or len(_uses(file, maker)) != 1 or not is_local:
        return f"{maker.name}() or its result has other uses"
    return ""


def _uses(file: SourceFile, function: ast.FunctionDef) -> list[ast.Name]:
    """Returns the places that read the name of a function."""
    owner = file.function(function)
    return [
        node
        for node in file.nodes
        if isinstance(node, ast.Name)
        and node.id == function.name
        and isinstance(node.ctx, ast.Load)
        and bindings.scope(file, node) is owner
    ]
