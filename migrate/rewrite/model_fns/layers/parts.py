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
from collections.abc import Iterator

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, rendering
from migrate.rewrite.model_fns.analysis import checks, scopes, sharing, slices
from migrate.rewrite.model_fns.analysis.known_values import Scope
from migrate.rewrite.model_fns.analysis.modes import MODES, Modes
from migrate.rewrite.model_fns.analysis.shape import check_effects
from migrate.rewrite.model_fns.layers import naming, object_lines
from migrate.rewrite.model_fns.layers.calls import recurrent
from migrate.rewrite.model_fns.layers.calls.part_calls import Part
from migrate.rewrite.model_fns.layers.numbering import Numbering
from migrate.rewrite.model_fns.layers.objects import Objects
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.names import modern_names

MAKE_VARIABLES = (
    "tf.Variable",
    "tf.contrib.layers.",
    "tf.contrib.rnn.",
    "tf.contrib.slim.",
    "tf.get_variable",
    "tf.keras.layers.",
    "tf.layers.",
    *recurrent.RUNS,
    "tf.nn.rnn_cell.",
    "tf_keras.layers.",
)
_REUSE, _MODE = "reuse", "mode"
_BODY = " " * 8


class PartClass:
    """A function of the file that becomes a class.

    Attributes:
      function: The function.
      name: Name of the class.
      static: Parameters of `__init__`.
      inputs: Parameters of `call`.
      flags: Parameters that say whether the function trains.
    """

    def __init__(
        self, parts: Parts, function: ast.FunctionDef, static: list[str], flags: list[str]
    ) -> None:
        """Reads the function.

        Args:
          parts: All functions with layers.
          function: The function.
          static: Parameters whose values are known when the layer is made.
          flags: Parameters that say whether the function trains.

        Raises:
          NotUnderstood: The function does not have a supported form.
        """
        self._file, self._parts = parts.file, parts
        self.function, self.static, self.flags = function, static, flags
        self.name = rendering.class_name(parts.file, function)
        names = [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]
        other_names = {*static, *flags, _REUSE, _MODE}
        self.inputs = [name for name in names if name not in other_names]
        if not self.inputs:
            raise NotUnderstood(f"{function.name}() takes no tensors")
        scopes.refuse_unknown_reuse(parts.file, function, _REUSE)
        modes = Modes(parts.file, function, flags)
        statements = _statements(parts.file, function, modes)
        self._rendered = Rendered(parts.file)
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in static and isinstance(node.ctx, ast.Load):
                self._rendered.replace(node, f"self.{naming.stored(node.id)}")
        scope_inputs = frozenset(
            (*self.inputs, *flags, _REUSE, _MODE) if flags else (*self.inputs, _REUSE)
        )
        scope = Scope(function, modes, statements, (), frozenset(static), scope_inputs | {_MODE})
        self.objects = Objects(parts.file, scope, self._rendered, parts.part)
        self._forward = self.objects.forward()
        left_out = self.objects.maker.left_out
        names_read = slices.open_names(self._forward, (), left_out)
        self._stored_names = [name for name in static if name in names_read]
        call = "\n".join(self._rendered.statement(statement, "") for statement in self._forward)
        free_names = slices.open_names(ast.parse(f"def f():\n{rendering.block([call], ' ')}").body)
        self.trains = "training" in free_names
        unknown = sorted(free_names & (scope.local - {*self.inputs, *modes.aliases} | {_MODE}))
        unknown = [
            name for name in unknown if name not in {*slices.bound_inside(function), "training"}
        ]
        if unknown:
            raise NotUnderstood(f"the layer class of {function.name}() would have no {unknown[0]}")

    def text(self) -> str:
        """Returns the text of the class."""
        keras, _ = modern_names.keras(self._file)
        docstring = rendering.docstring(self.function, f"The layers of {self.function.name}.")
        numbering = self._parts.numbering
        counter = numbering.counter if self.name in numbering.counted else ""
        static = [*self.static, *([counter] if counter else [])]
        arguments = "".join(f", {name}" for name in static)
        lines = [f"class {self.name}({keras}.layers.Layer):", f"    {docstring}", ""]
        lines += [f"    def __init__(self{arguments}):", f"{_BODY}super().__init__(autocast=False)"]
        lines += [f"{_BODY}self.{naming.stored(name)} = {name}" for name in self._stored_names]
        lines += object_lines.init_lines(self._file, self.objects, numbering, counter)
        training = ", training=False" if self.trains else ""
        object_lines.replace_loops(self._file, self.objects, self._rendered)
        lines += ["", f"    def call(self, {', '.join(self.inputs)}{training}):"]
        lines += [self._rendered.statement(statement, _BODY) for statement in self._forward]
        return self._file.newline.join("\n".join(lines).splitlines())


