"""What the names of a program stand for, as far as they stand for something of TensorFlow's.

>>> scopes = Scopes()
>>> scopes.bind("tf", "tensorflow")
>>> with scopes.inside("function", {"x": None}):
...     scopes.bind("layers", "tensorflow.layers")
...     scopes.lookup("tf"), scopes.lookup("x"), scopes.lookup("layers")
('tensorflow', None, 'tensorflow.layers')
>>> scopes.lookup("layers") is None
True

A value is a dotted name that begins with a package, or with "@" where it is in a module of the
program itself: "@utils.tf" is `tf` of utils, "@.utils.tf" that of the utils beside the file. A
value with ".*." in it is what `import *` may have brought: see `alternatives`.
"""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping

_BUILTINS = frozenset(dir(builtins))


def alternatives(value: str) -> list[str]:
    """Returns what a value may be, the last import first.

    >>> alternatives("@utils|tensorflow.layers.*.dense.x")
    ['@utils.*.dense.x', 'tensorflow.layers.*.dense.x']

    Args:
      value: What a name stands for.
    """
    modules, star, name = value.partition(".*.")
    return [f"{module}.*.{name}" for module in modules.split("|")] if star else [value]


class _Scope:
    __slots__ = ("kind", "module_names", "names", "others", "outer")

    def __init__(self, kind: str, names: dict[str, str | None], outer: _Scope | None) -> None:
        self.kind, self.names, self.outer = kind, names, outer
        self.module_names: set[str] = set()  # what `global` says
        # What else names may stand for, as a condition decides when the program runs.
        self.others: dict[str, frozenset[str]] = {}

    def copy(self) -> _Scope:
        """Returns the names as they are at present."""
        copy = _Scope(self.kind, dict(self.names), self.outer)
        copy.others = dict(self.others)
        return copy

    def take(self, state: _Scope) -> None:
        """Has the names be what they were."""
        self.names.clear()
        self.names.update(state.names)
        self.others = dict(state.others)

    def join(self, state: _Scope, before: _Scope) -> None:
        """Adds what the names are after another branch, from what they were before both."""
        for name, value in state.names.items():
            own = self.names.get(name)
            may_be = {one for one in (own, value) if one}
            may_be |= self.others.get(name, frozenset()) | state.others.get(name, frozenset())
            is_kept = own and own != before.names.get(name)
            self.names[name] = own if is_kept else value or own
            if len(may_be) > 1:
                self.others[name] = frozenset(may_be)


