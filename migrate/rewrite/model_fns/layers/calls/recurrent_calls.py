"""Replaces RNN cells, and the functions that run them, by layers of `modern.porting`.

    calls = RecurrentCalls(maker, dropouts)
    calls.take(statement, call, "tf.nn.dynamic_rnn")

The layer has the cells, which `__init__` makes.
"""

from __future__ import annotations

import ast

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine import arguments, bindings
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.layers.calls import recurrent
from migrate.rewrite.model_fns.layers.calls.cell_dropout import Dropouts
from migrate.rewrite.model_fns.layers.calls.recurrent import Run
from migrate.rewrite.model_fns.layers.calls.recurrent_cells import Cells
from migrate.rewrite.model_fns.layers.object_maker import ObjectMaker
from migrate.rewrite.model_fns.layers.variable_names import ScopedName
from migrate.rewrite.names import modern_names


class RecurrentCalls:
    """The recurrent layers of a function.

    Attributes:
      cells: The cells that `__init__` makes.
    """

    def __init__(self, maker: ObjectMaker, dropouts: Dropouts) -> None:
        """Starts with no layers.

        Args:
          maker: Makes the layers.
          dropouts: Dropout of the cells.
        """
        self._maker = maker
        self.cells = Cells(maker.file, maker.known.statements, maker.init_rendered, dropouts)

    def take(self, statement: ast.stmt, node: ast.Call, name: str) -> None:
        """Replaces tf.nn.dynamic_rnn(cell, x) by a layer with the cell, and a call of it."""
        maker = self._maker
        if self.cells.take(node, name):
            maker.imports |= self.cells.imports
            maker.replaced_ids.update(id(part) for part in ast.walk(node))
            return
        rnn = recurrent.run(maker.file, node, name)
        if rnn is None:
            return
        module, imports = bridged_configs.module(maker.file, "recurrent_layers")
        maker.imports.update(imports)
        for inner_cell in rnn.cells:
            self.cells.check(inner_cell)
        scope_name = rnn.scope or ast.Constant(rnn.kind)
        init_args = {str(i): inner_cell for i, inner_cell in enumerate(rnn.cells)}
        entry = maker.scopes.enter(node, scope_name, rnn.kind)
        use = maker.use(statement, node, entry, f"{module}.{rnn.layer}", init_args)
        earlier = maker.shared.find(use)
        if earlier:
            maker.leave_out(rnn.cells)
            maker.replace(node, self._run_text(rnn, maker.called(earlier, use.loop)))
            return
        loop = use.loop
        targets = maker.around.targets(node, loop)
        maker.known.check(scope_name, targets)
        maker.around.reads |= slices.read(scope_name) - targets
        preferred_name = maker.scopes.default_name(node, rnn.kind)
        if isinstance(rnn.scope, ast.Constant):
            preferred_name = str(rnn.scope.value)
        attribute = maker.free(preferred_name, in_loop=loop is not None)
        maker.shared.add(use, attribute)
        scoped_name = ScopedName(
            maker.around.scopes_of(node, targets), ast.unparse(scope_name), rnn.kind
        )
        settled = maker.known.settled(statement)
        maker.settled |= settled
        maker.make(
            *(attribute, use.function, init_args, loop, settled | targets, rnn.options),
            scoped_name=scoped_name,
            tests=use.tests,
        )
        for value in self.cells.values:
            maker.known.check_text(value)
            maker.around.reads |= slices.read(value)
        maker.replace(node, self._run_text(rnn, maker.called(attribute, loop)))

    def _run_text(self, rnn: Run, layer: str) -> str:
        """Returns the call of a recurrent layer."""
        maker = self._maker
        texts = [maker.rendered.text(rnn.inputs)]
        for key, value in rnn.call_arguments.items():
            states = self._initial_states(value)
            if all(self._is_zero_state(state, rnn.cells[0]) for state in states):
                maker.leave_out([value, *states])  # It is the default.
            else:
                texts.append(f"{key}={maker.rendered.text(value)}")
        texts += ["training=training"] if self.cells.trains else []
        return f"{layer}({', '.join(texts)})"

    def _initial_states(self, node: ast.expr) -> list[ast.expr]:
        """Returns the values that an initial state may have."""
        maker = self._maker
        if not isinstance(node, ast.Name):
            return [node]
        values = []
        for part in ast.walk(maker.scope.function):
            if (
                isinstance(part, ast.Name)
                and part.id == node.id
                and isinstance(part.ctx, ast.Store)
            ):
                values.append(bindings.value_of(maker.file, part) or node)
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
        is_float = dtype is not None and self._maker.file.name_of(dtype) == "tf.float32"
        is_same = isinstance(cell, ast.Name) and ast.unparse(method.value) == cell.id
        return method.attr == "zero_state" and is_float and is_same
