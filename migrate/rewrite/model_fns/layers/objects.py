"""Turns the layers of a forward pass into objects that are made once and hold their variables.

    objects = Objects(file, scope, rendered, helpers)
    objects.setup, objects.items, objects.forward()

For example, a call of tf.layers becomes a layer that __init__ makes, and a call of that layer. The
same holds for a Keras layer that a model_fn makes and calls at once, for a Keras model from a
function of the file, and for a function of the file with layers. A variable of tf.get_variable
becomes a weight. The layers of a loop become a list.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from migrate.rewrite.analysis import bridged_configs, layer_calls
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood, rendering
from migrate.rewrite.model_fns.analysis import checks, keras_objects, slices
from migrate.rewrite.model_fns.analysis.known_values import KnownValues, Scope
from migrate.rewrite.model_fns.analysis.modes import MODES
from migrate.rewrite.model_fns.analysis.scopes import Entry, Scopes, has_constant_name
from migrate.rewrite.model_fns.layers import (
    contrib_layers,
    dropout_rates,
    initial_values,
    naming,
    recurrent,
    variable_sums,
)
from migrate.rewrite.model_fns.layers.cell_dropout import Dropouts
from migrate.rewrite.model_fns.layers.contrib_layers import ContribLayer
from migrate.rewrite.model_fns.layers.initial_values import InitialValue
from migrate.rewrite.model_fns.layers.loop_nests import LoopNests
from migrate.rewrite.model_fns.layers.recurrent import Run
from migrate.rewrite.model_fns.layers.recurrent_cells import Cells
from migrate.rewrite.model_fns.layers.shared_objects import SharedObjects, Use
from migrate.rewrite.model_fns.layers.variable_names import ScopedName
from migrate.rewrite.model_fns.rendering import Rendered
from migrate.rewrite.names import modern_names

_LAYERS = {**layer_calls.WITHOUT_VARIABLES, **layer_calls.WITH_VARIABLES}
# First parameters of the classes of layers that `porting.SizedLayer` can make.
_SIZES = {
    f"layers.{layer.keras}": layer.parameters[0]
    for layer in layer_calls.WITH_VARIABLES.values()
    if layer.parameters[0] in ("filters", "units")
}
_WITHOUT_VARIABLES = frozenset(layer.keras for layer in layer_calls.WITHOUT_VARIABLES.values())
_REUSE = "reuse"
_WEIGHT = ("name", "shape", "dtype", "initializer", "regularizer", "trainable")
_INPUT_LAYER = ("features", "feature_columns", "weight_collections", "trainable")
# Text of statements that only `__init__` has.
DROPPED = "__dropped__"
# Nodes that may make a layer several times, or not at all.
_INNER = (
    *(ast.DictComp, ast.FunctionDef, ast.GeneratorExp, ast.Lambda, ast.ListComp, ast.SetComp),
    *(ast.Try, ast.While, ast.With, ast.comprehension),
)


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


class Part(NamedTuple):
    """A call of a function of the file that has layers.

    Attributes:
      function: Class that replaces the function.
      arguments: Arguments of the class, by parameter.
      inputs: Arguments of the call.
      trains: Text of the training argument, such as "training" for the mode of Keras. "" for none.
      is_shared: Whether the call uses the variables of an earlier call.
      normalizes: Whether the class has batch normalization.
      makes_variables: Whether each call of the function makes variables by tf.Variable.
      numbers_scopes: Whether TensorFlow numbers the scopes of such variables in each call.
    """

    function: str
    arguments: dict[str, ast.expr]
    inputs: list[ast.expr]
    trains: str
    is_shared: bool
    normalizes: bool
    makes_variables: bool
    numbers_scopes: bool


class Objects:
    """The objects of a function, and its statements, which call them."""

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
        self.init_rendered = Rendered(file)  # Texts of replaced nodes in __init__.
        self.left_out: set[int] = set()  # Ids of nodes that only __init__ contains.
        dropouts = Dropouts(file, scope)
        self._known = KnownValues(file, scope, dropouts.replaced_ids)
        self.nests = LoopNests(file, scope, self._known)
        self.scopes = Scopes(file, scope.function, scope.modes)
        self._shared = SharedObjects(self._known)
        # Classes with an object that is called several times.
        self.shared_classes: set[str] = set()
        # Whether a variable is new in each call, as tf.Variable is in any scope.
        self.makes_variables = self.numbers_scopes = False
        # Texts of what loops iterate over, without the objects that the loops get.
        self.loop_sources: dict[ast.For, str] = {}
        self._paths: dict[str, tuple[str, ...]] = {}
        self._more_reads: set[str] = set()
        # Names that get several known values one after another.
        self._settled: frozenset[str] = frozenset()
        self._looped_kinds: set[str] = set()  # Kinds of layers whose count is not known.
        self._replaced_ids: set[int] = set()
        self._cells = Cells(file, self._known.statements, self.init_rendered, dropouts)
        self._inference_calls: set[int] = set()  # Ids of calls of models that never train.
        self._variable_names: set[str] = set()  # Names that the function gives to variables.
        for node, text in scope.texts.items():
            rendered.replace(node, text)
            self.init_rendered.replace(node, text)
        for test, text in scope.modes.tests().items():
            rendered.replace(test, text)
            self._replaced_ids.update(id(part) for part in ast.walk(test))
        calls = [
            (statement, node)
            for statement in scope.statements
            for node in ast.walk(statement)
            if isinstance(node, ast.Call) and id(node) not in self._replaced_ids
        ]
        # Inner calls end first. The texts of outer calls contain their replacements.
        for statement, node in sorted(calls, key=lambda pair: file.span(pair[1])[1]):
            self._node = node
            self._take(statement, node)
        variable_sums.write(file, scope.function, self._variable_names, rendered)
        self._drop_unread()
        self.end_scopes()
        for statement in self.forward():
            scope.modes.refuse_others(statement)
            checks.refuse(file, statement, scope.local, self._replaced_ids | self.left_out)
            self._cells.refuse_use(statement, self.left_out)

    def end_scopes(self) -> None:
        """Removes the variable scopes in statements. The names of their layers contain them."""
        scopes = [
            node
            for statement in self._scope.statements
            for node in ast.walk(statement)
            if isinstance(node, ast.With) and self._is_variable_scope(node)
        ]
        for node in sorted(scopes, key=lambda scope: -scope.lineno):
            self._rendered.restore(node)
            indent = self._file.indent(node.lineno)
            lines = [self._rendered.statement(child, indent) for child in node.body]
            self._rendered.replace(node, "\n".join(lines).removeprefix(indent))
            self._leave_out(node.items)

    def _drop_unread(self) -> None:
        """Leaves out the statements of loops that compute values for `__init__` only."""
        for node in ast.walk(self._scope.function):
            if self._is_variable_scope(node) and isinstance(node, ast.With):
                self._leave_out(node.items)
        loops = {item.loop for item in self.items if item.loop in self.nests.loops}
        needed_names = self.nests.names & self.repeated_names
        for loop in self.nests.loops:
            if loop not in loops and needed_names & slices.bound(loop):
                raise NotUnderstood(f"the loop in line {loop.lineno} makes no layers")
        count = -1
        while count != (count := len(self.left_out)):
            for part in (part for loop in loops for part in self.nests.computed(loop)):
                if id(part) not in self.left_out and self._is_unread(part):
                    self._rendered.replace(part, DROPPED)
                    self._leave_out([part])

    def _is_unread(self, statement: ast.stmt) -> bool:
        """Says whether `call` reads no name that a statement in a block computes."""
        parent = self._file.parent(statement)
        block = parent.body if isinstance(parent, (ast.For, ast.If, ast.With)) else []
        if not any(id(other) not in self.left_out for other in block if other is not statement):
            return False  # The block would be empty.
        inner = {id(part) for part in ast.walk(statement)} | self.left_out
        nodes = (part for other in self._scope.statements for part in ast.walk(other))
        names = {
            part.id
            for part in nodes
            if isinstance(part, ast.Name) and id(part) not in inner
            if isinstance(part.ctx, ast.Load) or isinstance(self._file.parent(part), ast.AugAssign)
        }
        return not slices.bound(statement) & (names | set(self._scope.outputs))

    def _is_variable_scope(self, node: ast.AST) -> bool:
        """Says whether a node is a `with` of scopes that only name the layers in it."""
        if not isinstance(node, ast.With) or not self._scope.modes.is_transparent(node):
            return False
        calls = [item.context_expr for item in node.items]
        return all(
            self._file.name_of(call.func) == "tf.variable_scope"
            and (len(call.args) == 1 or has_constant_name(call))
            and not modern_names.is_constant(call.args[0], None)
            for call in calls
            if isinstance(call, ast.Call)
        )

    # Layers.

    def _take(self, statement: ast.stmt, node: ast.Call) -> None:
        """Adds an object for a call, if the call runs or makes a layer."""
        if id(node) in self._inference_calls:
            self._add_training_false(node)
            return
        name = self._file.name_of(node.func) or ""
        constructor_name = (
            self._file.name_of(node.func.func) if isinstance(node.func, ast.Call) else None
        )
        if name.startswith("tf.layers.") and name.rpartition(".")[2] in _LAYERS:
            self._take_function(statement, node, name.rpartition(".")[2])
        elif isinstance(node.func, ast.Call) and (constructor_name or "").startswith(
            keras_objects.LAYERS
        ):
            self._take_layer(
                statement, node, node.func, (constructor_name or "").rpartition(".")[2]
            )
        elif name.startswith(("tf.contrib.rnn.", "tf.nn.")):
            self._take_recurrent(statement, node, name)
        elif name.startswith("tf.contrib."):
            self._take_contrib(statement, node, name)
        elif (variable := initial_values.read(node, name)) is not None:
            self._take_initial_value(statement, node, variable)
            self._variable_names.add(_target(self._file.statement(node), node))
        elif name == "tf.get_variable":
            self._take_variable(statement, node)
            self._variable_names.add(_target(self._file.statement(node), node))
        elif name == "tf.feature_column.input_layer":
            self._take_columns(statement, node)
        elif self._makes_model(statement, node, name):
            self._take_model(statement, node)
        elif isinstance(node.func, ast.Name) and not name:
            self._take_part(statement, node, node.func.id)

    def _take_function(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces tf.layers.dense(x, 3) by tf_keras.layers.Dense(3), and a call of it."""
        layer = _LAYERS[name]
        reason = layer_calls.by_hand(name, layer, _without_reuse(node))
        args = arguments.bind(node, ("inputs", *layer.parameters))
        if reason or args is None:
            raise NotUnderstood(reason)
        called = {key: self._rendered.text(args[key]) for key in layer.called if key in args}
        rate = None
        if "rate" in args and called.get("training") in ("True", "training"):
            rate = dropout_rates.in_training(self._scope, args["rate"], unused=0)
            called["training"] = "training" if rate is not None else called["training"]
        init_args = {
            str(i): value for i, value in enumerate(node.args) if value is not args["inputs"]
        }
        for keyword in node.keywords:
            name_of_keyword = str(keyword.arg)
            is_off = layer_calls.is_off(name_of_keyword, keyword.value)
            if not is_off and name_of_keyword not in ("inputs", _REUSE, *layer.called):
                init_args[name_of_keyword] = keyword.value
        if rate is not None:
            self._leave_out([args["rate"]])
            init_args = {
                key: rate if value is args["rate"] else value for key, value in init_args.items()
            }
        if name == "dropout":
            init_args = self._with_noise_shape(init_args, args["inputs"])
        options = [f", {key}={text}" for key, text in called.items()]
        options += [f", {key}=False" for key in layer.called if key not in args]
        training = called.get("training", "")
        self._check_training_argument(
            node, f"tf.layers.{name}", name == "batch_normalization", training
        )
        # Keras' Dropout has no default rate.
        default = ("rate=0.5",) if name == "dropout" and "rate" not in args else ()
        attribute = self._add(statement, node, f"layers.{layer.keras}", init_args, name, default)
        inputs = self._rendered.text(args["inputs"])
        self._replace(node, f"{attribute}({inputs}{''.join(options)})")

    def _with_noise_shape(
        self, init_args: dict[str, ast.expr], inputs: ast.expr
    ) -> dict[str, ast.expr]:
        """Returns the arguments of a dropout, with None for the sizes of its inputs."""
        value = init_args.get("noise_shape")
        shape = dropout_rates.noise_shape(self._file, value, inputs) if value is not None else None
        if value is None or shape is None:
            return init_args
        self._leave_out([value])
        texts = [
            "None" if modern_names.is_constant(size, None) else self.init_rendered.one_line(size)
            for size in shape.elts
        ]
        self.init_rendered.replace(shape, f"[{', '.join(texts)}]")
        return {**init_args, "noise_shape": shape}

    def _take_layer(
        self, statement: ast.stmt, call: ast.Call, constructor: ast.Call, name: str
    ) -> None:
        """Replaces the constructor in tf_keras.layers.Dense(3)(x) by the attribute of the layer."""
        inference_calls = keras_objects.inference_calls(self._file, constructor, [call])
        options = {keyword.arg: keyword.value for keyword in call.keywords}
        training = self._rendered.text(options["training"]) if "training" in options else ""
        self._check_training_argument(constructor, name, name == "BatchNormalization", training)
        init_args = _arguments(constructor)
        if name == "Dropout" and call.args:
            init_args = self._with_noise_shape(init_args, call.args[0])
        if name == "Dropout" and training in ("True", "training"):
            for key in {"0", "rate"} & init_args.keys():
                rate = dropout_rates.in_training(self._scope, init_args[key], unused=0)
                if rate is not None:
                    self._leave_out([init_args[key]])
                    init_args[key] = rate
                    self._replace(options["training"], "training")
        attribute = self._add_keras_layer(statement, constructor, name, init_args)
        self._replace(constructor, attribute)
        self._note_averages(constructor, attribute)
        if inference_calls:
            self._add_training_false(call)

    def _note_averages(self, constructor: ast.Call, attribute: str) -> None:
        """Notes that the averages of an object never changed, if that is so."""
        name = attribute.removeprefix("self.")
        for i, item in enumerate(self.items):
            if item.attribute == name and keras_objects.has_idle_averages(self._file, constructor):
                self.items[i] = item._replace(updates="layer.updates")

    def _add_keras_layer(
        self, statement: ast.stmt, constructor: ast.Call, name: str, init_args: dict[str, ast.expr]
    ) -> str:
        """Adds a Keras layer, whose variables no scope shares. Returns the expression to call."""
        kind = naming.snake(name)
        has_variables = not keras_objects.is_without_variables(name)
        own = ast.unparse(init_args["name"]) if "name" in init_args else f"{kind}()"
        if has_variables:
            entry = self.scopes.enter_new(constructor, own, is_scoped=False)
        else:
            entry = self.scopes.enter(constructor, init_args.get("name"), kind)
        self.makes_variables = self.makes_variables or has_variables
        use = self._use(statement, constructor, entry, f"layers.{name}", init_args)
        use = use._replace(has_variables=has_variables)
        earlier = self._shared.find(use)
        return self._called(earlier, use.loop) if earlier else self._add_new(use, kind)

    def _targets(self, node: ast.AST, loop: ast.For | None) -> frozenset[str]:
        """Returns the names of loops whose values are known where a layer is made.

        Args:
          node: Call of the layer.
          loop: Loop of the layer, or None.
        """
        if loop is None or loop in self.nests.loops:
            return self.nests.names_at(node)
        return frozenset(slices.bound(loop.target))

    def _called(self, attribute: str, loop: ast.For | None) -> str:
        """Returns the expression of an object, for which a loop has a variable."""
        if loop in self.nests.loops:
            return f"next({attribute})"
        return attribute if loop else f"self.{attribute}"

    def _add_training_false(self, call: ast.Call) -> None:
        """Adds `training=False` to a call of a layer or model that never trains."""
        texts = [self._rendered.text(argument) for argument in call.args]
        texts += [
            f"{keyword.arg}={self._rendered.text(keyword.value)}" for keyword in call.keywords
        ]
        function = self._rendered.text(call.func)
        self._rendered.replace(call, f"{function}({', '.join(texts)}, training=False)")

    def _take_contrib(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces tf.contrib.layers.fully_connected(x, 3) by a Dense layer, and a call of it."""
        if name in contrib_layers.SOFTMAX:
            self._take_softmax(node)
            return
        layer = contrib_layers.read(name, node)
        if layer is None:
            return
        keep_prob = None
        if layer.keep_prob is not None:
            keep_prob = dropout_rates.in_training(self._scope, layer.keep_prob, unused=1)
            self._leave_out([layer.keep_prob] if keep_prob is not None else [])
            layer = layer._replace(keep_prob=keep_prob or layer.keep_prob)
        init_args = {**layer.arguments, **({"name": layer.name} if layer.name is not None else {})}
        if layer.keep_prob is not None:
            is_plain = layer.keras == "Dropout" and not layer.arguments
            if layer.training == "True" and is_plain and keep_prob is None:
                self._take_dropout(node, layer, layer.keep_prob)
                return
            rate = f"1 - {modern_names.factor(self._file, layer.keep_prob)}"
            self.init_rendered.replace(layer.keep_prob, rate)
            init_args["rate"] = layer.keep_prob
        training = layer.training
        training = self._rendered.text(training) if isinstance(training, ast.expr) else training
        # A probability of 1 in other modes drops nothing there.
        training = "training" if keep_prob is not None and training == "True" else training
        if layer.keras == "BatchNormalization":
            self._check_training_argument(node, name, True, training or "")
            if not self._is_image(layer.inputs):
                # For inputs of two axes, its averages of the variance differ from Keras'.
                raise NotUnderstood(f"the input of {name} in line {node.lineno} may be no image")
        kind = contrib_layers.default_name(name)
        attribute = self._add(
            statement, node, f"layers.{layer.keras}", init_args, kind, layer.options
        )
        option = f", training={training}" if training else ""
        self._replace(node, f"{attribute}({self._rendered.text(layer.inputs)}{option})")

    def _is_image(self, node: ast.expr) -> bool:
        """Says whether an expression is the result of a convolution or a pooling of images."""
        while isinstance(node, ast.Name):
            values = [
                statement.value
                for statement in self._scope.statements
                if isinstance(statement, ast.Assign)
                and statement.lineno < node.lineno
                and node.id in slices.bound(statement)
            ]
            if not values:
                return False
            node = values[-1]
        name = self._file.name_of(node.func) if isinstance(node, ast.Call) else None
        return "2d" in (name or "").rpartition(".")[2].lower()

    def _take_softmax(self, node: ast.Call) -> None:
        """Replaces tf.contrib.layers.softmax(x) by tf.nn.softmax, which has no variables either."""
        args = arguments.bind(node, ("logits", "scope"))
        if args is None or "logits" not in args or set(args) - {"logits", "scope"}:
            raise NotUnderstood(f"the softmax in line {node.lineno} has unsupported arguments")
        module, imports = modern_names.tensorflow_2(self._file)
        self.imports.update(imports)
        self._leave_out([args["scope"]] if "scope" in args else [])
        self._replace(node, f"{module}.nn.softmax({self._rendered.text(args['logits'])})")

    def _take_dropout(self, node: ast.Call, layer: ContribLayer, keep_prob: ast.expr) -> None:
        """Replaces tf.contrib.layers.dropout(x, keep_prob) by tf.nn.dropout, as it has no mode."""
        module, imports = modern_names.tensorflow_2(self._file)
        self.imports.update(imports)
        rate = self._rendered.text(keep_prob)
        rate = rate if isinstance(keep_prob, (ast.Name, ast.Subscript)) else f"({rate})"
        inputs = self._rendered.text(layer.inputs)
        self._replace(node, f"{module}.nn.dropout({inputs}, rate=1 - {rate})")

    def _take_variable(self, statement: ast.stmt, node: ast.Call) -> None:
        """Replaces tf.get_variable("w", [3]) by a weight of the model."""
        args = arguments.bind(node, ("name", "shape", "dtype", "initializer", "regularizer"))
        args = {key: args[key] for key in args if key != _REUSE} if args is not None else None
        if args is None or set(args) - set(_WEIGHT) or "name" not in args:
            raise NotUnderstood(f"the variable in line {node.lineno} has unsupported arguments")
        name = args["name"]
        use = self._use(statement, node, self.scopes.enter(node, name, ""), "self.add_weight", {})
        earlier = self._shared.find(use)
        if earlier:
            self._leave_out(args.values())
            self._replace(node, self._called(earlier, use.loop))
            return
        if "shape" not in args:
            raise NotUnderstood(f"the variable in line {node.lineno} has unsupported arguments")
        loop, tests = use.loop, use.tests
        targets = self._targets(node, loop)
        scoped_name = self._scoped_name(node, name, "", targets)
        scopes = scoped_name.scopes if scoped_name is not None else ()
        in_names = [name, *map(_parsed, scopes)]
        is_once = loop is None or any(slices.read(part) & targets for part in in_names)
        if scoped_name is None or not is_once:
            raise NotUnderstood(f"the name of the variable in line {node.lineno} is unknown")
        preferred_name = _target(statement, node) or "variable"
        if isinstance(name, ast.Constant):
            preferred_name = str(name.value)
        elif naming.is_taken(preferred_name):
            preferred_name = f"{preferred_name}_variable"
        attribute = self._free(preferred_name, in_loop=loop is not None)
        function, shape = use.function, args["shape"]
        text = self._called(attribute, loop)
        if self._known.unknown(shape) - targets:  # For example, it asks a tensor for its shape.
            module, imports = bridged_configs.module(self._file, "porting")
            self.imports.update(imports)
            function = f"{module}.Weight"
            args = {key: value for key, value in args.items() if key != "shape"}
            text = f"{text}.of_shape({self._rendered.text(shape)})"
            use = use._replace(function=function)
        self._shared.add(use, attribute)
        self._make(
            *(attribute, function, args, loop, targets), scoped_name=scoped_name, tests=tests
        )
        self._replace(node, text)

    def _take_initial_value(
        self, statement: ast.stmt, node: ast.Call, variable: InitialValue
    ) -> None:
        """Replaces tf.Variable(tf.zeros([3])) by a variable that __init__ makes."""
        if variable.is_scoped:
            use, loop = None, self._loop(statement, node, in_scope=False)
        else:
            entry = self.scopes.enter(node, variable.name, "")
            use = self._use(statement, node, entry, "tf.Variable", {})
            loop = use.loop
            earlier = self._shared.find(use)
            if earlier:
                self._leave_out([*variable.arguments.values(), node])
                self._replace(node, self._called(earlier, loop))
                return
        targets = self._targets(node, loop)
        preferred_name = variable.kind
        if isinstance(variable.name, ast.Constant):
            preferred_name = str(variable.name.value)
        if preferred_name in ("", initial_values.KIND):
            preferred_name = _target(statement, node) or "variable"
        if naming.is_taken(preferred_name):
            preferred_name = f"{preferred_name}_variable"
        attribute = self._free(preferred_name, in_loop=loop is not None)
        if use is not None:
            self._shared.add(use, attribute)
        own = None if variable.name is None else rendering.one_line(self._file, variable.name)
        if variable.name is not None:
            self._known.check(variable.name, targets)
            self._more_reads |= slices.read(variable.name) - targets
        scopes = self._scopes_of(node, targets, has_names=variable.is_scoped)
        self._make(
            attribute,
            self._variable_class(node.func),
            variable.arguments,
            loop,
            targets | self._known.settled(statement),
            scoped_name=ScopedName(scopes, own, variable.kind),
            tests=self._tests(node, loop),
        )
        self._settled |= self._known.settled(statement)
        self.makes_variables = self.makes_variables or variable.is_scoped
        self.numbers_scopes = self.numbers_scopes or variable.is_scoped and bool(scopes)
        self._replace(node, self._called(attribute, loop))

    def _variable_class(self, function: ast.expr) -> str:
        """Returns the text of `tf.Variable` for a function that makes variables."""
        if self._file.name_of(function) == "tf.Variable":
            return self._file.segment(function)
        if isinstance(function, ast.Attribute):
            return f"{self._file.segment(function.value)}.Variable"
        module, imports = modern_names.tensorflow_2(self._file)
        self.imports.update(imports)
        return f"{module}.Variable"

    def _take_recurrent(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces tf.nn.dynamic_rnn(cell, x) by a layer with the cell, and a call of it."""
        if self._cells.take(node, name):
            self.imports |= self._cells.imports
            self._replaced_ids.update(id(part) for part in ast.walk(node))
            return
        rnn = recurrent.run(self._file, node, name)
        if rnn is None:
            return
        module, imports = bridged_configs.module(self._file, "recurrent_layers")
        self.imports.update(imports)
        for inner_cell in rnn.cells:
            self._cells.check(inner_cell)
        scope_name = rnn.scope or ast.Constant(rnn.kind)
        init_args = {str(i): inner_cell for i, inner_cell in enumerate(rnn.cells)}
        entry = self.scopes.enter(node, scope_name, rnn.kind)
        use = self._use(statement, node, entry, f"{module}.{rnn.layer}", init_args)
        earlier = self._shared.find(use)
        if earlier:
            self._leave_out(rnn.cells)
            self._replace(node, self._run_text(rnn, self._called(earlier, use.loop)))
            return
        loop = use.loop
        targets = self._targets(node, loop)
        self._known.check(scope_name, targets)
        self._more_reads |= slices.read(scope_name) - targets
        preferred_name = self.scopes.default_name(node, rnn.kind)
        if isinstance(rnn.scope, ast.Constant):
            preferred_name = str(rnn.scope.value)
        attribute = self._free(preferred_name, in_loop=loop is not None)
        self._shared.add(use, attribute)
        scoped_name = ScopedName(self._scopes_of(node, targets), ast.unparse(scope_name), rnn.kind)
        settled = self._known.settled(statement)
        self._settled |= settled
        self._make(
            *(attribute, use.function, init_args, loop, settled | targets, rnn.options),
            scoped_name=scoped_name,
            tests=use.tests,
        )
        for value in self._cells.values:
            self._known.check_text(value)
            self._more_reads |= slices.read(value)
        self._replace(node, self._run_text(rnn, self._called(attribute, loop)))

    def _run_text(self, rnn: Run, layer: str) -> str:
        """Returns the call of a recurrent layer."""
        texts = [self._rendered.text(rnn.inputs)]
        for key, value in rnn.call_arguments.items():
            states = self._initial_states(value)
            if all(self._is_zero_state(state, rnn.cells[0]) for state in states):
                self._leave_out([value, *states])  # It is the default.
            else:
                texts.append(f"{key}={self._rendered.text(value)}")
        texts += ["training=training"] if self._cells.trains else []
        return f"{layer}({', '.join(texts)})"

    def _initial_states(self, node: ast.expr) -> list[ast.expr]:
        """Returns the values that an initial state may have."""
        if not isinstance(node, ast.Name):
            return [node]
        values = []
        for part in ast.walk(self._scope.function):
            if (
                isinstance(part, ast.Name)
                and part.id == node.id
                and isinstance(part.ctx, ast.Store)
            ):
                values.append(bindings.value_of(self._file, part) or node)
        return values or [node]

    def _is_zero_state(self, node: ast.expr, cell: ast.expr) -> bool:
        """Says whether an initial state is None, or `cell.zero_state(batch_size, tf.float32)`."""
        if modern_names.is_constant(node, None):
            return True
        method = node.func if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or not isinstance(method, ast.Attribute):
            return False
        args = arguments.bind(node, ("batch_size", "dtype"))
        dtype = args.get("dtype") if args is not None else None
        is_float = dtype is not None and self._file.name_of(dtype) == "tf.float32"
        is_same = isinstance(cell, ast.Name) and ast.unparse(method.value) == cell.id
        return method.attr == "zero_state" and is_float and is_same

    def _take_columns(self, statement: ast.stmt, node: ast.Call) -> None:
        """Replaces tf.feature_column.input_layer(features, columns) by a layer for columns."""
        args = arguments.bind(node, _INPUT_LAYER)
        if args is None or set(args) != {"features", "feature_columns"}:
            raise NotUnderstood(f"input_layer in line {node.lineno} has unsupported arguments")
        init_args = {"0": args["feature_columns"]}
        attribute = self._add(statement, node, "layers.DenseFeatures", init_args, "input_layer")
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
        binders = [
            statement
            for statement in self._scope.statements
            if target.id in slices.bound(statement)
        ]
        if len(binders) > 1 or self._loop(statement, node):
            raise NotUnderstood(f"{target.id} in line {node.lineno} is created more than once")
        maker = keras_objects.maker(self._file, node, self._scope.local)
        calls = self._calls_of(target.id)
        inference_calls = keras_objects.inference_calls(self._file, maker or node, calls)
        self._inference_calls |= {id(call) for call in inference_calls}
        attribute = self._free(target.id)
        self._make(attribute, self._file.segment(node.func), _arguments(node), None)
        self._note_averages(node, attribute)
        self._leave_out([statement])
        for other in ast.walk(self._scope.function):
            if isinstance(other, ast.Name) and other.id == target.id and other is not target:
                self._replace(other, f"self.{attribute}")
                self._leave_out([other])
                self._replaced_ids.add(id(self._file.parent(other)))

    def _calls_of(self, name: str) -> Iterator[ast.Call]:
        for node in ast.walk(self._scope.function):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id == name:
                yield node

    def _take_part(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces network(x, 3) by a layer that is made with 3 and called with x."""
        loop = self._loop(statement, node, is_layer=False)
        targets = self._targets(node, loop)
        part = self._part(self._scope, node, self._known.names | targets)
        if part is None:
            return
        self._check_training_argument(node, part.function, part.normalizes, part.trains)
        loop = self._loop(statement, node)
        is_again = any(item.function == part.function for item in self.items)
        if part.numbers_scopes and (loop or is_again):
            raise NotUnderstood(f"the scopes of variables of {name}() have numbers")
        path = self.scopes.path(node)
        if self.scopes.reuses(node) and not part.is_shared:
            raise NotUnderstood(f"{name}() in line {node.lineno} may reuse variables")
        if part.is_shared and part.makes_variables:
            raise NotUnderstood(
                f"{name}() in line {node.lineno} shares some variables and makes others"
            )
        if part.is_shared and loop in self.nests.loops:
            raise NotUnderstood(f"{name}() in line {node.lineno} may reuse variables")
        if part.is_shared:
            self.shared_classes.add(part.function)
            if loop and any(
                slices.read(value) & targets
                for value in (*part.arguments.values(), *map(_parsed, path))
            ):
                raise NotUnderstood(f"the layers that are reused in line {node.lineno} are unknown")
            loop = None
        candidates = [
            item for item in self.items if item.function == part.function and not item.loop
        ]
        earlier = [item for item in candidates if self._paths[item.attribute] == path]
        use = None
        if not part.is_shared:
            entry = self.scopes.enter_new(node, f"{name}()", is_scoped=True)
            use = self._use(statement, node, entry, part.function, part.arguments)
        if part.is_shared and earlier:
            attribute = self._shared_attribute(node, part, earlier[-1])
        elif use is not None and (branch := self._shared.find(use)):
            attribute = branch
            self._leave_out(part.arguments.values())
        else:
            attribute = self._free(naming.snake(part.function), in_loop=loop is not None)
            self._paths[attribute] = path
            if use is not None:
                self._shared.add(use, attribute)
            scoped_name = ScopedName(self._scopes_of(node, targets), None, "")
            tests = () if part.is_shared else self._tests(node, loop)
            self._make(
                attribute,
                part.function,
                part.arguments,
                loop,
                targets,
                scoped_name=scoped_name,
                tests=tests,
            )
        texts = [self._rendered.text(value) for value in part.inputs]
        texts += [f"training={part.trains}"] if part.trains else []
        function = self._called(attribute, loop)
        self._replace(node, f"{function}({', '.join(texts)})")

    def _check_training_argument(
        self, node: ast.Call, name: str, normalizes: bool, trains: str
    ) -> None:
        """Refuses batch normalization that normalizes as in training in every mode."""
        if normalizes and trains not in ("", "False", "training"):
            raise NotUnderstood(f"{name} in line {node.lineno} always normalizes as in training")

    def _shared_attribute(self, node: ast.Call, part: Part, earlier: Object) -> str:
        """Returns the attribute of an earlier call, for a call that shares its variables."""
        dumps = [ast.dump(expression) for expression in part.arguments.values()]
        if dumps != [ast.dump(expression) for expression in earlier.expressions]:
            raise NotUnderstood(
                f"the layers that are reused in line {node.lineno} have other arguments"
            )
        self._leave_out(part.arguments.values())
        return earlier.attribute

    def _add(
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
        use = self._use(statement, node, entry, layer, init_args)
        earlier = self._shared.find(use)
        if earlier:
            targets = self._targets(node, use.loop)
            size = self._size(layer, init_args, targets)
            others = init_args if size is None else _without_size(layer, init_args)
            self._leave_out(others.values())
            return self._of_size(self._called(earlier, use.loop), size)
        return self._add_new(use, kind, options)

    def _use(
        self,
        statement: ast.stmt,
        node: ast.Call,
        entry: Entry,
        function: str,
        init_args: Mapping[str, ast.expr],
    ) -> Use:
        """Returns the use of an object, of which no loop makes several."""
        loop = self._loop(statement, node)
        has_variables = function.rpartition(".")[2] not in _WITHOUT_VARIABLES
        if loop in self.nests.loops:
            if entry.reuses and has_variables:
                raise NotUnderstood(
                    f"a layer in line {node.lineno} may reuse variables in a nested loop"
                )
            return Use(
                node, entry, function, init_args, self._tests(node, loop), loop, has_variables
            )
        targets = slices.bound(loop.target) if loop else set()
        is_fixed = not any(slices.read(value) & targets for value in init_args.values())
        if entry.is_repeated and (has_variables or is_fixed):
            loop = None
        return Use(node, entry, function, init_args, self._tests(node, loop), loop, has_variables)

    def _add_new(self, use: Use, kind: str, options: Sequence[str] = ()) -> str:
        """Adds a layer with its own variables, and returns the expression to call."""
        node, layer, init_args, loop = use.node, use.function, dict(use.arguments), use.loop
        targets = self._targets(node, loop)
        name = init_args.get("name")
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            preferred_name = name.value
        else:
            preferred_name = self.scopes.default_name(node, kind)
        attribute = self._free(preferred_name, in_loop=loop is not None)
        self._shared.add(use, attribute)
        keras, imports = modern_names.keras(self._file)
        self.imports.update(imports)
        function, first, size = f"{keras}.{layer}", "", self._size(layer, init_args, targets)
        if size is not None:
            module, imports = bridged_configs.module(self._file, "porting")
            self.imports.update(imports)
            function, first = f"{module}.SizedLayer", function
            init_args = _without_size(layer, init_args)
        scoped_name = None
        if layer.rpartition(".")[2] not in _WITHOUT_VARIABLES:
            scoped_name = self._scoped_name(node, name, kind, targets)
        if scoped_name is not None:
            self._make(
                *(attribute, function, init_args, loop, targets, options),
                scoped_name=scoped_name,
                tests=use.tests,
                first=first,
            )
            return self._of_size(self._called(attribute, loop), size)
        # After a loop, Keras numbers the layers, because their count is known only at run time.
        self._looped_kinds |= {kind} if loop and name is None else set()
        is_named = name is not None or kind in self._looped_kinds
        name_option = () if is_named else (f'name="{attribute}"',)
        self._make(
            attribute, f"{keras}.{layer}", init_args, loop, targets, (*options, *name_option)
        )
        return self._called(attribute, loop)

    def _of_size(self, text: str, size: ast.expr | None) -> str:
        """Returns the expression of a layer whose size only `call` may know."""
        return text if size is None else f"{text}.of_size({self._rendered.text(size)})"

    def _size(
        self, layer: str, init_args: dict[str, ast.expr], targets: frozenset[str]
    ) -> ast.expr | None:
        """Returns the size of a layer if only `call` knows it, from the shape of a tensor."""
        size = _named(layer, init_args).get(_SIZES.get(layer, ""))
        if size is None or not self._known.unknown(size) - targets:
            return None
        return size if self._known.is_size(size) else None

    def _scoped_name(
        self,
        node: ast.Call,
        name: ast.expr | None,
        kind: str,
        targets: frozenset[str] = frozenset(),
    ) -> ScopedName | None:
        """Returns the name of a layer or variable. None if it may not be a string.

        Args:
          node: Call that makes the layer or variable.
          name: Name from the program, or None.
          kind: Name that TensorFlow gives to layers of this kind.
          targets: Variables of the surrounding loop, whose values are known too.
        """
        if name is None or modern_names.is_constant(name, None):
            return ScopedName(self._scopes_of(node, targets), None, kind)
        if isinstance(name, ast.Name) and name.id in self._maybe_none():
            return None
        text = rendering.one_line(self._file, name)
        return ScopedName(self._scopes_of(node, targets), text, kind)

    def _scopes_of(
        self, node: ast.AST, targets: frozenset[str], *, has_names: bool = False
    ) -> tuple[str, ...]:
        """Returns the names of the scopes around a call that are known in __init__.

        Args:
          node: The call.
          targets: Variables of the surrounding loop, whose values are known too.
          has_names: Whether tf.name_scope counts too.
        """
        names = []
        for call in self.scopes.around(node, has_names=has_names):
            scope = self.scopes.name_of(call)
            is_text = isinstance(scope, (ast.BinOp, ast.JoinedStr, ast.Name)) or (
                isinstance(scope, ast.Call) and isinstance(scope.func, ast.Attribute)
            )
            is_text = is_text or isinstance(scope, ast.Constant) and bool(scope.value)
            # A graph's scope object cannot be in params, which exist before the graph.
            is_param = isinstance(scope, (ast.Attribute, ast.Subscript))
            is_text = is_text or (is_param and slices.base(scope) == "params")
            reads = slices.read(scope) - targets
            is_known = not reads & self._scope.local - self._known.names
            if (
                is_text
                and is_known
                and not reads & self._maybe_none()
                and self.scopes.is_named(call)
            ):
                is_own = scope is call.args[0]
                text = rendering.one_line(self._file, scope) if is_own else ast.unparse(scope)
                count = self.scopes.earlier_count(call) if has_names else 0
                if count and is_own and isinstance(scope, ast.Constant):
                    text = json.dumps(f"{scope.value!s}_{count}")
                names.append(text)
                self._more_reads |= reads
        return tuple(names)

    def _tests(self, node: ast.AST, loop: ast.For | None) -> tuple[str, ...]:
        """Returns the known conditions under which a layer is called, the outermost first.

        Args:
          node: Call of the layer.
          loop: Loop of the layer, or None. Conditions inside the loop do not count.
        """
        tests: list[str] = []
        child: ast.AST = node if loop is None else loop
        parent = self._file.parent(child)
        while parent is not None and parent is not self._scope.function:
            if isinstance(parent, ast.If) and child is not parent.test:
                test = parent.test
                is_mode_test = any(
                    self._scope.modes.truth(test, mode) is not None for mode in MODES
                )
                if not is_mode_test and self._known.is_known(test):
                    text = rendering.one_line(self._file, test)
                    tests.insert(0, text if child in parent.body else f"not ({text})")
                    self._more_reads |= slices.read(test)
            child, parent = parent, self._file.parent(parent)
        return tuple(tests)

    def _is_guarded(self, node: ast.AST, loop: ast.For | None, tests: tuple[str, ...]) -> bool:
        """Says whether `__init__` makes an object under all conditions of its arguments.

        Args:
          node: Argument of the object.
          loop: Loop of the object, or None.
          tests: Conditions of the object in `__init__`.
        """
        count = 0
        parent = self._file.parent(node)
        while parent is not None and parent is not self._scope.function:
            if (
                loop in self.nests.loops
                and isinstance(parent, ast.If)
                and loop in _parents(self._file, parent)
            ):
                parent = self._file.parent(parent)
                continue  # `__init__` has the same condition.
            is_loop_passed = loop is None or getattr(parent, "lineno", 0) < loop.lineno
            if isinstance(parent, ast.IfExp) or isinstance(parent, ast.If) and not is_loop_passed:
                return False
            if isinstance(parent, ast.If):
                in_mode = any(
                    self._scope.modes.truth(parent.test, mode) is not None for mode in MODES
                )
                count += not in_mode
            parent = self._file.parent(parent)
        return bool(tests or loop in self.nests.loops) and count == len(tests)

    def _maybe_none(self) -> set[str]:
        """Returns the parameters of the function whose default is None."""
        parameters = self._scope.function.args
        defaults = dict(
            zip(
                [argument.arg for argument in parameters.args][::-1],
                parameters.defaults[::-1],
                strict=False,
            )
        )
        defaults.update(
            (argument.arg, value)
            for argument, value in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
            if value is not None
        )
        return {name for name, value in defaults.items() if modern_names.is_constant(value, None)}

    def _make(
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
            self._known.check(value, targets)
            if not self._is_guarded(value, loop, tests):
                self._known.check_branch(value)
        if loop and loop not in self.nests.loops:
            self._known.check(loop.iter)
        self._leave_out(init_args.values())
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
            node=self._node,
        )
        self.items.append(item)

    def _replace(self, node: ast.AST, text: str) -> None:
        self._rendered.replace(node, text)
        self._replaced_ids.add(id(node))
        if isinstance(node, ast.Call):
            self._leave_out([node.func])

    def _free(self, name: str, in_loop: bool = False) -> str:
        """Returns an unused name for an attribute."""
        used_names = {item.attribute for item in self.items} | self._scope.static
        used_names |= {*map(naming.stored, self._scope.static)}
        return naming.free(name, used_names | (self._scope.local if in_loop else set()))

    def _loop(
        self, statement: ast.stmt, node: ast.expr, is_layer: bool = True, in_scope: bool = True
    ) -> ast.For | None:
        """Returns the loop of the forward pass around a call.

        Args:
          statement: Statement of the forward pass that contains the call.
          node: The call.
          is_layer: Whether the call makes a layer, and must not be in some other statements.
          in_scope: Whether it may be in a variable scope inside the statement.
        """
        loop, nest = None, self.nests.loop_of(node)
        ancestor: ast.AST | None = node
        while ancestor is not None and ancestor is not self._file.parent(statement):
            if isinstance(ancestor, ast.For):
                if is_layer and nest is None and (loop is not None or ancestor.orelse):
                    raise NotUnderstood(f"a layer in line {node.lineno} is in a nested loop")
                loop = ancestor
            elif in_scope and self._is_variable_scope(ancestor):
                pass  # Its name becomes a part of the name of the layer.
            elif isinstance(ancestor, _INNER) and is_layer:
                kind = type(ancestor).__name__
                raise NotUnderstood(f"a layer in line {node.lineno} is created inside a {kind}")
            ancestor = self._file.parent(ancestor)
        if is_layer:
            self.nests.check(node)
        return loop

    def _leave_out(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.left_out.update(id(part) for part in ast.walk(node))

    # Remaining statements.

    @property
    def setup(self) -> list[ast.stmt]:
        """The statements that __init__ needs before it makes the objects."""
        names = set(self._more_reads)
        for item in self.items:
            names = names.union(*map(slices.read, item.expressions))
            names |= slices.read(item.loop.iter) if item.loop else set()
        names |= self.repeated_names
        settled = self._settled | self.nests.names
        return slices.needed(self._known.statements, names & (self._known.names | settled))

    @property
    def repeated_names(self) -> set[str]:
        """The names that the loops of __init__ need."""
        names: set[str] = set()
        for item in self.items:
            names = names.union(*map(slices.read, item.expressions))
            name = item.scoped_name
            texts = (*name.scopes, *filter(None, [name.own])) if name is not None else ()
            names = names.union(*(slices.read(_parsed(text)) for text in texts))
        loops = [loop for loop in self.nests.loops if any(i.loop is loop for i in self.items)]
        return self.nests.needed(loops, names)

    def forward(self) -> list[ast.stmt]:
        """Returns the statements of `call`, without those that only __init__ needs."""
        names = set(self._scope.outputs)
        statements: list[ast.stmt] = []
        for statement in reversed(self._scope.statements):
            is_needed = slices.bound(statement) & names or isinstance(statement, ast.Return)
            if id(statement) in self.left_out or not is_needed:
                continue
            statements.append(statement)
            names = (names - slices.replaces(statement)) | slices.read_outside(
                statement, self.left_out
            )
        return statements[::-1]


def _arguments(call: ast.Call) -> dict[str, ast.expr]:
    """Returns the arguments of a call, by position or name."""
    if any(isinstance(value, ast.Starred) for value in call.args):
        raise NotUnderstood(f"a layer in line {call.lineno} is created with *args")
    if any(keyword.arg is None for keyword in call.keywords):
        raise NotUnderstood(f"a layer in line {call.lineno} is created with **kwargs")
    positional = {str(i): value for i, value in enumerate(call.args)}
    return {**positional, **{str(keyword.arg): keyword.value for keyword in call.keywords}}


def _named(layer: str, init_args: dict[str, ast.expr]) -> dict[str, ast.expr]:
    """Returns the arguments of a layer by the parameters of its class."""
    keras = layer.rpartition(".")[2]
    names = iter(next((kind.parameters for kind in _LAYERS.values() if kind.keras == keras), ()))
    return {next(names, key) if key.isdigit() else key: v for key, v in init_args.items()}


def _without_size(layer: str, init_args: dict[str, ast.expr]) -> dict[str, ast.expr]:
    """Returns the arguments of a layer by parameter, without its size."""
    named_args = _named(layer, init_args)
    return {key: value for key, value in named_args.items() if key != _SIZES[layer]}


def _without_reuse(call: ast.Call) -> ast.Call:
    """Returns a call of a named layer without `reuse`. The name tells which layer is reused."""
    if not any(keyword.arg == "name" for keyword in call.keywords):
        return call
    keywords = [keyword for keyword in call.keywords if keyword.arg != _REUSE]
    return ast.copy_location(ast.Call(call.func, call.args, keywords), call)


def _parents(file: SourceFile, node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes around a node, the innermost first."""
    parent = file.parent(node)
    while parent is not None:
        yield parent
        parent = file.parent(parent)


def _target(statement: ast.stmt, value: ast.expr) -> str:
    """Returns the name to which a statement assigns a value, or ""."""
    is_assigned = isinstance(statement, ast.Assign) and statement.value is value
    target = statement.targets[0] if isinstance(statement, ast.Assign) and is_assigned else None
    return target.id if isinstance(target, ast.Name) else ""


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