class Scopes:
    """The scopes that enclose a place in a program, as Python looks names up in them."""

    def __init__(self, by_custom: Mapping[str, str] | None = None) -> None:
        """Begins with an empty module.

        Args:
          by_custom: What names stand for that nothing in the program binds.
        """
        self._module = self.current = _Scope("module", {}, None)
        self._stars: list[str] = []
        self._by_custom = dict(by_custom or {})

    @property
    def exported(self) -> dict[str, str]:
        """What other modules can take from this one: its TensorFlow names, and "*N" for stars.

        With stars, "" for other names of its own too: those are not the stars'.
        """
        names = self._module.names.items()
        found = {name: (value or "").rstrip("=") for name, value in names if value or self._stars}
        return found | {f"*{i}": star for i, star in enumerate(self._stars)}

    @property
    def in_function(self) -> bool:
        """Whether the present place is in a function's body, and not a class's or the module's."""
        scope: _Scope | None = self.current
        while scope is not None and scope.kind == "comprehension":
            scope = scope.outer
        return scope is not None and scope.kind == "function"

    @contextlib.contextmanager
    def inside(
        self, kind: str, hidden: Mapping[str, str | None], outer: _Scope | None = None
    ) -> Iterator[None]:
        """Enters a scope for the length of the block.

        Args:
          kind: "class", "function" or "comprehension".
          hidden: Names that are the scope's own, such as arguments, with what they stand for.
          outer: The scope around it; the present one where it is not named.
        """
        before = self.current
        self.current = _Scope(kind, dict(hidden), outer or before)
        try:
            yield
        finally:
            self.current = before

    def bind(
        self,
        name: str,
        value: str | None,
        *,
        weak: bool = False,
        others: Iterable[str] = (),
    ) -> None:
        """Binds a name in the present scope.

        Args:
          name: The name.
          value: What it stands for; None where that is nothing of TensorFlow's.
          weak: The binding is one of several that a condition chooses between: it yields to
            another that there is.
          others: What else it may stand for.
        """
        scope = self._owner(name)
        if weak and scope.names.get(name):
            return
        scope.names[name] = value
        may_be = frozenset(others).union([value] if value else [])
        if len(may_be) > 1:
            scope.others[name] = may_be
        else:
            scope.others.pop(name, None)

    def bind_star(self, module: str) -> None:
        """Binds whatever a module has, as `from module import *` does."""
        self._stars.append(module)
        for name, value in self._module.names.items():
            if value:
                others = self._module.others.get(name, frozenset())
                self._module.others[name] = others | {value, f"{module}.*.{name}"}

    def others(self, name: str) -> frozenset[str]:
        """Returns all that a name may stand for; nothing where that is certain."""
        scope = self._scope_of(name)
        return scope.others.get(name, frozenset()) if scope is not None else frozenset()

    @contextlib.contextmanager
    def assuming(self, name: str, value: str) -> Iterator[None]:
        """Has a name stand for one of its `others` for the length of the block."""
        scope = self._scope_of(name)
        assert scope is not None
        before, scope.names[name] = scope.names[name], value
        try:
            yield
        finally:
            scope.names[name] = before

    def branches(self, *branches: Callable[[], None], taken: int | None = None) -> None:
        """Reads branches of the program, of which it takes one.

        Args:
          *branches: Functions that read one each.
          taken: The one that it takes, if that is known.
        """
        scopes = list(dict.fromkeys((self.current, self._module)))
        before = [scope.copy() for scope in scopes]
        after = []
        for branch in branches:
            for scope, state in zip(scopes, before, strict=True):
                scope.take(state)
            branch()
            after.append([scope.copy() for scope in scopes])
        for scope, first, *states in zip(scopes, before, *after, strict=True):
            scope.take(states[-1] if taken is None else states[taken])
            for state in states[-2::-1] if taken is None else ():
                scope.join(state, first)

    def declare_global(self, names: Iterable[str]) -> None:
        """Has names of the present scope be the module's, as the statement `global` does."""
        for name in names:
            self.current.module_names.add(name)
            if self.current is not self._module:
                self.current.names.pop(name, None)

    def forget_custom(self, names: Iterable[str]) -> None:
        """Has names stand for nothing where nothing that has been read binds them."""
        for name in names:
            self._by_custom.pop(name, None)

    def set_attribute(self, name: str, value: str | None) -> None:
        """Binds `self.NAME` in the class around the present scope."""
        owner = self._class()
        if owner is not None and (value or f".{name}" in owner.names):
            owner.names[f".{name}"] = value

    def attribute(self, name: str) -> str | None:
        """Returns what `self.NAME` stands for in the class around the present scope."""
        owner = self._class()
        return None if owner is None else owner.names.get(f".{name}") or owner.names.get(name)

    def lookup(self, name: str) -> str | None:
        """Returns what a name stands for; None for nothing of TensorFlow's.

        A name that nothing binds, in a program with `from module import *`, may be that module's:
        "tensorflow.contrib.layers.*.conv2d"; with several such imports, "@utils|tensorflow.*.x".
        """
        scope = self._scope_of(name)
        if scope is not None:
            return scope.names[name]
        if not self._stars or name in _BUILTINS or name.startswith("__"):
            return self._by_custom.get(name)
        return f"{'|'.join(reversed(self._stars))}.*.{name}"

    def _owner(self, name: str) -> _Scope:
        """The scope in which the present one binds a name."""
        return self._module if name in self.current.module_names else self.current

    def _scope_of(self, name: str) -> _Scope | None:
        """The scope in which a name is found that is used at present."""
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