class Parts:
    """The functions with layers that a model_fn calls.

    Attributes:
      file: The file.
      classes: Classes of the functions, by the name of the function.
      numbering: Numbers of layers in the names of their variables.
    """

    def __init__(self, file: SourceFile) -> None:
        """Starts with no classes.

        Args:
          file: The file.
        """
        self.file = file
        self.classes: dict[str, PartClass] = {}
        self._open: set[str] = set()
        self.numbering = Numbering(file)

    def part(self, scope: Scope, call: ast.Call, static: frozenset[str]) -> Part | None:
        """Returns the class call for a function with layers. None for other calls.

        Args:
          scope: Function that contains the call.
          call: The call.
          static: Names in the scope whose values are known when the model is made.

        Raises:
          NotUnderstood: The called function has layers, but no supported form.
        """
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        function = None if name in scope.local else checks.function_named(self.file, name)
        if function is None or not self._has_layers(function, set()):
            return None
        if name in self._open:
            raise NotUnderstood(f"{name}() calls itself")
        args = bound_arguments(function, call)
        flags = [key for key, value in args.items() if self._is_flag(scope, key, value)]
        local = scope.local - static
        init_args = {
            key: value
            for key, value in args.items()
            if key not in (*flags, _REUSE, _MODE) and not slices.read(value) & local
        }
        if name not in self.classes:
            self._open.add(name)
            try:
                self.classes[name] = PartClass(self, function, [*init_args], flags)
            finally:
                self._open.discard(name)
        part_class = self.classes[name]
        if part_class.flags != flags or not set(part_class.static) <= set(init_args):
            raise NotUnderstood(f"the calls of {name}() differ in their arguments")
        if _MODE in args and ast.unparse(args[_MODE]) != _MODE:
            raise NotUnderstood(f"{name}() is called with a fixed mode")
        flag = args[flags[0]] if flags else None
        trains = scope.modes.in_training(flag) if flag is not None else "training"
        if isinstance(flag, ast.Constant):
            trains = str(flag.value)
        inputs = [args[key] for key in part_class.inputs]
        init_args = {key: init_args[key] for key in part_class.static}
        own_scopes = part_class.objects.maker.scopes
        if own_scopes.shares and not own_scopes.shares_all:
            raise NotUnderstood(f"{name}() reuses only some of its layers")
        shared = self._is_shared(args.get(_REUSE))
        if shared and not all(
            i.objects.maker.scopes.reuses_all for i in self._with_inner(part_class)
        ):
            raise NotUnderstood(f"{name}() reuses only some of its layers")
        shared = shared or own_scopes.shares
        trains = (trains or "") if part_class.trains else ""
        return Part(
            part_class.name,
            init_args,
            inputs,
            trains,
            shared,
            any(map(_normalizes, self._with_inner(part_class))),
            any(inner.objects.maker.makes_variables for inner in self._with_inner(part_class)),
            any(inner.objects.maker.numbers_scopes for inner in self._with_inner(part_class)),
        )

    def _with_inner(self, part_class: PartClass) -> Iterator[PartClass]:
        """Yields a class, and the classes whose objects it makes."""
        yield part_class
        functions = [item.function for item in part_class.objects.items]
        for other in self.classes.values():
            if other.name in functions:
                yield from self._with_inner(other)

    def check_shared(self, first: Objects) -> None:
        """Refuses layers that are reused from several classes, which cannot share an object.

        Args:
          first: Objects of the model.

        Raises:
          NotUnderstood: Several classes reuse the same layers.
        """
        owners = [first, *(part_class.objects for part_class in self.classes.values())]
        shared_names = set().union(*(owner.shared_classes for owner in owners))
        while shared_names:
            name = shared_names.pop()
            owner, *others = [
                candidate
                for candidate in owners
                if any(item.function == name for item in candidate.items)
            ]
            items = [item for item in owner.items if item.function == name]
            is_single = name in owner.shared_classes or (len(items) == 1 and not items[0].loop)
            if others or not is_single:
                raise NotUnderstood(f"the layers of {name} are reused in different places")
            shared_names |= {
                part_class.name
                for part_class in self.classes.values()
                if part_class.objects is owner
            }

    def number(self, first: Objects) -> None:
        """Finds the classes that receive a counter to number their layers.

        Args:
          first: Objects of the model.
        """
        classes = {part_class.name: part_class.objects for part_class in self.classes.values()}
        self.numbering.find(first, classes)

    def _is_flag(self, scope: Scope, name: str, node: ast.expr) -> bool:
        """Says whether an argument tells a function whether it trains."""
        if name == _MODE:
            return False
        is_bool = isinstance(node, ast.Constant) and isinstance(node.value, bool)
        is_test = not is_bool and scope.modes.in_training(node) is not None
        return is_test or (is_bool and name in sharing.FLAGS)

    def _is_shared(self, node: ast.expr | None) -> bool:
        """Says whether a reuse argument makes a call use the variables of an earlier call."""
        if node is None or isinstance(node, ast.Constant):
            return node is not None and bool(node.value)
        if self.file.name_of(node) == scopes.AUTO:
            return True
        raise NotUnderstood(f"the reuse argument in line {node.lineno} is unknown")

    def _has_layers(self, function: ast.FunctionDef, visited: set[str]) -> bool:
        names = checks.names_in(self.file, function)
        if any(match.name.startswith(MAKE_VARIABLES) for match in names):
            return True
        visited = visited | {function.name}
        callees = [
            checks.function_named(self.file, call.func.id)
            for call in ast.walk(function)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        ]
        inner = [callee for callee in callees if callee is not None and callee.name not in visited]
        return any(self._has_layers(callee, visited) for callee in inner)


