"""Finds the layers and variables that several calls of a function share.

    shared = SharedObjects(known)
    use = Use(call, entry, "layers.Dense", arguments, tests, loop)
    attribute = shared.find(use)

For example, `tf.layers.dense(x, 8, name="a")` in a scope with `reuse=True` uses the variables of an
earlier layer. Both calls become calls of one Keras layer.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.known_values import KnownValues
from migrate.rewrite.model_fns.analysis.scopes import Entry

# Arguments without an effect on variables that exist.
_OF_NEW_VARIABLES = ("initializer", "regularizer")
_NAME = "name"


class Use(NamedTuple):
    """A call of a layer, or a read of a variable.

    Attributes:
      node: The call.
      entry: The variables.
      function: Class of the layer.
      arguments: Arguments of the class.
      tests: Conditions under which `__init__` makes the object.
      loop: Loop of the object, or None.
      has_variables: Whether the layer has variables.
    """

    node: ast.Call
    entry: Entry
    function: str
    arguments: Mapping[str, ast.expr]
    tests: tuple[str, ...]
    loop: ast.For | None
    has_variables: bool = True


class SharedObjects:
    """The objects of a function, by the names of their variables."""

    def __init__(self, known: KnownValues) -> None:
        """Starts with no objects.

        Args:
          known: Values that are known when the objects are made.
        """
        self._known = known
        self._uses: dict[tuple[str, ...], list[tuple[Use, str]]] = {}

    def add(self, use: Use, attribute: str) -> None:
        """Adds an object.

        Args:
          use: Its first use.
          attribute: Name of the attribute that holds it.
        """
        self._uses.setdefault(use.entry.key, []).append((use, attribute))

    def find(self, use: Use) -> str:
        """Returns the attribute of an earlier object with the same variables, or "" for a new one.

        Args:
          use: The use of the object.

        Raises:
          NotUnderstood: The call uses, or may use, only some variables of the earlier object.
        """
        for earlier, attribute in reversed(self._uses.get(use.entry.key, [])):
            is_made = earlier.tests == use.tests[: len(earlier.tests)]
            if is_made and earlier.loop is use.loop and self._is_same(earlier, use):
                return attribute
            is_branch = not earlier.entry.modes & use.entry.modes
            if use.has_variables and (use.entry.reuses or is_branch):
                option = "have other arguments" if is_made else "may not exist"
                raise NotUnderstood(
                    f"the layers that are reused in line {use.node.lineno} {option}"
                )
        self._refuse_unknown(use)
        return ""

    def _refuse_unknown(self, use: Use) -> None:
        """Refuses a name that may equal an earlier one, as in `tf.variable_scope(other_name)`."""
        key = use.entry.key
        is_constant = len(key) == 1 and not key[0].startswith("(")
        if is_constant or not use.entry.reuses or not use.has_variables:
            return
        for other in self._uses:
            if other != key and other[-1] == key[-1] and len(other) == len(key):
                raise NotUnderstood(
                    f"the layer in line {use.node.lineno} may reuse the variables of another layer"
                )

    def _is_same(self, first: Use, second: Use) -> bool:
        return self._signature(first) == self._signature(second)

    def _signature(self, use: Use) -> tuple[str, dict[str, str]]:
        """Returns the class, and the arguments that must be the same in all calls."""
        return use.function, {
            key: self._text(value, use.node.lineno)
            for key, value in use.arguments.items()
            if key != _NAME and not key.endswith(_OF_NEW_VARIABLES)
        }

    def _text(self, node: ast.expr, line: int) -> str:
        """Returns the text of an expression in which known values replace the names."""
        values: dict[str, str] = {}
        for name in slices.read(node):
            binders = [
                statement
                for statement in self._known.statements
                if statement.lineno < line and name in slices.bound(statement)
            ]
            binder = binders[-1] if binders else None
            if isinstance(binder, ast.Assign) and isinstance(binder.targets[0], ast.Name):
                values[name] = self._text(binder.value, binder.lineno)
        text = ast.dump(node)
        for name, value in values.items():
            text = text.replace(ast.dump(ast.Name(name, ast.Load())), value)
        return text
