"""The RNN cells of a model_fn, which `__init__` makes for the layers that run them.

    cells = Cells(file, statements, rendered)
    cells.take(call, "tf.nn.rnn_cell.GRUCell")
    cells.check(node)

For example, `cell = MultiRNNCell([GRUCell(3), GRUCell(4)])` makes three cells.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.rewrite.analysis import bridged_configs
from migrate.rewrite.engine.rule import Import
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import slices
from migrate.rewrite.model_fns.layers.calls import recurrent
from migrate.rewrite.model_fns.layers.calls.cell_dropout import Dropouts
from migrate.rewrite.model_fns.layers.calls.recurrent import Wrapper
from migrate.rewrite.model_fns.rendering import Rendered


class Cells:
    """The calls of a function that make RNN cells.

    Attributes:
      imports: Imports that their replacements need.
      trains: Whether a cell drops values in training only.
      values: Expressions in the texts of `__init__` that no node of the function has.
    """

    values: list[ast.expr]

    def __init__(
        self,
        file: SourceFile,
        statements: Sequence[ast.stmt],
        rendered: Rendered,
        dropouts: Dropouts | None = None,
    ) -> None:
        """Starts with no cells.

        Args:
          file: The file.
          statements: Statements that may be in `__init__`.
          rendered: Receives the new texts of the calls in `__init__`.
          dropouts: Dropout of the cells. Default: none depends on the mode.
        """
        self._file, self._statements, self._rendered = file, statements, rendered
        self._dropouts = dropouts
        self.imports: set[Import] = set()
        self.trains, self.values = False, []
        self._ids: set[int] = set()  # Ids of calls that make cells.

    def take(self, call: ast.Call, name: str) -> bool:
        """Replaces a call that makes a cell. Returns False for other calls.

        Args:
          call: The call. Calls in its arguments have been replaced.
          name: Public name of the called function.

        Raises:
          NotUnderstood: No cell of `recurrent_layers` does the same.
        """
        inner: ast.expr | None
        wrapper = recurrent.wrapper(call, name)
        if wrapper is not None:
            text, inner = self._wrapped_text(call, wrapper), wrapper.cell
        else:
            cell = recurrent.cell(self._file, call, name)
            if cell is None:
                return False
            text, inner = self._text(*cell), cell[1].get("cells")
        self._ids.add(id(call))
        if inner is not None:
            self.check(inner)
        self._rendered.replace(call, text)
        return True

    def _text(self, layer: str, args: dict[str, ast.expr], scope: str) -> str:
        """Returns the call that makes a cell of `recurrent_layers`."""
        module, imports = bridged_configs.module(self._file, "recurrent_layers")
        self.imports.update(imports)
        texts = [f"{key}={self._rendered.one_line(value)}" for key, value in args.items()]
        if texts and texts[0].startswith(("cells=", "units=")):
            texts[0] = texts[0].partition("=")[2]
        if "name" not in args:
            texts.append(f'name="{scope}"')
        return f"{module}.{layer}({', '.join(texts)})"

    def _wrapped_text(self, call: ast.Call, wrapper: Wrapper) -> str:
        """Returns the call that wraps a cell of `recurrent_layers`."""
        text = self._rendered.one_line(wrapper.cell)
        if not wrapper.layer:
            return text
        module, imports = bridged_configs.module(self._file, "recurrent_layers")
        self.imports.update(imports)
        texts = [text]
        dropout = self._dropouts.of(call) if self._dropouts is not None else None
        for key, value in wrapper.keep_probs.items():
            in_training = dropout.values.get(key) if dropout is not None else None
            option = self._rendered.one_line(value)
            texts.append(f"{key}={option if in_training is None else ast.unparse(in_training)}")
        if dropout is not None and dropout.in_training_only:
            texts.append("in_training_only=True")
            self.trains = True
            self.values += dropout.values.values()
        return f"{module}.{wrapper.layer}({', '.join(texts)})"

    def check(self, node: ast.expr, visited: tuple[str, ...] = ()) -> None:
        """Refuses an expression that may have other cells than those of `recurrent_layers`.

        Args:
          node: The expression.
          visited: Names that are being inspected. The recursion ends at them.

        Raises:
          NotUnderstood: It may have other cells.
        """
        parts: list[ast.expr] = []
        is_known = id(node) in self._ids or isinstance(node, ast.Name) and node.id in visited
        if isinstance(node, ast.Name) and not is_known:
            earlier = (
                statement for statement in self._statements if statement.lineno < node.lineno
            )
            binders = [statement for statement in earlier if node.id in slices.bound(statement)]
            parts = [binder.value for binder in binders if isinstance(binder, ast.Assign)]
            parts = self._iterated(node) or parts
            visited = (*visited, node.id)
        elif isinstance(node, (ast.List, ast.Tuple)):
            parts = node.elts
        elif isinstance(node, ast.ListComp):
            parts = [node.elt]
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict):
            parts = node.value.values
        elif isinstance(node, ast.IfExp):
            parts = [node.body, node.orelse]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            parts = [node.left, node.right]
        if not parts and not is_known:
            raise NotUnderstood(f"{ast.unparse(node)[:40]} in line {node.lineno} is another cell")
        for part in parts:
            self.check(part, visited)

    def _iterated(self, node: ast.Name) -> list[ast.expr]:
        """Returns the cells that a comprehension around a name iterates over, as its target."""
        parent = self._file.parent(node)
        while isinstance(parent, ast.expr):
            for generator in parent.generators if isinstance(parent, ast.ListComp) else ():
                target, source = generator.target, generator.iter
                if isinstance(target, ast.Tuple) and isinstance(source, ast.Call):
                    is_counted = ast.unparse(source.func) == "enumerate" and len(target.elts) == 2
                    target, source = target.elts[-1], source.args[0] if is_counted else source
                if isinstance(target, ast.Name) and target.id == node.id:
                    return [source]
            parent = self._file.parent(parent)
        return []

    def refuse_use(self, statement: ast.stmt, left_out: set[int]) -> None:
        """Refuses a statement of `call` that uses a cell, which only `__init__` makes.

        Args:
          statement: The statement.
          left_out: Ids of nodes that only `__init__` contains.

        Raises:
          NotUnderstood: The statement uses a cell.
        """
        if any(id(part) in self._ids - left_out for part in ast.walk(statement)):
            raise NotUnderstood(f"the cell in line {statement.lineno} has other uses")
