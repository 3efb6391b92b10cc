"""Names that new code binds in a file. Each has one meaning, and none of them occurs in the file.

>>> names = NewNames(frozenset(("tf",)), lambda scope: None)
>>> names.get("tf_estimator", "legacy.estimator")
'tf_estimator'
>>> names.get("tf_estimator", "legacy.compat.v1.estimator")
'tf_estimator_'
>>> names.get("tf_estimator", "legacy.estimator")
'tf_estimator'

All rules get their names here, through `SourceFile.new_name`. So two changes of one pass cannot use
the same name for two things. `check` inspects the new file as well, in case a rule does not do so.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Hashable, Iterator

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class NameClash(Exception):
    """Raised if new code would give one name two meanings."""


class NewNames:
    """The new names of one file."""

    def __init__(
        self,
        identifiers: Collection[str],
        scope_around: Callable[[ast.AST], ast.AST | None],
    ) -> None:
        """Starts with no new names.

        Args:
          identifiers: All names in the file.
          scope_around: Returns the function around a function, or None at the module's level.
        """
        self._identifiers, self._scope_around = identifiers, scope_around
        self._names: dict[tuple[Hashable, ast.AST | None], str] = {}

    def get(self, preferred: str, meaning: Hashable, scope: ast.AST | None = None) -> str:
        """Returns the new name for a meaning. The same meaning always gets the same name.

        Args:
          preferred: Name to use if it is free. Otherwise underscores are appended.
          meaning: Key of the thing that the name stands for, such as "module math".
          scope: Function whose variable it is, or None for a name of the module.
        """
        key = (meaning, scope)
        if key not in self._names:
            name = preferred
            while name in self._identifiers or self._is_taken(name, scope):
                name += "_"
            self._names[key] = name
        return self._names[key]

    def _is_taken(self, name: str, scope: ast.AST | None) -> bool:
        return any(
            name == new_name and (self._is_in(scope, place) or self._is_in(place, scope))
            for (_, place), new_name in self._names.items()
        )

    def _is_in(self, inner: ast.AST | None, outer: ast.AST | None) -> bool:
        """Says whether a scope is another one or is within it."""
        while inner is not None and inner is not outer:
            inner = self._scope_around(inner)
        return inner is outer


def check(before: ast.Module, after: ast.Module) -> None:
    """Checks that no name of a module got a second meaning.

    Args:
      before: The module before the changes.
      after: The module with its changes.

    Raises:
      NameClash: A name did.
    """
    old, new = _meanings(before), _meanings(after)
    for name, meanings in new.items():
        if len(meanings) > max(1, len(old.get(name, ()))):
            raise NameClash(f"{name} would stand for {' and for '.join(sorted(meanings))}")


def _meanings(tree: ast.Module) -> dict[str, set[str]]:
    """Returns the values that each name of a module is bound to, in words."""
    meanings: dict[str, set[str]] = {}
    for node in _of_module(tree):
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                meanings.setdefault(alias.asname or alias.name, set()).add(f"{module}.{alias.name}")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                head = alias.name.partition(".")[0]
                value = alias.name if alias.asname else head
                meanings.setdefault(alias.asname or head, set()).add(value)
        elif isinstance(node, _SCOPES) and not isinstance(node, ast.Lambda):
            meanings.setdefault(node.name, set()).add("a definition")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            meanings.setdefault(node.id, set()).add("a variable")
    meanings.pop("*", None)
    return meanings


def _of_module(tree: ast.Module) -> Iterator[ast.AST]:
    """Yields the nodes of a module that are not within a function, class or comprehension."""
    stack: list[ast.AST] = [*tree.body]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*_SCOPES, *_COMPREHENSIONS)):
            stack += ast.iter_child_nodes(node)