def _normalizes(part_class: PartClass) -> bool:
    """Says whether a class has batch normalization of its own."""
    functions = [item.function for item in part_class.objects.items]
    return any(function.endswith(".BatchNormalization") for function in functions)


def bound_arguments(
    function: ast.FunctionDef, call: ast.Call, *, has_owner: bool = False
) -> dict[str, ast.expr]:
    """Returns the arguments of a call by the parameters of the function, with defaults.

    Args:
      function: The function.
      call: The call.
      has_owner: Whether the function is a method, whose first argument the call does not pass.

    Raises:
      NotUnderstood: The call has starred or wrong arguments.
    """
    options = function.args
    if options.vararg or options.kwarg or options.posonlyargs:
        raise NotUnderstood(f"{function.name}() takes *args or **kwargs")
    if any(isinstance(argument, ast.Starred) for argument in call.args) or any(
        keyword.arg is None for keyword in call.keywords
    ):
        raise NotUnderstood(f"{function.name}() is called with *args or **kwargs")
    names = [parameter.arg for parameter in options.args]
    values = dict(zip(names[len(names) - len(options.defaults) :], options.defaults, strict=True))
    names = names[1:] if has_owner else names
    pairs = zip(options.kwonlyargs, options.kw_defaults, strict=True)
    values.update({parameter.arg: default for parameter, default in pairs if default is not None})
    values.update(zip(names, call.args, strict=False))
    values.update({str(keyword.arg): keyword.value for keyword in call.keywords})
    order = [*names, *(parameter.arg for parameter in options.kwonlyargs)]
    if set(values) != set(order) or len(call.args) > len(names):
        raise NotUnderstood(f"{function.name}() is called with the wrong arguments")
    return {name: values[name] for name in order}


def _statements(file: SourceFile, function: ast.FunctionDef, modes: Modes) -> list[ast.stmt]:
    """Returns the statements and the return of a function that does the same in all modes."""
    paths = [modes.path(mode) for mode in MODES]
    first = paths[0]
    if first is None or any(path != first for path in paths):
        raise NotUnderstood(f"the result of {function.name}() depends on the mode")
    check_effects(file, first)
    statements = [
        statement for statement in first.statements if not isinstance(statement, ast.Expr)
    ]
    aliases = {*modes.aliases}
    statements = [statement for statement in statements if not slices.replaces(statement) & aliases]
    return [*statements, file.statement(first.result)]
