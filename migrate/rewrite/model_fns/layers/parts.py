"""Turns functions of the file that have layers into layer classes.

    parts = Parts(file)
    objects = Objects(file, scope, rendered, parts.part)
    parts.classes

Arguments that determine the variables go to `__init__`, all others to `call`. For example, a number
of units goes to `__init__`, and a tensor to `call`. A function that is called again with reuse=True
becomes one layer that is called twice.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from migrate.rewrite.analysis import modern_names
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, rendering
from migrate.rewrite.model_fns.analysis import checks, scopes, sharing, slices
from migrate.rewrite.model_fns.analysis.modes import MODES, Modes
from migrate.rewrite.model_fns.analysis.shape import check_effects
from migrate.rewrite.model_fns.layers import naming, variable_names
from migrate.rewrite.model_fns.layers.objects import Object, Objects, Part, Scope
from migrate.rewrite.model_fns.layers.variable_names import ScopedName
from migrate.rewrite.model_fns.rendering import Rendered

MAKE_VARIABLES = (
    "tf.contrib.layers.",
    "tf.contrib.rnn.",
    "tf.contrib.slim.",
    "tf.get_variable",
    "tf.keras.layers.",
    "tf.layers.",
    "tf.nn.bidirectional_dynamic_rnn",
    "tf.nn.dynamic_rnn",
    "tf.nn.rnn_cell.",
    "tf_keras.layers.",
)
_REUSE, _MODE = "reuse", "mode"
_BODY = " " * 8


class PartClass:
    """A function of the file as a class.

    Attributes:
      function: The function.
      name: Name of the class.
      static: Parameters of `__init__`.
      inputs: Parameters of `call`.
      flags: Parameters that say whether it trains.
      sites: Number of its calls.
    """

    def __init__(
        self, parts: Parts, function: ast.FunctionDef, static: list[str], flags: list[str]
    ) -> None:
        """Reads the function.

        Args:
          parts: All functions with layers.
          function: The function.
          static: Its parameters that are known when the layer is made.
          flags: Its parameters that say whether it trains.

        Raises:
          NotUnderstood: It does not have a supported form.
        """
        self._file, self._parts = parts.file, parts
        self.function, self.static, self.flags = function, static, flags
        self.name = rendering.class_name(parts.file, function)
        self.sites = 0
        names = [one.arg for one in (*function.args.args, *function.args.kwonlyargs)]
        known = {*static, *flags, _REUSE, _MODE}
        self.inputs = [name for name in names if name not in known]
        if not self.inputs:
            raise NotUnderstood(f"{function.name}() takes no tensors")
        modes = Modes(parts.file, function, flags)
        statements = _statements(parts.file, function, modes)
        self._rendered = Rendered(parts.file)
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in static and isinstance(node.ctx, ast.Load):
                self._rendered.replace(node, f"self.{_attribute(node.id)}")
        more = frozenset((*self.inputs, *flags, _REUSE, _MODE) if flags else (*self.inputs, _REUSE))
        scope = Scope(function, modes, statements, (), frozenset(static), more | {_MODE})
        self.objects = Objects(parts.file, scope, self._rendered, parts.part)
        self._forward = self.objects.forward()
        left_out = self.objects.left_out
        read = slices.open_names(self._forward, (), left_out)
        self._kept = [name for name in static if name in read]
        call = "\n".join(self._rendered.statement(one, "") for one in self._forward)
        names_left = slices.open_names(ast.parse(f"def f():\n{rendering.block([call], ' ')}").body)
        self.trains = "training" in names_left
        left = sorted(names_left & (scope.local - {*self.inputs, *modes.aliases} | {_MODE}))
        left = [one for one in left if one not in {*slices.bound_inside(function), "training"}]
        if left:
            raise NotUnderstood(f"the layer class of {function.name}() would have no {left[0]}")

    def text(self) -> str:
        """Returns the text of the class."""
        keras, _ = modern_names.keras(self._file)
        said = rendering.docstring(self.function, f"The layers of {self.function.name}.")
        counter = self._parts.counter if self.name in self._parts.counted else ""
        static = [*self.static, *([counter] if counter else [])]
        arguments = "".join(f", {name}" for name in static)
        lines = [f"class {self.name}({keras}.layers.Layer):", f"    {said}", ""]
        lines += [f"    def __init__(self{arguments}):", f"{_BODY}super().__init__(autocast=False)"]
        lines += [f"{_BODY}self.{_attribute(name)} = {name}" for name in self._kept]
        lines += made_lines(self._parts, self.objects, counter)
        training = ", training=False" if self.trains else ""
        for loop in {item.loop for item in self.objects.items if item.loop}:
            replace_loop(self._file, self.objects, self._rendered, loop)
        lines += ["", f"    def call(self, {', '.join(self.inputs)}{training}):"]
        lines += [self._rendered.statement(statement, _BODY) for statement in self._forward]
        return self._file.newline.join("\n".join(lines).splitlines())


class Parts:
    """The functions with layers that a model_fn calls."""

    def __init__(self, file: SourceFile) -> None:
        """Starts with no classes.

        Args:
          file: The file.
        """
        self.file = file
        self.classes: dict[str, PartClass] = {}
        self._open: set[str] = set()
        self.counter = file.new_name("names", "the counter of the layers with one name")
        self.counted: frozenset[str] = frozenset()
        self._kinds: set[str] = set()

    def part(self, scope: Scope, call: ast.Call, static: frozenset[str]) -> Part | None:
        """Returns the class call for a function with layers. None for other calls.

        Args:
          scope: Function that contains the call.
          call: The call.
          static: Names in that function that are known when the model is made.

        Raises:
          NotUnderstood: It has layers, and does not have a supported form.
        """
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        function = None if name in scope.local else checks.function_named(self.file, name)
        if function is None or not self._has_layers(function, set()):
            return None
        if name in self._open:
            raise NotUnderstood(f"{name}() calls itself")
        given = bound_arguments(function, call)
        flags = [key for key, one in given.items() if self._is_flag(scope, key, one)]
        local = scope.local - static
        kept = {
            key: one
            for key, one in given.items()
            if key not in (*flags, _REUSE, _MODE) and not slices.read(one) & local
        }
        if name not in self.classes:
            self._open.add(name)
            try:
                self.classes[name] = PartClass(self, function, [*kept], flags)
            finally:
                self._open.discard(name)
        made = self.classes[name]
        if made.flags != flags or not set(made.static) <= set(kept):
            raise NotUnderstood(f"the calls of {name}() differ in their arguments")
        if _MODE in given and ast.unparse(given[_MODE]) != _MODE:
            raise NotUnderstood(f"{name}() is called with a fixed mode")
        made.sites += 1
        flag = given[flags[0]] if flags else None
        trains = scope.modes.in_training(flag) if flag is not None else "training"
        if isinstance(flag, ast.Constant):
            trains = str(flag.value)
        inputs = [given[key] for key in made.inputs]
        kept = {key: kept[key] for key in made.static}
        own = made.objects.scopes
        if own.shares and not own.shares_all:
            raise NotUnderstood(f"{name}() reuses only some of its layers")
        shared = self._is_shared(given.get(_REUSE)) or own.shares
        trains = (trains or "") if made.trains else ""
        return Part(made.name, kept, inputs, trains, shared, self._normalizes(made))

    def _normalizes(self, made: PartClass) -> bool:
        """Says whether a class, or a class that it makes, has batch normalization."""
        functions = [item.function for item in made.objects.items]
        inner = [one for one in self.classes.values() if one.name in functions]
        own = any(function.endswith(".BatchNormalization") for function in functions)
        return own or any(map(self._normalizes, inner))

    def check_shared(self, first: Objects) -> None:
        """Refuses layers that are reused from several classes, which cannot share an object.

        Args:
          first: Objects of the model.

        Raises:
          NotUnderstood: Such layers exist.
        """
        owners = [first, *(one.objects for one in self.classes.values())]
        alone = set().union(*(one.shared for one in owners))
        while alone:
            name = alone.pop()
            owner, *others = [
                one for one in owners if any(item.function == name for item in one.items)
            ]
            items = [one for one in owner.items if one.function == name]
            is_one = name in owner.shared or (len(items) == 1 and not items[0].loop)
            if others or not is_one:
                raise NotUnderstood(f"the layers of {name} are reused in different places")
            alone |= {one.name for one in self.classes.values() if one.objects is owner}

    def number(self, first: Objects) -> None:
        """Finds the classes that receive a counter to number their layers.

        Such a class has layers that follow others in the same scope, and only the callers know how
        many precede them. Or it is called in a scope.

        Args:
          first: Objects of the model.
        """
        classes = {one.name: one.objects for one in self.classes.values()}
        names = [
            item.scoped_name for objects in (first, *classes.values()) for item in objects.items
        ]
        self._kinds = {
            scoped_name.kind
            for scoped_name in names
            if scoped_name is not None and scoped_name.own is None
        }
        found = {name for name, one in classes.items() if _numbers(one.items, inside=True)}
        size = -1
        while size != len(found):
            size = len(found)
            for owner, objects in {"": first, **classes}.items():
                for item in objects.items:
                    if item.function in classes and item.scoped_name is not None:
                        found |= {owner} if owner and item.function in found else set()
                        is_scoped = bool(item.scoped_name.scopes) or owner in found
                        found |= {item.function} if is_scoped else set()
        self.counted = frozenset(found)

    def is_apart(self, named: ScopedName) -> bool:
        """Says whether the name of a layer differs from the names of all layers named by kind.

        Args:
          named: The name.
        """
        value = variable_names.constant(named.own) if named.own is not None else None
        return value is not None and re.sub(r"_\d+$", "", value) not in self._kinds

    def numbers(self, first: Objects) -> bool:
        """Says whether the model numbers layers when it is made.

        Args:
          first: Objects of the model.
        """
        calls = any(item.function in self.counted for item in first.items)
        return calls or _numbers(first.items, inside=False)

    def _is_flag(self, scope: Scope, name: str, node: ast.expr) -> bool:
        """Says whether an argument tells a function whether it trains."""
        if name == _MODE:
            return False
        is_bool = isinstance(node, ast.Constant) and isinstance(node.value, bool)
        is_test = not is_bool and scope.modes.in_training(node) is not None
        return is_test or (is_bool and name in sharing.FLAGS)

    def _is_shared(self, node: ast.expr | None) -> bool:
        """Says whether a call has the variables of an earlier one."""
        if node is None or isinstance(node, ast.Constant):
            return node is not None and bool(node.value)
        if self.file.name_of(node) == scopes.AUTO:
            return True
        raise NotUnderstood(f"the reuse argument in line {node.lineno} is unknown")

    def _has_layers(self, function: ast.FunctionDef, seen: set[str]) -> bool:
        names = checks.names_in(self.file, function)
        if any(match.name.startswith(MAKE_VARIABLES) for match in names):
            return True
        seen = seen | {function.name}
        called = [
            checks.function_named(self.file, call.func.id)
            for call in ast.walk(function)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        ]
        inner = [one for one in called if one is not None and one.name not in seen]
        return any(self._has_layers(one, seen) for one in inner)


def _attribute(name: str) -> str:
    """Returns the attribute that stores a parameter."""
    return f"{name}_" if naming.is_taken(name) and name != "params" else name


def bound_arguments(
    function: ast.FunctionDef, call: ast.Call, *, has_owner: bool = False
) -> dict[str, ast.expr]:
    """Returns the arguments of a call by the parameters of the function, with defaults.

    Args:
      function: The function.
      call: Its call.
      has_owner: Whether it is a method, whose first argument the call does not pass.

    Raises:
      NotUnderstood: It has starred arguments, or wrong ones.
    """
    options = function.args
    if options.vararg or options.kwarg or options.posonlyargs:
        raise NotUnderstood(f"{function.name}() takes *args or **kwargs")
    if any(isinstance(one, ast.Starred) for one in call.args) or any(
        one.arg is None for one in call.keywords
    ):
        raise NotUnderstood(f"{function.name}() is called with *args or **kwargs")
    names = [one.arg for one in options.args]
    found = dict(zip(names[len(names) - len(options.defaults) :], options.defaults, strict=True))
    names = names[1:] if has_owner else names
    pairs = zip(options.kwonlyargs, options.kw_defaults, strict=True)
    found.update({one.arg: default for one, default in pairs if default is not None})
    found.update(zip(names, call.args, strict=False))
    found.update({str(one.arg): one.value for one in call.keywords})
    order = [*names, *(one.arg for one in options.kwonlyargs)]
    if set(found) != set(order) or len(call.args) > len(names):
        raise NotUnderstood(f"{function.name}() is called with the wrong arguments")
    return {name: found[name] for name in order}


def _statements(file: SourceFile, function: ast.FunctionDef, modes: Modes) -> list[ast.stmt]:
    """Returns the statements of a function that is the same in all modes, with its return."""
    paths = [modes.path(mode) for mode in MODES]
    first = paths[0]
    if first is None or any(path != first for path in paths):
        raise NotUnderstood(f"the result of {function.name}() depends on the mode")
    check_effects(file, first)
    statements = [one for one in first.statements if not isinstance(one, ast.Expr)]
    aliases = {*modes.aliases}
    statements = [one for one in statements if not slices.replaces(one) & aliases]
    return [*statements, file.statement(first.returned)]


def _numbers(items: Iterable[Object], *, inside: bool) -> bool:
    """Says whether layers have numbers that their class alone does not determine.

    Args:
      items: Layers of a class.
      inside: Whether other layers of the model may be in the same scope.
    """
    named = [(item, item.scoped_name) for item in items if item.scoped_name is not None]
    return any(
        name.own is None and name.kind and (item.loop or item.tests or (inside and not name.scopes))
        for item, name in named
    )


def made_lines(
    parts: Parts, objects: Objects, counter: str, *, is_model: bool = False
) -> list[str]:
    """Returns the statements of `__init__` that make objects.

    Args:
      parts: All functions with layers.
      objects: The objects.
      counter: Variable that numbers layers, or "" for none.
      is_model: Whether they belong to the model itself, which has no scope of a caller.
    """
    file = parts.file
    setup = (objects.made.statement(statement, _BODY) for statement in objects.setup)
    lines = [text for text in setup if not _is_no_change(text)]
    items = [*_with_names(parts, objects.items, counter, is_model)]
    for (tests, loop), group in itertools.groupby(items, lambda item: (item.tests, item.loop)):
        layers = [*group]
        if loop is None:
            found = [
                _BODY
                + rendering.call(item.function, item.parts, _BODY, f"self.{item.attribute} = ")
                for item in layers
            ]
        elif counter and len(layers) > 1:
            found = [_made_in_turns(file, loop, layers)]
        else:
            found = [_made_in_loop(file, loop, item) for item in layers]
        for test in reversed(tests):
            found = [f"{_BODY}if {test}:", rendering.block(found, " " * 4)]
        lines += found
    return lines


def _is_no_change(text: str) -> bool:
    """Says whether a statement is `cell = cell`, which is left of a wrapper without effect."""
    target, _, value = text.partition(" = ")
    return target.strip() == value.strip()


def _with_names(
    parts: Parts, items: Sequence[Object], counter: str, is_model: bool
) -> Iterator[Object]:
    """Yields the objects, with the arguments that name their variables."""
    texts = iter(variable_names.numbered([named for item in items if (named := _named(item))]))
    for item in items:
        argument = ""
        if item.scoped_name is not None and _named(item) is None:
            if item.function in parts.counted:
                scope = (
                    variable_names.joined(item.scoped_name.scopes)
                    if item.scoped_name.scopes
                    else ""
                )
                argument = f"{counter}={counter}" + (f".inside({scope})" if scope else "")
        elif item.scoped_name is not None:
            argument = f"name={next(texts)}"
            if counter and not (is_model and parts.is_apart(item.scoped_name)):
                argument = f"name={counter}({item.scoped_name.base})"
        given = [*item.parts]
        at = [i for i, text in enumerate(given) if text.startswith("name=")]
        if at and argument.startswith("name="):
            given[at[0]] = argument
        elif argument:
            given.append(argument)
        yield item._replace(parts=tuple(given))


def _named(item: Object) -> ScopedName | None:
    """Returns the name of a layer or variable that TensorFlow names. None for other objects."""
    name = item.scoped_name
    return name if name is not None and (name.own or name.kind) else None


def _made_in_loop(file: SourceFile, loop: ast.For, item: Object) -> str:
    """Returns the statement that makes the layers of a loop."""
    inner = f"{_BODY}    "
    made = rendering.call(item.function, item.parts, inner)
    target, source = (file.segment(part) for part in (loop.target, loop.iter))
    items = f"{inner}{made}\n{inner}for {target} in {source}"
    return f"{_BODY}self.{item.attribute} = [\n{items}\n{_BODY}]"


def _made_in_turns(file: SourceFile, loop: ast.For, layers: Sequence[Object]) -> str:
    """Returns the loop that makes layers in the order of their calls, which numbers them."""
    inner = f"{_BODY}    "
    target, source = (file.segment(part) for part in (loop.target, loop.iter))
    lines = [f"{_BODY}self.{item.attribute} = []" for item in layers]
    lines.append(f"{_BODY}for {target} in {source}:")
    for item in layers:
        before = f"self.{item.attribute}.append("
        lines.append(inner + rendering.call(item.function, item.parts, inner, before, ")"))
    return "\n".join(lines)


def replace_loop(file: SourceFile, objects: Objects, rendered: Rendered, loop: ast.For) -> None:
    """Changes a loop so that it also iterates over the layers that were made for it.

    Args:
      file: The file.
      objects: All objects of the function.
      rendered: Receives the new head of the loop.
      loop: The loop.
    """
    layers = [item.attribute for item in objects.items if item.loop is loop]
    read: set[str] = set()
    for statement in loop.body:
        read |= slices.read_outside(statement, objects.left_out)
    source = ", ".join(f"self.{name}" for name in layers)
    if slices.bound(loop.target) & read:
        first = file.segment(loop.target)
        first = f"({first})" if isinstance(loop.target, ast.Tuple) and first[0] != "(" else first
        target = ", ".join([first, *layers])
        source = f"zip({rendered.text(loop.iter)}, {source})"
    else:
        target = ", ".join(layers)
        source = source if len(layers) == 1 else f"zip({source})"
    rendered.replace(loop.target, target)
    rendered.replace(loop.iter, source)


def used(file: SourceFile, name: str, outside: Collection[ast.AST] = ()) -> int:
    """Returns how often a file reads a name.

    Args:
      file: The file.
      name: The name.
      outside: Nodes in which it does not count.
    """
    left_out = {id(part) for node in outside for part in ast.walk(node)}
    return sum(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in file.nodes
        if id(node) not in left_out
    )
