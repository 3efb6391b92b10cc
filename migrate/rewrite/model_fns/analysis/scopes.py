"""Follows the variable scopes of a function: names of layers, and reuse of variables.

    scopes = Scopes(file, function, modes)
    scopes.default_name(call, "dense")
    scopes.enter(call, name, "dense").key

In TensorFlow 1, layers with one name use the same variables, if the scope allows it. A layer in a
branch for training has the same name as its counterpart in the other branch.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Iterator
from typing import NamedTuple

from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.modes import MODES, Modes, is_current_scope, starts_reuse
from migrate.rewrite.names import modern_names

AUTO = "tf.AUTO_REUSE"
_VARIABLE_SCOPES = ("tf.variable_scope",)
_NAME_SCOPES = ("tf.name_scope", "tf.compat.v2.name_scope")


class Entry(NamedTuple):
    """A call that makes or reuses variables.

    Attributes:
      key: Expression of the whole name of the variables, which identifies them.
      is_repeated: Whether each round of a loop uses the same variables.
      reuses: Whether the scopes around the call let it use the variables of an earlier call.
      modes: Modes in which the function makes the call.
    """

    key: tuple[str, ...]
    is_repeated: bool
    reuses: bool
    modes: frozenset[str]


class _Numbered(NamedTuple):
    """A layer that TensorFlow names by its kind, and the innermost scope around it."""

    node: ast.AST
    kind: str
    scope: ast.With | None


class Scopes:
    """The variable scopes of a function.

    Attributes:
      shares: Whether tf.AUTO_REUSE lets calls of the function share variables.
      shares_all: Whether calls share the variables of all layers so far.
      reuses_all: Whether all layers so far can use the variables of an earlier call.
    """

    def __init__(self, file: SourceFile, function: ast.FunctionDef, modes: Modes) -> None:
        """Starts with no layers.

        Args:
          file: The file.
          function: The function.
          modes: The function, followed through each mode.
        """
        self._file, self._function, self._modes = file, function, modes
        self._counts: dict[tuple[str, str], int] = {}
        self._numbered: list[_Numbered] = []
        self._unknown: set[tuple[tuple[str, ...], str]] = set()  # Kinds with unknown numbers.
        with_statements = (node for node in ast.walk(function) if isinstance(node, ast.With))
        self.shares = any(
            self._is_auto(call) for statement in with_statements for call in self._opened(statement)
        )
        self.shares_all = self.reuses_all = True
        self._reuses_all = any(map(starts_reuse, ast.walk(function)))

    def _opened(
        self, node: ast.With, kinds: Collection[str] = _VARIABLE_SCOPES
    ) -> Iterator[ast.Call]:
        for item in node.items:
            call = item.context_expr
            if not isinstance(call, ast.Call) or not call.args:
                continue
            is_current = isinstance(call.args[0], ast.Call) and is_current_scope(
                self._file, call.args[0]
            )
            if self._file.name_of(call.func) in kinds and not is_current:
                yield call

    def _is_auto(self, call: ast.Call) -> bool:
        values = [keyword.value for keyword in call.keywords if keyword.arg == "reuse"]
        return any(self._file.name_of(value) == AUTO for value in values)

    def around(self, node: ast.AST, *, has_names: bool = False) -> list[ast.Call]:
        """Returns the calls of tf.variable_scope around a node, the outermost first.

        Args:
          node: The node.
          has_names: Whether calls of tf.name_scope count too. They name the variables of
            tf.Variable, but not those of tf.get_variable.
        """
        kinds = (*_VARIABLE_SCOPES, *_NAME_SCOPES) if has_names else _VARIABLE_SCOPES
        calls: list[ast.Call] = []
        parent = self._file.parent(node)
        while parent is not None and parent is not self._function:
            calls[:0] = self._opened(parent, kinds) if isinstance(parent, ast.With) else ()
            parent = self._file.parent(parent)
        return calls

    def earlier_count(self, call: ast.Call) -> int:
        """Returns how often a function opens the same scope of names before a call.

        Args:
          call: Call that opens the scope.
        """
        name = call.args[0]
        path = [ast.unparse(outer.args[0]) for outer in self.around(call, has_names=True)]
        count = 0
        for node in ast.walk(self._function):
            if not isinstance(node, ast.Call) or node is call or not node.args:
                continue
            is_scope = self._file.name_of(node.func) in (*_VARIABLE_SCOPES, *_NAME_SCOPES)
            if not is_scope or self._file.span(node) > self._file.span(call):
                continue
            outer_path = [ast.unparse(outer.args[0]) for outer in self.around(node, has_names=True)]
            count += ast.dump(node.args[0]) == ast.dump(name) and outer_path == path
        return count

    def path(self, node: ast.AST) -> tuple[str, ...]:
        """Returns the names of the scopes around a node, as texts."""
        return tuple(ast.unparse(self.name_of(call)) for call in self.around(node))

    def is_named(self, call: ast.Call) -> bool:
        """Says whether the name of a scope is known: its first argument, or a known number.

        Args:
          call: Call that opens the scope.
        """
        if modern_names.is_constant(call.args[0], None):
            return bool(_default_name(call)) and not any(self._loops(call))
        return len(call.args) == 1 or has_constant_name(call)

    def name_of(self, call: ast.Call) -> ast.expr:
        """Returns the name of a scope. One that TensorFlow numbers differs from all others.

        Args:
          call: Call that opens the scope.
        """
        name = call.args[0]
        if not modern_names.is_constant(name, None):
            return name
        base = _default_name(call)
        outer = self.path(self._file.statement(call))
        calls = [node for node in ast.walk(self._function) if isinstance(node, ast.Call)]
        earlier = [
            other
            for other in calls
            if other.args
            and self._file.name_of(other.func) in _VARIABLE_SCOPES
            and self._file.span(other) < self._file.span(call)
            and base in (_default_name(other), getattr(other.args[0], "value", None))
            and self._modes_of(other) & self._modes_of(call)
            and self.path(self._file.statement(other)) == outer
        ]
        if not self.is_named(call):
            return ast.Constant(f"the scope in line {call.lineno}")
        # All scopes that the program gives one name are one scope.
        numbered = [other for other in earlier if _default_name(other)]
        first = min(earlier, key=self._file.span) if earlier else None
        number = len(numbered) + (first is not None and first not in numbered)
        return ast.Constant(f"{base}_{number}" if number else base)

    def default_name(self, node: ast.Call, kind: str) -> str:
        """Returns the name that tf.layers gives a layer, numbered per scope: dense, dense_1, ...

        Args:
          node: Call that makes the layer.
          kind: Kind of the layer.
        """
        names = [call.args[0] for call in self.around(node)]
        values = [node.value for node in names if isinstance(node, ast.Constant)]
        scope = "".join(f"{name}_" for name in values if isinstance(name, str) and name)
        count = self._counts.get((scope, kind), 0)
        self._counts[scope, kind] = count + 1
        return f"{scope}{kind}" + (f"_{count}" if count else "")

    def reuses(self, node: ast.AST) -> bool:
        """Says whether a call, or a scope around it, may use variables of earlier calls."""
        calls = [*self.around(node), *([node] if isinstance(node, ast.Call) else [])]
        values = [
            keyword.value for call in calls for keyword in call.keywords if keyword.arg == "reuse"
        ]
        return self._reuses_all or not all(map(_is_off, values))

    def enter(self, node: ast.Call, name: ast.expr | None, kind: str) -> Entry:
        """Adds a layer or variable, and returns the key of its variables.

        Args:
          node: Call that makes the layer or variable.
          name: Name from the program, or None.
          kind: Name that TensorFlow gives to layers of this kind.

        Raises:
          NotUnderstood: The number of the layer is unknown, or depends on the mode.
        """
        path, reuses, modes = self.path(node), self.reuses(node), self._modes_of(node)
        self.shares_all = self.shares_all and any(map(self._is_auto, self.around(node)))
        if name is not None and modern_names.is_constant(name, None):
            name = None
        self.reuses_all = self.reuses_all and reuses
        is_repeated = reuses and self._is_repeated(node, name)
        if name is not None:
            return Entry(_key([*path, ast.unparse(name)]), is_repeated, reuses, modes)
        number = self.number(node, kind)
        if reuses and (path, kind) in self._unknown:
            raise NotUnderstood(
                f"the layer in line {node.lineno} may reuse the variables of another layer"
            )
        if not is_repeated and any(self._loops(node)):
            self._unknown.add((path, kind))
        own = f"{kind}_{number}" if number else kind
        return Entry(_key([*path, json.dumps(own)]), is_repeated, reuses, modes)

    def enter_new(self, node: ast.Call, kind: str, *, is_scoped: bool) -> Entry:
        """Adds a call that makes its own variables in any scope, and returns their key.

        Args:
          node: The call.
          kind: Name that TensorFlow or Keras numbers.
          is_scoped: Whether the variables have the names of the scopes.

        Raises:
          NotUnderstood: The number of the call depends on the mode.
        """
        self.shares_all = self.reuses_all = False
        number = self.number(node, kind, is_scoped=is_scoped)
        path = self.path(node) if is_scoped else ()
        return Entry((*path, kind, str(number)), False, False, self._modes_of(node))

    def number(self, node: ast.AST, kind: str, *, is_scoped: bool = True) -> int:
        """Adds a layer without a name, and returns its number in its innermost scope.

        Args:
          node: Call that makes the layer.
          kind: Name that TensorFlow gives to layers of this kind.
          is_scoped: Whether each scope has its own numbers.

        Raises:
          NotUnderstood: The number depends on the mode.
        """
        layer = _Numbered(node, kind, self._innermost(node) if is_scoped else None)
        earlier = [other.node for other in self._numbered if other[1:] == layer[1:]]
        self._numbered.append(layer)
        own_modes = self._modes_of(node)
        counts = {sum(mode in self._modes_of(other) for other in earlier) for mode in own_modes}
        if len(counts) > 1:
            raise NotUnderstood(
                f"the name of the layer in line {getattr(node, 'lineno', 0)} depends on the mode"
            )
        return counts.pop() if counts else 0

    def _modes_of(self, node: ast.AST) -> frozenset[str]:
        """Returns the modes in which a function may execute a node."""
        modes = {*MODES}
        child, parent = node, self._file.parent(node)
        while parent is not None and child is not self._function:
            if isinstance(parent, (ast.If, ast.IfExp)) and child is not parent.test:
                body = parent.body if isinstance(parent.body, list) else [parent.body]
                truths = {mode: self._modes.truth(parent.test, mode) for mode in modes}
                modes = {mode for mode in modes if truths[mode] in (None, child in body)}
            child, parent = parent, self._file.parent(parent)
        return frozenset(modes)

    def _innermost(self, node: ast.AST) -> ast.With | None:
        """Returns the innermost `with` of a variable scope around a node."""
        parent = self._file.parent(node)
        while parent is not None and parent is not self._function:
            if isinstance(parent, ast.With) and any(self._opened(parent)):
                return parent
            parent = self._file.parent(parent)
        return None

    def _loops(self, node: ast.AST) -> Iterator[ast.For]:
        """Yields the loops of the function around a node."""
        parent = self._file.parent(node)
        while parent is not None and parent is not self._function:
            if isinstance(parent, ast.For):
                yield parent
            parent = self._file.parent(parent)

    def _is_repeated(self, node: ast.Call, name: ast.expr | None) -> bool:
        """Says whether a loop enters the same scope, or uses the same name, several times."""
        names = [call.args[0] for call in self.around(node)]
        names += [name] if name is not None else []
        scope = self._innermost(node)
        for loop in self._loops(node):
            is_inside = scope is not None and loop in self._loops(scope)
            targets = slices.bound(loop.target)
            if (name is not None or is_inside) and not any(
                slices.read(part) & targets for part in names
            ):
                return True
        return False


def has_constant_name(call: ast.Call) -> bool:
    """Says whether a scope has a name, so that its default name and values have no effect.

    Args:
      call: Call that opens the scope.
    """
    name = call.args[0] if call.args else None
    return isinstance(name, ast.Constant) and isinstance(name.value, str) and bool(name.value)


def _default_name(call: ast.Call) -> str:
    """Returns the name that TensorFlow numbers for a scope, or "" if it is not known."""
    args = arguments.bind(call, ("name_or_scope", "default_name", "values"))
    if has_constant_name(call):
        return ""
    name = args.get("default_name") if args is not None else None
    value = name.value if isinstance(name, ast.Constant) else None
    return value if isinstance(value, str) else ""


def refuse_unknown_reuse(file: SourceFile, function: ast.FunctionDef, parameter: str) -> None:
    """Refuses a helper of which not one parameter tells whether its scopes reuse variables.

    Args:
      file: The file.
      function: The helper.
      parameter: Name of the parameter.

    Raises:
      NotUnderstood: Something else may tell it.
    """
    names = {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
    for node in ast.walk(function):
        is_known = not starts_reuse(node)
        if isinstance(node, ast.keyword) and node.arg == "reuse":
            is_parameter = isinstance(node.value, ast.Name) and node.value.id == parameter
            is_known = is_parameter and parameter in names or _is_off(node.value)
            is_known = is_known or file.name_of(node.value) == AUTO
        if not is_known:
            line = getattr(node, "lineno", function.lineno)
            raise NotUnderstood(f"the reuse argument in line {line} is unknown")


def _is_off(node: ast.expr) -> bool:
    """Says whether a reuse argument is None or False."""
    return isinstance(node, ast.Constant) and not node.value


def _key(texts: Collection[str]) -> tuple[str, ...]:
    """Returns the parts of a name, of which neighboring constants are merged into one."""
    parts: list[str] = []
    is_constant = False
    for text in texts:
        node = ast.parse(text, mode="eval").body
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and is_constant:
            parts[-1] = f"{parts[-1]}/{value}"
        else:
            parts.append(value if isinstance(value, str) else f"({text})")
        is_constant = isinstance(value, str)
    return tuple(parts)
