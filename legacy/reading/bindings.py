"""Tracks the values of a program's names, as far as they come from TensorFlow.

>>> scopes = Scopes()
>>> scopes.bind("tf", "tensorflow")
>>> with scopes.inside("function", {"x": None}):
...     scopes.bind("layers", "tensorflow.layers")
...     scopes.lookup("tf"), scopes.lookup("x"), scopes.lookup("layers")
('tensorflow', None, 'tensorflow.layers')
>>> scopes.lookup("layers") is None
True

A value is a dotted name. It begins with a package, or with "@" if it belongs to a module of the
program itself: "@utils.tf" is `tf` of the module utils, and "@.utils.tf" is `tf` of the utils in
the file's own folder. A value that contains ".*." is a name that `import *` may provide: see
`alternatives`.
"""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping

_BUILTINS = frozenset(dir(builtins))


def alternatives(value: str) -> list[str]:
    """Returns the possible values of a name, the last import first.

    >>> alternatives("@utils|tensorflow.layers.*.dense.x")
    ['@utils.*.dense.x', 'tensorflow.layers.*.dense.x']

    Args:
      value: Value of a name.
    """
    modules, star, name = value.partition(".*.")
    return [f"{module}.*.{name}" for module in modules.split("|")] if star else [value]


class _Scope:
    __slots__ = ("candidates", "kind", "module_names", "names", "outer")

    def __init__(self, kind: str, names: dict[str, str | None], outer: _Scope | None) -> None:
        self.kind, self.names, self.outer = kind, names, outer
        self.module_names: set[str] = set()  # Names declared `global`.
        # All possible values of a name, if a condition decides between them at run time.
        self.candidates: dict[str, frozenset[str]] = {}

    def copy(self) -> _Scope:
        """Returns a copy of the names in their present state."""
        copy = _Scope(self.kind, dict(self.names), self.outer)
        copy.candidates = dict(self.candidates)
        return copy

    def take(self, state: _Scope) -> None:
        """Restores the names to an earlier state."""
        self.names.clear()
        self.names.update(state.names)
        self.candidates = dict(state.candidates)

    def join(self, state: _Scope, initial: _Scope) -> None:
        """Merges the names after another branch.

        Args:
          state: Names at the end of the other branch.
          initial: Names before both branches.
        """
        for name, value in state.names.items():
            own_value = self.names.get(name)
            candidates = {candidate for candidate in (own_value, value) if candidate}
            candidates |= self.candidates.get(name, frozenset()) | state.candidates.get(
                name, frozenset()
            )
            is_kept = own_value and own_value != initial.names.get(name)
            self.names[name] = own_value if is_kept else value or own_value
            if len(candidates) > 1:
                self.candidates[name] = frozenset(candidates)


