"""Turns the layers of a forward pass into objects that are made once and hold their variables.

    objects = Objects(file, scope, rendered, part)
    objects.setup, objects.items, objects.forward()

For example, a call of tf.layers becomes a layer that __init__ makes, and a call of that layer. The
same holds for a Keras layer that a model_fn makes and calls at once, for a Keras model from a
function of the file, and for a function of the file with layers. A variable of tf.get_variable
becomes a weight. The layers of a loop become a list.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.rewrite.analysis import layer_calls
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, keras_objects, slices
from migrate.rewrite.model_fns.analysis.known_values import Scope
from migrate.rewrite.model_fns.layers.calls import (
    contrib_calls,
    contrib_layers,
    initial_values,
    keras_layers,
    layer_functions,
    variable_sums,
    variables,
)
from migrate.rewrite.model_fns.layers.calls.cell_dropout import Dropouts
from migrate.rewrite.model_fns.layers.calls.models import Models
from migrate.rewrite.model_fns.layers.calls.part_calls import Part, PartCalls
from migrate.rewrite.model_fns.layers.calls.recurrent_calls import RecurrentCalls
from migrate.rewrite.model_fns.layers.object_maker import Object, ObjectMaker
from migrate.rewrite.model_fns.rendering import Rendered

# Text of statements that only `__init__` has.
DROPPED = "__dropped__"


class Objects:
    """The objects of a function, and its statements, which call them.

    Attributes:
      maker: The objects, and the texts of the calls.
      loop_sources: Texts of what loops iterate over, without the objects that the loops get.
      shared_classes: Classes with an object that is called several times.
    """

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
        self._file, self._scope, self._rendered = file, scope, rendered
        dropouts = Dropouts(file, scope)
        self.maker = maker = ObjectMaker(file, scope, rendered, dropouts.replaced_ids)
        self._recurrent = RecurrentCalls(maker, dropouts)
        self._models, self._parts = Models(maker), PartCalls(maker, part)
        self.loop_sources: dict[ast.For, str] = {}
        self.shared_classes = self._parts.shared_classes
        variable_names: set[str] = set()  # Names that the function gives to variables.
        for node, text in scope.texts.items():
            rendered.replace(node, text)
            maker.init_rendered.replace(node, text)
        for test, text in scope.modes.tests().items():
            rendered.replace(test, text)
            maker.replaced_ids.update(id(part) for part in ast.walk(test))
        calls = [
            (statement, node)
            for statement in scope.statements
            for node in ast.walk(statement)
            if isinstance(node, ast.Call) and id(node) not in maker.replaced_ids
        ]
        # Inner calls end first. The texts of outer calls contain their replacements.
        for statement, node in sorted(calls, key=lambda pair: file.span(pair[1])[1]):
            maker.node = node
            if self._take(statement, node):
                variable_names.add(variables.target(file.statement(node), node))
        variable_sums.write(file, scope.function, variable_names, rendered)
        self._refuse_numbers()
        self._drop_unread()
        self.end_scopes()
        for statement in self.forward():
            scope.modes.refuse_others(statement)
            checks.refuse(file, statement, scope.local, maker.replaced_ids | maker.left_out)
            self._recurrent.cells.refuse_use(statement, maker.left_out)

    @property
    def items(self) -> list[Object]:
        """The objects, in the order in which __init__ makes them."""
        return self.maker.items

    @property
    def imports(self) -> set[Import]:
        """The imports that the objects need."""
        return self.maker.imports

    def _take(self, statement: ast.stmt, node: ast.Call) -> bool:
        """Adds an object for a call, if it runs or makes a layer. Says whether it is a variable."""
        maker, name = self.maker, self._file.name_of(node.func) or ""
        maker_name = (
            self._file.name_of(node.func.func) if isinstance(node.func, ast.Call) else None
        ) or ""
        if self._models.end_call(node):
            return False
        if function := layer_functions.layer_of(name):
            layer_functions.take(maker, statement, node, function)
        elif name == "tf.feature_column.input_layer":
            layer_functions.take_columns(maker, statement, node)
        elif isinstance(node.func, ast.Call) and maker_name.startswith(keras_objects.LAYERS):
            kind = maker_name.rpartition(".")[2]
            keras_layers.take(maker, statement, node, node.func, kind)
        elif name.startswith(("tf.contrib.rnn.", "tf.nn.")):
            self._recurrent.take(statement, node, name)
        elif name.startswith("tf.contrib."):
            contrib_calls.take(maker, statement, node, name)
        elif (variable := initial_values.read(node, name)) is not None:
            variables.take_initial_value(maker, statement, node, variable)
            return True
        elif name == "tf.get_variable":
            variables.take(maker, statement, node)
            return True
        elif self._models.is_one(statement, node, name):
            self._models.take(statement, node)
        elif isinstance(node.func, ast.Name) and not name:
            self._parts.take(statement, node, node.func.id)
        return False

    def _refuse_numbers(self) -> None:
        """Refuses a layer that nothing uses, if TensorFlow counts it in the names of others.

        For example, the checkpoint names the second of two layers `dense_1`, also if nothing uses
        the first one. The class has no unused layers.
        """
        kept_ids = {id(part) for line in self._scope.statements for part in ast.walk(line)}
        for node in ast.walk(self._scope.function):
            if not isinstance(node, ast.Call) or id(node) in kept_ids:
                continue
            kind = self._numbered_kind(node)
            if not kind or self._file.function(node) is not self._scope.function:
                continue
            for item in self.items:
                name, other = item.scoped_name, item.node
                is_numbered = name is not None and name.own is None and name.kind == kind
                if is_numbered and isinstance(other, ast.Call) and other.lineno > node.lineno:
                    raise NotUnderstood(
                        f"nothing uses the layer in line {node.lineno}, but the name of the layer "
                        f"in line {other.lineno} counts it"
                    )

    def _numbered_kind(self, call: ast.Call) -> str:
        """Returns the kind of a layer with variables and without a name. "" for other calls."""
        name = self._file.name_of(call.func) or ""
        if any(keyword.arg in ("name", "scope") for keyword in call.keywords):
            return ""
        if name.startswith("tf.layers."):
            function = name.rpartition(".")[2]
            return function if function in layer_calls.WITH_VARIABLES else ""
        return contrib_layers.default_name(name) if contrib_layers.is_layer(name) else ""

    def end_scopes(self) -> None:
        """Removes the variable scopes in statements. The names of their layers contain them."""
        maker = self.maker
        scopes = [
            node
            for statement in self._scope.statements
            for node in ast.walk(statement)
            if isinstance(node, ast.With) and maker.around.is_variable_scope(node)
        ]
        for node in sorted(scopes, key=lambda scope: -scope.lineno):
            self._rendered.restore(node)
            indent = self._file.indent(node.lineno)
            lines = [self._rendered.statement(child, indent) for child in node.body]
            self._rendered.replace(node, "\n".join(lines).removeprefix(indent))
            maker.leave_out(node.items)

    def _drop_unread(self) -> None:
        """Leaves out the statements of loops that compute values for `__init__` only."""
        maker = self.maker
        for node in ast.walk(self._scope.function):
            if maker.around.is_variable_scope(node) and isinstance(node, ast.With):
                maker.leave_out(node.items)
        loops = {item.loop for item in maker.items if item.loop in maker.nests.loops}
        needed_names = maker.nests.names & self.repeated_names
        for loop in maker.nests.loops:
            if loop not in loops and needed_names & slices.bound(loop):
                raise NotUnderstood(f"the loop in line {loop.lineno} makes no layers")
        count = -1
        while count != (count := len(maker.left_out)):
            for part in (part for loop in loops for part in maker.nests.computed(loop)):
                if id(part) not in maker.left_out and self._is_unread(part):
                    self._rendered.replace(part, DROPPED)
                    maker.leave_out([part])

    def _is_unread(self, statement: ast.stmt) -> bool:
        """Says whether `call` reads no name that a statement in a block computes."""
        maker = self.maker
        parent = self._file.parent(statement)
        block = parent.body if isinstance(parent, (ast.For, ast.If, ast.With)) else []
        if not any(id(other) not in maker.left_out for other in block if other is not statement):
            return False  # The block would be empty.
        inner = {id(part) for part in ast.walk(statement)} | maker.left_out
        nodes = (part for other in self._scope.statements for part in ast.walk(other))
        names = {
            part.id
            for part in nodes
            if isinstance(part, ast.Name) and id(part) not in inner
            if isinstance(part.ctx, ast.Load) or isinstance(self._file.parent(part), ast.AugAssign)
        }
        return not slices.bound(statement) & (names | set(self._scope.outputs))

    # Remaining statements.

    @property
    def setup(self) -> list[ast.stmt]:
        """The statements that __init__ needs before it makes the objects."""
        maker = self.maker
        names = set(maker.around.reads)
        for item in maker.items:
            names = names.union(*map(slices.read, item.expressions))
            names |= slices.read(item.loop.iter) if item.loop else set()
        names |= self.repeated_names
        settled = maker.settled | maker.nests.names
        return slices.needed(maker.known.statements, names & (maker.known.names | settled))

    @property
    def repeated_names(self) -> set[str]:
        """The names that the loops of __init__ need."""
        maker = self.maker
        names: set[str] = set()
        for item in maker.items:
            names = names.union(*map(slices.read, item.expressions))
            name = item.scoped_name
            texts = (*name.scopes, *filter(None, [name.own])) if name is not None else ()
            names = names.union(*(slices.read(slices.parsed(text)) for text in texts))
        loops = [loop for loop in maker.nests.loops if any(i.loop is loop for i in maker.items)]
        return maker.nests.needed(loops, names)

    def forward(self) -> list[ast.stmt]:
        """Returns the statements of `call`, without those that only __init__ needs."""
        maker = self.maker
        names = set(self._scope.outputs)
        statements: list[ast.stmt] = []
        for statement in reversed(self._scope.statements):
            is_needed = slices.bound(statement) & names or isinstance(statement, ast.Return)
            if id(statement) in maker.left_out or not is_needed:
                continue
            statements.append(statement)
            names = (names - slices.replaces(statement)) | slices.read_outside(
                statement, maker.left_out
            )
        return statements[::-1]
