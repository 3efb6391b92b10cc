"""Turns the layers of a forward pass into objects that are made once and hold their variables.

    objects = Objects(file, scope, rendered, helpers)
    objects.made, objects.setup

For example, a call of tf.layers becomes a layer that __init__ makes, and a call of that layer. The
same holds for a Keras layer that a model_fn makes where it uses it, for a Keras model from a
function of the file, and for a function of the file with layers. A variable of tf.get_variable
becomes a weight. The layers of a loop become a list.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, layer_calls, modern_names
from migrate.rewrite.engine import arguments
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, rendering
from migrate.rewrite.model_fns.analysis import checks, keras_objects, slices
from migrate.rewrite.model_fns.analysis.known_values import KnownValues, Scope
from migrate.rewrite.model_fns.analysis.modes import MODES
from migrate.rewrite.model_fns.analysis.scopes import Scopes
from migrate.rewrite.model_fns.layers import contrib_layers, naming, recurrent
from migrate.rewrite.model_fns.layers.variable_names import ScopedName
from migrate.rewrite.model_fns.rendering import Rendered

_LAYERS = {**layer_calls.WITHOUT_VARIABLES, **layer_calls.WITH_VARIABLES}
_WITHOUT_VARIABLES = frozenset(one.keras for one in layer_calls.WITHOUT_VARIABLES.values())
_WEIGHT = ("name", "shape", "dtype", "initializer", "regularizer", "trainable")
_INPUT_LAYER = ("features", "feature_columns", "weight_collections", "trainable")
# Nodes that may make a layer any number of times, or not at all.
_INNER = (
    *(ast.DictComp, ast.FunctionDef, ast.GeneratorExp, ast.Lambda, ast.ListComp, ast.SetComp),
    *(ast.Try, ast.While, ast.With, ast.comprehension),
)


class Object(NamedTuple):
    """An object that __init__ makes.

    Attributes:
      attribute: Name of its attribute.
      function: Function that makes it.
      parts: Arguments of that function.
      loop: Loop that uses it, or None if it is used once.
      kept: Expressions that it is made of.
      scoped_name: Name that it gives its variables. None if it gives none, or if it is not known.
      tests: Conditions under which it is used, if they are known when it is made.
    """

    attribute: str
    function: str
    parts: tuple[str, ...]
    loop: ast.For | None
    kept: tuple[ast.expr, ...]
    scoped_name: ScopedName | None = None
    tests: tuple[str, ...] = ()


class Part(NamedTuple):
    """A call of a function of the file that has layers.

    Attributes:
      function: Class that replaces the function.
      kept: Arguments of the class, by its parameters.
      inputs: Arguments of the call.
      trains: Text of its training argument, such as "training" for the mode of Keras. "" for none.
      is_shared: Whether it has the variables of an earlier call.
      normalizes: Whether it has batch normalization.
    """

    function: str
    kept: dict[str, ast.expr]
    inputs: list[ast.expr]
    trains: str
    is_shared: bool
    normalizes: bool


class Objects:
    """The objects of a function, and its text that calls them."""

    def __init__(
        self,
        file: SourceFile,
        scope: Scope,
        rendered: Rendered,
        part: Callable[[Scope, ast.Call, frozenset[str]], Part | None],
    ) -> None:
        """Finds the layers.

        Args:
          file: The file.
          scope: The function.
          rendered: Receives the new texts of the calls.
          part: Returns the class of a called function, or None if the function has no layers.

        Raises:
          NotUnderstood: The function makes variables, or may make them, in a way that is not
            supported.
        """
        self._file, self._scope, self._rendered, self._part = file, scope, rendered, part
        self.items: list[Object] = []
        self.imports: set[Import] = set()
        self.made = Rendered(file)  # Texts of nodes in __init__ that are replaced.
        self.left_out: set[int] = set()  # Ids of nodes that only __init__ contains.
        self._known = KnownValues(file, scope)
        self.scopes = Scopes(file, scope.function)
        self.shared: set[str] = set()  # Classes with an object that is called several times.
        self._paths: dict[str, tuple[str, ...]] = {}
        self._more_reads: set[str] = set()
        self._settled: frozenset[str] = frozenset()  # Names with several known values in turn.
        self._looped: set[str] = set()  # Kinds of layers whose number is not known.
        self._taken: set[int] = set()
        self._cells: set[int] = set()  # Ids of calls that make RNN cells.
        self._untold: set[int] = set()  # Ids of calls of models that never trained.
        for node, text in scope.texts.items():
            rendered.replace(node, text)
            self.made.replace(node, text)
        for test, text in scope.modes.tests().items():
            rendered.replace(test, text)
            self._taken.update(id(part) for part in ast.walk(test))
        calls = [
            (statement, node)
            for statement in scope.statements
            for node in ast.walk(statement)
            if isinstance(node, ast.Call) and id(node) not in self._taken
        ]
        # Inner calls end first. The texts of outer calls contain their replacements.
        for statement, node in sorted(calls, key=lambda pair: file.span(pair[1])[1]):
            self._take(statement, node)
        for statement in self.forward():
            scope.modes.refuse_others(statement)
            checks.refuse(file, statement, scope.local, self._taken | self.left_out)
            if any(id(part) in self._cells - self.left_out for part in ast.walk(statement)):
                raise NotUnderstood(f"the cell in line {statement.lineno} has other uses")

    # Layers.

    def _take(self, statement: ast.stmt, node: ast.Call) -> None:
        """Makes an object of a call, if it is the call of a layer."""
        if id(node) in self._untold:
            self._tell(node)
            return
        name = self._file.name_of(node.func) or ""
        made = self._file.name_of(node.func.func) if isinstance(node.func, ast.Call) else None
        if name.startswith("tf.layers.") and name.rpartition(".")[2] in _LAYERS:
            self._take_function(statement, node, name.rpartition(".")[2])
        elif isinstance(node.func, ast.Call) and (made or "").startswith(keras_objects.LAYERS):
            self._take_made(statement, node, node.func, (made or "").rpartition(".")[2])
        elif name.startswith(("tf.contrib.rnn.", "tf.nn.")):
            self._take_recurrent(statement, node, name)
        elif name.startswith("tf.contrib."):
            self._take_contrib(statement, node, name)
        elif name == "tf.get_variable":
            self._take_variable(statement, node)
        elif name == "tf.feature_column.input_layer":
            self._take_columns(statement, node)
        elif self._makes_model(statement, node, name):
            self._take_model(statement, node)
        elif isinstance(node.func, ast.Name) and not name:
            self._take_part(statement, node, node.func.id)

    def _take_function(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces tf.layers.dense(x, 3) by tf_keras.layers.Dense(3), and a call of it."""
        layer = _LAYERS[name]
        reason = layer_calls.by_hand(name, layer, node)
        args = arguments.bind(node, ("inputs", *layer.parameters))
        if reason or args is None:
            raise NotUnderstood(reason)
        if "activity_regularizer" in args:
            raise NotUnderstood(f"tf.layers.{name} has an activity_regularizer")
        kept = {str(i): value for i, value in enumerate(node.args) if value is not args["inputs"]}
        for keyword in node.keywords:
            if keyword.arg != "inputs" and keyword.arg not in layer.called:
                kept[str(keyword.arg)] = keyword.value
        options = [
            f", {key}={self._rendered.text(args[key])}" for key in layer.called if key in args
        ]
        options += [f", {key}=False" for key in layer.called if key not in args]
        told = self._rendered.text(args["training"]) if "training" in args else ""
        self._check_told(node, f"tf.layers.{name}", name == "batch_normalization", told)
        attribute = self._add(statement, node, f"layers.{layer.keras}", kept, name)
        inputs = self._rendered.text(args["inputs"])
        self._replace(node, f"{attribute}({inputs}{''.join(options)})")

    def _take_made(
        self, statement: ast.stmt, call: ast.Call, constructor: ast.Call, name: str
    ) -> None:
        """Replaces tf_keras.layers.Dense(3)(x) by the layer, and a call of it."""
        untold = keras_objects.untold(self._file, constructor, [call])
        options = {keyword.arg: keyword.value for keyword in call.keywords}
        told = self._rendered.text(options["training"]) if "training" in options else ""
        self._check_told(constructor, name, name == "BatchNormalization", told)
        attribute = self._add(
            statement, constructor, f"layers.{name}", _arguments(constructor), naming.snake(name)
        )
        self._replace(constructor, attribute)
        if untold:
            self._tell(call)

    def _tell(self, call: ast.Call) -> None:
        """Adds `training=False` to a call of a layer or model that never trained."""
        given = [self._rendered.text(one) for one in call.args]
        given += [f"{one.arg}={self._rendered.text(one.value)}" for one in call.keywords]
        function = self._rendered.text(call.func)
        self._rendered.replace(call, f"{function}({', '.join(given)}, training=False)")

    def _take_contrib(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces tf.contrib.layers.fully_connected(x, 3) by a Dense layer, and a call of it."""
        found = contrib_layers.read(name, node)
        if found is None:
            return
        kept = {**found.kept, **({"name": found.name} if found.name is not None else {})}
        kind = contrib_layers.default_name(name)
        attribute = self._add(statement, node, f"layers.{found.keras}", kept, kind, found.more)
        training = found.training
        training = self._rendered.text(training) if isinstance(training, ast.expr) else training
        option = f", training={training}" if training else ""
        self._replace(node, f"{attribute}({self._rendered.text(found.inputs)}{option})")

    def _take_variable(self, statement: ast.stmt, node: ast.Call) -> None:
        """Replaces tf.get_variable("w", [3]) by a weight of the model."""
        args = arguments.bind(node, ("name", "shape", "dtype", "initializer", "regularizer"))
        if args is None or set(args) - set(_WEIGHT) or not {"name", "shape"} <= set(args):
            raise NotUnderstood(f"the variable in line {node.lineno} has unsupported arguments")
        name = args["name"]
        if not isinstance(name, ast.Constant) or self._loop(statement, node):
            raise NotUnderstood(f"the name of the variable in line {node.lineno} is unknown")
        self.scopes.enter(node, name)
        attribute = self._free(str(name.value))
        named = self._named(node, name, "")
        tests = self._tests(node, None)
        self._make(attribute, "self.add_weight", args, None, named=named, tests=tests)
        self._replace(node, f"self.{attribute}")

    def _take_recurrent(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces tf.nn.dynamic_rnn(cell, x) by a layer with the cell, and a call of it."""
        inner = recurrent.unwrapped(node, name)
        if inner is not None:
            self._make_cell(node, self._text_of(inner), inner)
            return
        made = recurrent.cell(self._file, node, name)
        found = recurrent.run(self._file, node, name) if made is None else None
        if made is None and found is None:
            return
        module, imports = bridged_configs.module(self._file, "recurrent_layers")
        self.imports.update(imports)
        if made is not None:
            layer, args, scope = made
            texts = [f"{key}={self._text_of(value)}" for key, value in args.items()]
            if texts and texts[0].startswith(("cells=", "units=")):
                texts[0] = texts[0].partition("=")[2]
            if "name" not in args:
                texts.append(f'name="{scope}"')
            self._make_cell(node, f"{module}.{layer}({', '.join(texts)})", args.get("cells"))
            return
        assert found is not None
        for one in found.cells:
            self._check_cell(one, ())
        if self._loop(statement, node):
            raise NotUnderstood(f"{name} in line {node.lineno} is in a loop")
        self.scopes.enter(node, found.scope)
        wanted = self.scopes.default_name(node, found.kind)
        if isinstance(found.scope, ast.Constant):
            wanted = str(found.scope.value)
        attribute = self._free(wanted)
        own = found.scope or ast.Constant(found.kind)
        scoped = ScopedName(self._scopes_of(node, frozenset()), ast.unparse(own), found.kind)
        kept = {str(i): one for i, one in enumerate(found.cells)}
        tests = self._tests(node, None)
        settled = self._known.settled(statement)
        self._settled |= settled
        function = f"{module}.{found.layer}"
        self._make(attribute, function, kept, None, settled, found.options, scoped, tests)
        texts = [self._rendered.text(found.inputs)]
        texts += [f"{key}={self._rendered.text(value)}" for key, value in found.called.items()]
        self._replace(node, f"self.{attribute}({', '.join(texts)})")

    def _make_cell(self, node: ast.Call, text: str, inner: ast.expr | None) -> None:
        """Replaces the call that makes a cell, also one with inner cells."""
        self._cells.add(id(node))
        if inner is not None:
            self._check_cell(inner, ())
        self.made.replace(node, text)
        self._taken.update(id(part) for part in ast.walk(node))

    def _check_cell(self, node: ast.expr, seen: tuple[str, ...]) -> None:
        """Refuses an expression that may have other cells than those of `recurrent_layers`."""
        parts: list[ast.expr] = []
        is_known = id(node) in self._cells or isinstance(node, ast.Name) and node.id in seen
        if isinstance(node, ast.Name) and not is_known:
            earlier = (one for one in self._known.statements if one.lineno < node.lineno)
            bound = [one for one in earlier if node.id in slices.bound(one)]
            parts = [one.value for one in bound if isinstance(one, ast.Assign)]
            seen = (*seen, node.id)
        elif isinstance(node, (ast.List, ast.Tuple)):
            parts = node.elts
        elif isinstance(node, ast.ListComp):
            parts = [node.elt]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            parts = [node.left, node.right]
        if not parts and not is_known:
            raise NotUnderstood(f"{ast.unparse(node)[:40]} in line {node.lineno} is another cell")
        for part in parts:
            self._check_cell(part, seen)

    def _text_of(self, node: ast.expr) -> str:
        """Returns the text of an expression in `__init__`, on one line."""
        text = self.made.text(node)
        if "\n" not in text:
            return text
        return ast.unparse(ast.parse(f"({text})", mode="eval"))

    def _take_columns(self, statement: ast.stmt, node: ast.Call) -> None:
        """Replaces tf.feature_column.input_layer(features, columns) by a layer for columns."""
        args = arguments.bind(node, _INPUT_LAYER)
        if args is None or set(args) != {"features", "feature_columns"}:
            raise NotUnderstood(f"input_layer in line {node.lineno} has unsupported arguments")
        kept = {"0": args["feature_columns"]}
        attribute = self._add(statement, node, "layers.DenseFeatures", kept, "input_layer")
        self._replace(node, f"{attribute}({self._rendered.text(args['features'])})")

    def _makes_model(self, statement: ast.stmt, node: ast.Call, name: str) -> bool:
        """Says whether a statement only assigns a Keras model, or a layer, to a name."""
        if not isinstance(statement, ast.Assign) or statement.value is not node:
            return False
        if name or not isinstance(node.func, ast.Name):
            return name.startswith(keras_objects.MODELS)
        is_made = keras_objects.maker(self._file, node, self._scope.local) is not None
        return is_made and self._known.is_known(node)

    def _take_model(self, statement: ast.stmt, node: ast.Call) -> None:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name):
            raise NotUnderstood(f"the model in line {node.lineno} is not assigned to a name")
        bound = [
            statement
            for statement in self._scope.statements
            if target.id in slices.bound(statement)
        ]
        if len(bound) > 1 or self._loop(statement, node):
            raise NotUnderstood(f"{target.id} in line {node.lineno} is created more than once")
        maker = keras_objects.maker(self._file, node, self._scope.local)
        calls = self._calls_of(target.id)
        untold = keras_objects.untold(self._file, maker or node, calls)
        self._untold |= {id(call) for call in untold}
        attribute = self._free(target.id)
        self._make(attribute, self._file.segment(node.func), _arguments(node), None)
        self._leave_out([statement])
        for other in ast.walk(self._scope.function):
            if isinstance(other, ast.Name) and other.id == target.id and other is not target:
                self._replace(other, f"self.{attribute}")
                self._leave_out([other])
                self._taken.add(id(self._file.parent(other)))

    def _calls_of(self, name: str) -> Iterator[ast.Call]:
        for node in ast.walk(self._scope.function):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == name:
                yield node

    def _take_part(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces network(x, 3) by a layer that is made with 3, and a call of it with x."""
        loop = self._loop(statement, node, is_layer=False)
        targets = frozenset(slices.bound(loop.target)) if loop else frozenset()
        part = self._part(self._scope, node, self._known.names | targets)
        if part is None:
            return
        self._check_told(node, part.function, part.normalizes, part.trains)
        loop = self._loop(statement, node)
        path = self.scopes.path(node)
        if part.is_shared:
            self.shared.add(part.function)
            if loop and any(
                slices.read(value) & targets for value in (*part.kept.values(), *map(_parsed, path))
            ):
                raise NotUnderstood(f"the layers that are reused in line {node.lineno} are unknown")
            loop = None
        same = [item for item in self.items if item.function == part.function and not item.loop]
        earlier = [item for item in same if self._paths[item.attribute] == path]
        if part.is_shared and earlier:
            attribute = self._shared(node, part, earlier[-1])
        else:
            attribute = self._free(naming.snake(part.function), in_loop=loop is not None)
            self._paths[attribute] = path
            named = ScopedName(self._scopes_of(node, targets), None, "")
            tests = () if part.is_shared else self._tests(node, loop)
            self._make(attribute, part.function, part.kept, loop, targets, named=named, tests=tests)
        given = [self._rendered.text(value) for value in part.inputs]
        given += [f"training={part.trains}"] if part.trains else []
        function = attribute if loop else f"self.{attribute}"
        self._replace(node, f"{function}({', '.join(given)})")

    def _check_told(self, node: ast.Call, name: str, normalizes: bool, trains: str) -> None:
        """Refuses batch normalization that would update its averages outside of training."""
        if normalizes and trains not in ("", "False", "training"):
            raise NotUnderstood(f"{name} in line {node.lineno} always normalizes as in training")

    def _shared(self, node: ast.Call, part: Part, earlier: Object) -> str:
        """Returns the attribute of an earlier call, for a call that shares its variables."""
        made = [ast.dump(one) for one in part.kept.values()]
        if made != [ast.dump(one) for one in earlier.kept]:
            raise NotUnderstood(
                f"the layers that are reused in line {node.lineno} have other arguments"
            )
        self._leave_out(part.kept.values())
        return earlier.attribute

    def _add(
        self,
        statement: ast.stmt,
        node: ast.Call,
        layer: str,
        kept: dict[str, ast.expr],
        kind: str,
        more: Sequence[str] = (),
    ) -> str:
        """Adds a Keras layer, and returns the expression to call."""
        loop = self._loop(statement, node)
        targets = frozenset(slices.bound(loop.target)) if loop else frozenset()
        name = kept.get("name")
        self.scopes.enter(node, name)
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            wanted = name.value
        else:
            wanted = self.scopes.default_name(node, kind)
        attribute = self._free(wanted, in_loop=loop is not None)
        keras, imports = modern_names.keras(self._file)
        self.imports.update(imports)
        named = None
        if layer.rpartition(".")[2] not in _WITHOUT_VARIABLES:
            named = self._named(node, name, kind, targets)
        if named is not None:
            tests = self._tests(node, loop)
            self._make(attribute, f"{keras}.{layer}", kept, loop, targets, more, named, tests)
            return attribute if loop else f"self.{attribute}"
        # After a loop, Keras numbers the layers, because their count is known only at run time.
        self._looped |= {kind} if loop and name is None else set()
        is_named = name is not None or kind in self._looped
        own = () if is_named else (f'name="{attribute}"',)
        self._make(attribute, f"{keras}.{layer}", kept, loop, targets, (*more, *own))
        return attribute if loop else f"self.{attribute}"

    def _named(
        self,
        node: ast.Call,
        name: ast.expr | None,
        kind: str,
        targets: frozenset[str] = frozenset(),
    ) -> ScopedName | None:
        """Returns the name of a layer or variable. None if it may not be a string.

        Args:
          node: Call that makes it.
          name: Name that the program gives it, or None.
          kind: Name that TensorFlow gives to layers of its kind.
          targets: Variables of the loop around it, which are known too.
        """
        if name is None or modern_names.is_constant(name, None):
            return ScopedName(self._scopes_of(node, targets), None, kind)
        if isinstance(name, ast.Name) and name.id in self._maybe_none():
            return None
        text = rendering.one_line(self._file, name)
        return ScopedName(self._scopes_of(node, targets), text, kind)

    def _scopes_of(self, node: ast.AST, targets: frozenset[str]) -> tuple[str, ...]:
        """Returns the names of variable scopes around a call, where they are known in __init__."""
        found = []
        for call in self.scopes.around(node):
            scope = call.args[0]
            is_text = isinstance(scope, (ast.BinOp, ast.JoinedStr, ast.Name)) or (
                isinstance(scope, ast.Call) and isinstance(scope.func, ast.Attribute)
            )
            is_text = is_text or isinstance(scope, ast.Constant) and bool(scope.value)
            reads = slices.read(scope) - targets
            known = not reads & self._scope.local - self._known.names
            if is_text and known and not reads & self._maybe_none() and len(call.args) == 1:
                found.append(rendering.one_line(self._file, scope))
                self._more_reads |= reads
        return tuple(found)

    def _tests(self, node: ast.AST, loop: ast.For | None) -> tuple[str, ...]:
        """Returns the known conditions under which a layer is called, the outermost first.

        Args:
          node: Call of the layer.
          loop: Loop of the layer. Only conditions around the loop count.
        """
        found: list[str] = []
        child: ast.AST = node if loop is None else loop
        parent = self._file.parent(child)
        while parent is not None and parent is not self._scope.function:
            if isinstance(parent, ast.If) and child is not parent.test:
                test = parent.test
                of_mode = any(self._scope.modes.truth(test, one) is not None for one in MODES)
                if not of_mode and self._known.is_known(test):
                    text = rendering.one_line(self._file, test)
                    found.insert(0, text if child in parent.body else f"not ({text})")
                    self._more_reads |= slices.read(test)
            child, parent = parent, self._file.parent(parent)
        return tuple(found)

    def _maybe_none(self) -> set[str]:
        """Returns the parameters of the function whose default is None."""
        arguments = self._scope.function.args
        defaults = dict(
            zip([one.arg for one in arguments.args][::-1], arguments.defaults[::-1], strict=False)
        )
        defaults.update(
            (one.arg, value)
            for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if value is not None
        )
        return {n for n, value in defaults.items() if modern_names.is_constant(value, None)}

    def _make(
        self,
        attribute: str,
        function: str,
        kept: dict[str, ast.expr],
        loop: ast.For | None,
        targets: frozenset[str] = frozenset(),
        more: Sequence[str] = (),
        named: ScopedName | None = None,
        tests: tuple[str, ...] = (),
    ) -> None:
        """Adds an object that __init__ makes."""
        for value in kept.values():
            self._known.check(value, targets)
            self._known.check_branch(value)
        if loop:
            self._known.check(loop.iter)
        self._leave_out(kept.values())
        texts = {key: self._text_of(value) for key, value in kept.items()}
        parts = [text if key.isdigit() else f"{key}={text}" for key, text in texts.items()]
        item = Object(attribute, function, (*parts, *more), loop, (*kept.values(),), named, tests)
        self.items.append(item)

    def _replace(self, node: ast.AST, text: str) -> None:
        self._rendered.replace(node, text)
        self._taken.add(id(node))
        if isinstance(node, ast.Call):
            self._leave_out([node.func])

    def _free(self, name: str, in_loop: bool = False) -> str:
        """Returns an unused name for an attribute."""
        taken = {item.attribute for item in self.items} | self._scope.static
        return naming.free(name, taken | (self._scope.local if in_loop else set()))

    def _loop(self, statement: ast.stmt, node: ast.expr, is_layer: bool = True) -> ast.For | None:
        """Returns the loop of the forward pass around a call."""
        loop = None
        at: ast.AST | None = node
        while at is not None and at is not self._file.parent(statement):
            if isinstance(at, ast.For):
                if is_layer and (loop is not None or at.orelse):
                    raise NotUnderstood(f"a layer in line {node.lineno} is in a nested loop")
                loop = at
            elif isinstance(at, _INNER) and is_layer:
                kind = type(at).__name__
                raise NotUnderstood(f"a layer in line {node.lineno} is created inside a {kind}")
            at = self._file.parent(at)
        return loop

    def _leave_out(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.left_out.update(id(part) for part in ast.walk(node))

    # Remaining statements.

    @property
    def setup(self) -> list[ast.stmt]:
        """The statements that __init__ needs before it makes the objects."""
        wanted = set(self._more_reads)
        for item in self.items:
            wanted = wanted.union(*map(slices.read, item.kept))
            wanted |= slices.read(item.loop.iter) if item.loop else set()
        return slices.needed(self._known.statements, wanted & (self._known.names | self._settled))

    def forward(self) -> list[ast.stmt]:
        """Returns the statements of `call`, without those that only __init__ needs."""
        wanted = set(self._scope.outputs)
        statements: list[ast.stmt] = []
        for statement in reversed(self._scope.statements):
            is_wanted = slices.bound(statement) & wanted or isinstance(statement, ast.Return)
            if id(statement) in self.left_out or not is_wanted:
                continue
            statements.append(statement)
            wanted = (wanted - slices.replaces(statement)) | slices.read_outside(
                statement, self.left_out
            )
        return statements[::-1]


def _arguments(call: ast.Call) -> dict[str, ast.expr]:
    """Returns the arguments of a call, by position or name."""
    if any(isinstance(value, ast.Starred) for value in call.args):
        raise NotUnderstood(f"a layer in line {call.lineno} is created with *args")
    if any(keyword.arg is None for keyword in call.keywords):
        raise NotUnderstood(f"a layer in line {call.lineno} is created with **kwargs")
    found = {str(i): value for i, value in enumerate(call.args)}
    return {**found, **{str(keyword.arg): keyword.value for keyword in call.keywords}}


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