class Scopes:
    """The scopes that enclose a place in a program. Names are looked up as in Python."""

    def __init__(self, by_custom: Mapping[str, str] | None = None) -> None:
        """Starts with an empty module.

        Args:
          by_custom: Values of names that nothing in the program binds.
        """
        self._module = self.current = _Scope("module", {}, None)
        self._stars: list[str] = []
        self._by_custom = dict(by_custom or {})

    @property
    def exported(self) -> dict[str, str]:
        """The names that other modules can import: TensorFlow names, and "*N" for star imports.

        With star imports, the module's other names are included with the value "", because they
        hide names of the star imports.
        """
        names = self._module.names.items()
        values = {name: (value or "").rstrip("=") for name, value in names if value or self._stars}
        return values | {f"*{i}": star for i, star in enumerate(self._stars)}

    @property
    def in_function(self) -> bool:
        """True in the body of a function, False in that of a class or the module."""
        scope: _Scope | None = self.current
        while scope is not None and scope.kind == "comprehension":
            scope = scope.outer
        return scope is not None and scope.kind == "function"

    @contextlib.contextmanager
    def inside(
        self, kind: str, own_names: Mapping[str, str | None], outer: _Scope | None = None
    ) -> Iterator[None]:
        """Enters a scope for the duration of the block.

        Args:
          kind: "class", "function" or "comprehension".
          own_names: Names that belong to the scope, such as arguments, with their values.
          outer: The enclosing scope. Defaults to the present one.
        """
        enclosing = self.current
        self.current = _Scope(kind, dict(own_names), outer or enclosing)
        try:
            yield
        finally:
            self.current = enclosing

    def bind(
        self,
        name: str,
        value: str | None,
        *,
        weak: bool = False,
        other_values: Iterable[str] = (),
    ) -> None:
        """Binds a name in the present scope.

        Args:
          name: The name.
          value: Its value. None if it does not come from TensorFlow.
          weak: If true, an existing value is kept. For one of several bindings between which a
            condition chooses.
          other_values: Its other possible values.
        """
        scope = self._owner(name)
        if weak and scope.names.get(name):
            return
        scope.names[name] = value
        candidates = frozenset(other_values).union([value] if value else [])
        if len(candidates) > 1:
            scope.candidates[name] = candidates
        else:
            scope.candidates.pop(name, None)

    def bind_star(self, module: str) -> None:
        """Binds all names of a module, as `from module import *` does."""
        self._stars.append(module)
        for name, value in self._module.names.items():
            if value:
                candidates = self._module.candidates.get(name, frozenset())
                self._module.candidates[name] = candidates | {value, f"{module}.*.{name}"}

    def candidates(self, name: str) -> frozenset[str]:
        """Returns all possible values of a name. Empty if its value is certain."""
        scope = self._scope_of(name)
        return scope.candidates.get(name, frozenset()) if scope is not None else frozenset()

    @contextlib.contextmanager
    def assuming(self, name: str, value: str) -> Iterator[None]:
        """Gives a name one of its `candidates` as its value for the duration of the block."""
        scope = self._scope_of(name)
        assert scope is not None
        original_value, scope.names[name] = scope.names[name], value
        try:
            yield
        finally:
            scope.names[name] = original_value

    def branches(self, *branches: Callable[[], None], branch_index: int | None = None) -> None:
        """Reads alternative branches of the program.

        Args:
          *branches: Functions that read one branch each.
          branch_index: Index of the branch that runs, if it is known.
        """
        scopes = list(dict.fromkeys((self.current, self._module)))
        start_states = [scope.copy() for scope in scopes]
        end_states = []
        for branch in branches:
            for scope, state in zip(scopes, start_states, strict=True):
                scope.take(state)
            branch()
            end_states.append([scope.copy() for scope in scopes])
        for scope, start_state, *states in zip(scopes, start_states, *end_states, strict=True):
            scope.take(states[-1] if branch_index is None else states[branch_index])
            # Backwards from the last but one, so that earlier branches yield to later ones.
            for state in states[-2::-1] if branch_index is None else ():
                scope.join(state, start_state)

    def declare_global(self, names: Iterable[str]) -> None:
        """Makes names of the present scope refer to the module's, as `global` does."""
        for name in names:
            self.current.module_names.add(name)
            if self.current is not self._module:
                self.current.names.pop(name, None)

    def forget_custom(self, names: Iterable[str]) -> None:
        """Removes the customary values of names."""
        for name in names:
            self._by_custom.pop(name, None)

    def set_attribute(self, name: str, value: str | None) -> None:
        """Binds `self.NAME` in the class around the present scope."""
        owner = self._class()
        if owner is not None and (value or f".{name}" in owner.names):
            owner.names[f".{name}"] = value

    def attribute(self, name: str) -> str | None:
        """Returns the value of `self.NAME` in the class around the present scope."""
        owner = self._class()
        return None if owner is None else owner.names.get(f".{name}") or owner.names.get(name)

    def lookup(self, name: str) -> str | None:
        """Returns the value of a name. None if it does not come from TensorFlow.

        In a program with `from module import *`, an unbound name may come from that module. Its
        value is then for example "tensorflow.contrib.layers.*.conv2d". With several such imports it
        is "@utils|tensorflow.*.x".
        """
        scope = self._scope_of(name)
        if scope is not None:
            return scope.names[name]
        if not self._stars or name in _BUILTINS or name.startswith("__"):
            return self._by_custom.get(name)
        return f"{'|'.join(reversed(self._stars))}.*.{name}"

    def _owner(self, name: str) -> _Scope:
        """Returns the scope in which the present one binds a name."""
        return self._module if name in self.current.module_names else self.current

    def _scope_of(self, name: str) -> _Scope | None:
        """Returns the scope that provides a name used in the present one, or None."""
        scope: _Scope | None = self.current
        while scope is not None:
            if name in scope.names and (scope.kind != "class" or scope is self.current):
                return scope
            scope = scope.outer
        return None

    def _class(self) -> _Scope | None:
        scope: _Scope | None = self.current
        while scope is not None and scope.kind != "class":
            scope = scope.outer
        return scope
