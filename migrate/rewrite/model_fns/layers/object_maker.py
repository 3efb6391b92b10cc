"""Makes the objects of a forward pass, and replaces the calls that use them.

    maker = ObjectMaker(file, scope, rendered)
    expression = maker.add(statement, call, "layers.Dense", {"units": units}, "dense")
    maker.replace(call, f"{expression}(x)")

`__init__` makes each object once. It holds the variables, which the calls then share.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, layer_calls
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.analysis.known_values import KnownValues, Scope
from migrate.rewrite.model_fns.analysis.scopes import Entry
from migrate.rewrite.model_fns.layers import naming
from migrate.rewrite.model_fns.layers.shared_objects import SharedObjects, Use
from migrate.rewrite.model_fns.layers.surroundings import Surroundings
from migrate.rewrite.model_fns.layers.variable_names import ScopedName
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.names import modern_names

_LAYERS = (*layer_calls.WITHOUT_VARIABLES.values(), *layer_calls.WITH_VARIABLES.values())
# First parameters of the classes of layers that `porting.SizedLayer` can make.
_SIZES = {
    f"layers.{layer.keras}": layer.parameters[0]
    for layer in layer_calls.WITH_VARIABLES.values()
    if layer.parameters[0] in ("filters", "units")
}
_WITHOUT_VARIABLES = frozenset(layer.keras for layer in layer_calls.WITHOUT_VARIABLES.values())


class Object(NamedTuple):
    """An object that __init__ makes.

    Attributes:
      attribute: Name of the attribute that holds the object.
      function: Function that makes the object.
      parts: Texts of the arguments of the function.
      loop: Loop that uses the object, or None if it is used once.
      expressions: Arguments of the function that come from the program.
      scoped_name: Name of the object's variables. None if there is no name, or no known one.
      tests: Conditions under which the object is used, if they are known when it is made.
      updates: Updates that the model_fn does not run, if it is batch normalization. "" for none.
      node: Call that makes the object.
    """

    attribute: str
    function: str
    parts: tuple[str, ...]
    loop: ast.For | None
    expressions: tuple[ast.expr, ...]
    scoped_name: ScopedName | None = None
    tests: tuple[str, ...] = ()
    updates: str = ""
    node: ast.AST | None = None


class ObjectMaker:
    """The objects of a function.

    Attributes:
      file: The file.
      scope: The function.
      rendered: Texts of replaced nodes in `call`.
      init_rendered: Texts of replaced nodes in `__init__`.
      items: The objects.
      imports: Imports that the objects need.
      left_out: Ids of nodes that only `__init__` contains.
      replaced_ids: Ids of nodes that have a new text.
      known: Values that are known when `__init__` makes the objects.
      around: Loops, conditions and scopes around the calls.
      nests: Loops that `__init__` repeats.
      scopes: Variable scopes of the function.
      shared: Objects that several calls share.
      settled: Names that get several known values one after another.
      makes_variables: Whether a variable is new in each call, as tf.Variable is in any scope.
      numbers_scopes: Whether TensorFlow numbers the scopes of such variables in each call.
      node: Call that is being replaced.
    """

    node: ast.Call | None = None

    def __init__(
        self, file: SourceFile, scope: Scope, rendered: Rendered, replaced_ids: set[int]
    ) -> None:
        """Starts with no objects.

        Args:
          file: The file.
          scope: The function.
          rendered: Receives the new texts of the calls.
          replaced_ids: Ids of nodes whose new texts are known, in functions of layers.
        """
        self.file, self.scope, self.rendered = file, scope, rendered
        self.init_rendered = Rendered(file)
        self.items: list[Object] = []
        self.imports: set[Import] = set()
        self.left_out: set[int] = set()
        self.replaced_ids: set[int] = set()
        self.known = KnownValues(file, scope, replaced_ids)
        self.around = Surroundings(file, scope, self.known)
        self.nests, self.scopes = self.around.nests, self.around.scopes
        self.shared = SharedObjects(self.known)
        self.settled: frozenset[str] = frozenset()
        self.makes_variables = self.numbers_scopes = False
        self._looped_kinds: set[str] = set()  # Kinds of layers whose count is not known.

    def add(
        self,
        statement: ast.stmt,
        node: ast.Call,
        layer: str,
        init_args: dict[str, ast.expr],
        kind: str,
        options: Sequence[str] = (),
    ) -> str:
        """Adds a Keras layer, and returns the expression to call."""
        name = init_args.get("name")
        entry = self.scopes.enter(node, name, kind)
        use = self.use(statement, node, entry, layer, init_args)
        earlier = self.shared.find(use)
        if earlier:
            targets = self.around.targets(node, use.loop)
            size = self._size(layer, init_args, targets)
            others = init_args if size is None else _without_size(layer, init_args)
            self.leave_out(others.values())
            return self._of_size(self.called(earlier, use.loop), size)
        return self.add_new(use, kind, options)

    def use(
        self,
        statement: ast.stmt,
        node: ast.Call,
        entry: Entry,
        function: str,
        init_args: Mapping[str, ast.expr],
    ) -> Use:
        """Returns the use of an object, of which no loop makes several."""
        loop = self.around.loop_of(statement, node)
        has_variables = function.rpartition(".")[2] not in _WITHOUT_VARIABLES
        if loop in self.nests.loops:
            if entry.reuses and has_variables:
                raise NotUnderstood(
                    f"a layer in line {node.lineno} may reuse variables in a nested loop"
                )
        elif entry.is_repeated:
            targets = slices.bound(loop.target) if loop else set()
            is_fixed = not any(slices.read(value) & targets for value in init_args.values())
            loop = None if has_variables or is_fixed else loop
        tests = self.around.tests(node, loop)
        return Use(node, entry, function, init_args, tests, loop, has_variables)

    def add_new(self, use: Use, kind: str, options: Sequence[str] = ()) -> str:
        """Adds a layer with its own variables, and returns the expression to call."""
        node, layer, init_args, loop = use.node, use.function, dict(use.arguments), use.loop
        targets = self.around.targets(node, loop)
        name = init_args.get("name")
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            preferred_name = name.value
        else:
            preferred_name = self.scopes.default_name(node, kind)
        attribute = self.free(preferred_name, in_loop=loop is not None)
        self.shared.add(use, attribute)
        function, first, size = self._class(layer), "", self._size(layer, init_args, targets)
        if size is not None:
            module, imports = bridged_configs.module(self.file, "porting")
            self.imports.update(imports)
            function, first = f"{module}.SizedLayer", function
            init_args = _without_size(layer, init_args)
        scoped_name = None
        if layer.rpartition(".")[2] not in _WITHOUT_VARIABLES:
            scoped_name = self.around.scoped_name(node, name, kind, targets)
        if scoped_name is not None:
            self.make(
                *(attribute, function, init_args, loop, targets, options),
                scoped_name=scoped_name,
                tests=use.tests,
                first=first,
            )
            return self._of_size(self.called(attribute, loop), size)
        # After a loop, Keras numbers the layers, because their count is known only at run time.
        self._looped_kinds |= {kind} if loop and name is None else set()
        is_named = name is not None or kind in self._looped_kinds
        name_option = () if is_named else (f'name="{attribute}"',)
        self.make(attribute, function, init_args, loop, targets, (*options, *name_option))
        return self.called(attribute, loop)

    def _class(self, layer: str) -> str:
        """Returns the text of a class, such as "layers.Dense" or "porting.BagOfWords"."""
        if layer.startswith("porting."):
            package, imports = bridged_configs.module(self.file, "porting")
            layer = layer.removeprefix("porting.")
        else:
            package, imports = modern_names.keras(self.file)
        self.imports.update(imports)
        return f"{package}.{layer}"

    def called(self, attribute: str, loop: ast.For | None) -> str:
        """Returns the expression of an object, for which a loop has a variable."""
        if loop in self.nests.loops:
            return f"next({attribute})"
        return attribute if loop else f"self.{attribute}"

    def _of_size(self, text: str, size: ast.expr | None) -> str:
        """Returns the expression of a layer whose size only `call` may know."""
        return text if size is None else f"{text}.of_size({self.rendered.text(size)})"

    def _size(
        self, layer: str, init_args: dict[str, ast.expr], targets: frozenset[str]
    ) -> ast.expr | None:
        """Returns the size of a layer if only `call` knows it, from the shape of a tensor."""
        size = _named(layer, init_args).get(_SIZES.get(layer, ""))
        if size is None or not self.known.unknown(size) - targets:
            return None
        return size if self.known.is_size(size) else None

    def make(
        self,
        attribute: str,
        function: str,
        init_args: dict[str, ast.expr],
        loop: ast.For | None,
        targets: frozenset[str] = frozenset(),
        options: Sequence[str] = (),
        scoped_name: ScopedName | None = None,
        tests: tuple[str, ...] = (),
        first: str = "",
    ) -> None:
        """Adds an object that __init__ makes."""
        for value in init_args.values():
            self.known.check(value, targets)
            if not self.around.is_guarded(value, loop, tests):
                self.known.check_branch(value)
        if loop and loop not in self.nests.loops:
            self.known.check(loop.iter)
        self.leave_out(init_args.values())
        texts = {key: self.init_rendered.one_line(value) for key, value in init_args.items()}
        parts = [text if key.isdigit() else f"{key}={text}" for key, text in texts.items()]
        item = Object(
            attribute,
            function,
            (*filter(None, [first]), *parts, *options),
            loop,
            (*init_args.values(),),
            scoped_name,
            tests,
            node=self.node,
        )
        self.items.append(item)

    def replace(self, node: ast.AST, text: str) -> None:
        """Replaces a node of `call` by a text."""
        self.rendered.replace(node, text)
        self.replaced_ids.add(id(node))
        if isinstance(node, ast.Call):
            self.leave_out([node.func])

    def leave_out(self, nodes: Iterable[ast.AST]) -> None:
        """Notes that only `__init__` contains some nodes."""
        for node in nodes:
            self.left_out.update(id(part) for part in ast.walk(node))

    def free(self, name: str, in_loop: bool = False) -> str:
        """Returns an unused name for an attribute."""
        used_names = {item.attribute for item in self.items} | self.scope.static
        used_names |= {*map(naming.stored, self.scope.static)}
        return naming.free(name, used_names | (self.scope.local if in_loop else set()))


def _named(layer: str, init_args: dict[str, ast.expr]) -> dict[str, ast.expr]:
    """Returns the arguments of a layer by the parameters of its class."""
    keras = layer.rpartition(".")[2]
    names = iter(next((kind.parameters for kind in _LAYERS if kind.keras == keras), ()))
    return {next(names, key) if key.isdigit() else key: v for key, v in init_args.items()}


def _without_size(layer: str, init_args: dict[str, ast.expr]) -> dict[str, ast.expr]:
    """Returns the arguments of a layer by parameter, without its size."""
    named_args = _named(layer, init_args)
    return {key: value for key, value in named_args.items() if key != _SIZES[layer]}
