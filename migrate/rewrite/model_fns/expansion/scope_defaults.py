"""Writes the initializers and regularizers of variable scopes into the layers of the scopes.

draft = without_defaults(draft)

For example, `with tf.variable_scope("a", initializer=init):` loses its initializer, and
`tf.get_variable("w", [3])` in it becomes `tf.get_variable("w", [3], initializer=init)`.

In TensorFlow 1, the initializer of a scope is the default of tf.get_variable, of the kernels of
tf.layers and of the kernels of RNN cells that run in the scope. Biases and tf.contrib.layers have
other defaults. A regularizer is also the default of biases.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from migrate.rewrite.analysis import layer_calls
from migrate.rewrite.engine import arguments
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.analysis import checks, slices
from migrate.rewrite.model_fns.expansion.draft import Draft, Line, expansion
from migrate.rewrite.model_fns.expansion.functions import hidden_layers
from migrate.rewrite.model_fns.layers.calls import contrib_layers, recurrent
from migrate.rewrite.model_fns.rendering import Rendered, one_line
from migrate.rewrite.names import modern_names

_SCOPE, _VARIABLE, _LAYERS = "tf.variable_scope", "tf.get_variable", "tf.layers."
_EMBEDDINGS = ("tf.contrib.layers.embed_sequence", "tf.contrib.slim.embed_sequence")
_OF_SCOPE = ("name_or_scope", "default_name", "values", "initializer", "regularizer")
_OF_VARIABLE = ("name", "shape", "dtype", "initializer", "regularizer")
_OF_EMBEDDING = ("ids", "vocab_size", "embed_dim", "unique", "initializer", "regularizer")
_INITIALIZER, _REGULARIZER = "initializer", "regularizer"
_KERNELS = {"separable_conv2d": ("depthwise", "pointwise")}
# Functions whose variables have an initializer in any scope, and a regularizer in none.
_UNAFFECTED = (
    *("tf.Variable", "tf.feature_column.", "tf.keras.", "tf.losses.", _SCOPE, "tf_keras."),
    *recurrent.RUNS,  # Their cells have the variables.
)
_OTHERS = ("tf.contrib.crf.",)


@expansion
def without_defaults(draft: Draft) -> Draft:
    """Returns a copy of a file in which scopes of a model_fn have no initializer or regularizer.

    They stay if a scope holds variables whose defaults are not known.

    Args:
      draft: The copy of the file.
    """
    if _SCOPE.rpartition(".")[2] not in draft.file.text:
        return draft
    return draft.repeatedly(lambda copy: next(_written(copy), None))


def _written(draft: Draft) -> Iterator[dict[ast.stmt, Sequence[Line]]]:
    """Yields the lines that take the place of statements for a scope, the innermost scope first."""
    statements = [node for node in ast.walk(draft.function) if isinstance(node, ast.With)]
    for statement in sorted(statements, key=lambda node: -node.lineno):
        for item in statement.items:
            scope = item.context_expr
            if isinstance(scope, ast.Call) and draft.file.name_of(scope.func) == _SCOPE:
                lines = _Defaults(draft, statement, scope).lines()
                if lines is not None:
                    yield lines


class _Defaults:
    """The initializer and the regularizer of one scope."""

    def __init__(self, draft: Draft, statement: ast.With, scope: ast.Call) -> None:
        self._draft, self._file = draft, draft.file
        self._statement, self._scope = statement, scope
        self._rendered = Rendered(draft.file)
        args = arguments.bind(scope, _OF_SCOPE) or {}
        self._values = {
            key: args[key]
            for key in (_INITIALIZER, _REGULARIZER)
            if key in args and not modern_names.is_constant(args[key], None)
        }

    def lines(self) -> dict[ast.stmt, Sequence[Line]] | None:
        """Returns the new lines of statements. None if the scope stays as it is."""
        reads = set().union(*map(slices.read, self._values.values())) if self._values else set()
        is_changed = any(reads & slices.bound(child) for child in self._statement.body)
        is_positional = any(value in self._scope.args for value in self._values.values())
        if not self._values or is_changed or is_positional:
            return None
        if not all(map(_is_repeatable, self._values.values())):
            return None
        if hidden_layers.in_body(self._draft, self._statement):
            return None
        calls = hidden_layers.calls_of(self._statement)
        # Inner calls end first. The texts of outer calls contain their replacements.
        for call in sorted(calls, key=lambda node: self._file.span(node)[1]):
            if not self._add(call):
                return None
        cells = self._cells(calls)
        if cells is None or cells and _REGULARIZER in self._values:
            return None
        for cell, key in cells.items():
            self._append(cell, key, _INITIALIZER)
        return self._new_lines([*cells])

    def _add(self, call: ast.Call) -> bool:
        """Adds the defaults to a call. Returns False if the call's own defaults are not known."""
        name = self._file.name_of(call.func) or ""
        kind = name.rpartition(".")[2]
        if not name or name.startswith(_UNAFFECTED) or recurrent.makes_cell(name):
            return True
        if name == _VARIABLE:
            return self._write(call, _OF_VARIABLE, {*self._values})
        if name.startswith(_LAYERS):
            return self._add_to_layer(call, kind)
        if name in _EMBEDDINGS:
            keys = {_INITIALIZER} if _REGULARIZER not in self._values else {_REGULARIZER}
            return keys == {_INITIALIZER} and self._write(call, _OF_EMBEDDING, keys)
        if contrib_layers.is_layer(name):
            return _REGULARIZER not in self._values and not _has_none(call)
        return not name.startswith(_OTHERS) and not checks.is_refused(name)

    def _add_to_layer(self, call: ast.Call, kind: str) -> bool:
        layer = layer_calls.WITH_VARIABLES.get(kind)
        if kind in layer_calls.WITHOUT_VARIABLES:
            return True
        if layer is None or _has_none(call):
            return False
        if kind == "batch_normalization":  # A regularizer would apply to its averages too.
            return _REGULARIZER not in self._values
        weights = _KERNELS.get(kind, ("kernel",))
        names = {f"{weight}_{key}" for weight in weights for key in self._values}
        if _REGULARIZER in self._values:
            names |= {f"bias_{_REGULARIZER}"}
            if any(str(keyword.arg).endswith(_REGULARIZER) for keyword in call.keywords):
                return False  # TensorFlow adds both losses.
        return self._write(call, ("inputs", *layer.parameters), names)

    def _cells(self, calls: Sequence[ast.Call]) -> dict[ast.Call, str] | None:
        """Returns the cells that run in the scope and have no initializer, and its name in a cell.

        Returns None if they run in other scopes too, or if a cell is not known.
        """
        runs = [run for run in _runs(self._draft) if run in calls]
        others = [run for run in _runs(self._draft) if run not in calls]
        cells = _cells_of(self._draft, runs)
        other_cells = _cells_of(self._draft, others) if cells else []
        if cells is None or other_cells is None:
            return None
        missing = {
            call: key
            for call in cells
            if (key := recurrent.missing_initializer(call, self._file.name_of(call.func) or ""))
        }
        return missing if not missing.keys() & {*other_cells} else None

    def _write(self, call: ast.Call, parameters: Sequence[str], names: Collection[str]) -> bool:
        """Adds those arguments that a call lacks. Returns False if its arguments are not known."""
        args = arguments.bind(call, parameters)
        if args is None or not args:
            return False
        missing = sorted({*names} - {*args})
        if any(modern_names.is_constant(args[key], None) for key in {*names} & {*args}):
            return False
        for key in missing:
            self._append(call, key, key.rpartition("_")[2])
        return True

    def _append(self, call: ast.Call, key: str, default: str) -> None:
        """Appends a default of the scope to the arguments of a call, which are not empty."""
        last = max((*call.args, *(word.value for word in call.keywords)), key=self._file.span)
        text = one_line(self._file, self._values[default])
        self._rendered.replace(last, f"{self._rendered.text(last)}, {key}={text}")

    def _new_lines(self, cells: Sequence[ast.Call]) -> dict[ast.stmt, Sequence[Line]]:
        """Returns the lines of the scope, and those of statements before it that make cells."""
        values = [*self._values.values()]
        keywords = [word for word in self._scope.keywords if word.value not in values]
        texts = [self._rendered.text(value) for value in self._scope.args]
        texts += [f"{word.arg}={self._rendered.text(word.value)}" for word in keywords]
        function = self._file.segment(self._scope.func)
        self._rendered.replace(self._scope, f"{function}({', '.join(texts)})")
        statements: list[ast.stmt] = [self._statement]
        inside = {id(node) for node in ast.walk(self._statement)}
        statements += [self._file.statement(cell) for cell in cells if id(cell) not in inside]
        return {
            statement: self._draft.lines_of(
                statement,
                self._rendered.statement(statement, self._file.indent(statement.lineno)),
            )
            for statement in statements
        }


def _is_repeatable(node: ast.expr) -> bool:
    """Says whether a value may be computed for each call instead of once."""
    parts = (ast.Lambda, ast.Await, ast.NamedExpr, ast.Yield)
    return not any(isinstance(part, parts) for part in ast.walk(node))


def _has_none(call: ast.Call) -> bool:
    """Says whether a call sets an initializer to None, which is the default of the scope."""
    return any(
        str(keyword.arg).endswith(_INITIALIZER) and modern_names.is_constant(keyword.value, None)
        for keyword in call.keywords
    )


def _runs(draft: Draft) -> list[ast.Call]:
    """Returns the calls of a model_fn that run RNN cells."""
    calls = (node for node in ast.walk(draft.function) if isinstance(node, ast.Call))
    return [call for call in calls if draft.file.name_of(call.func) in recurrent.RUNS]


def _cells_of(draft: Draft, runs: Sequence[ast.Call]) -> list[ast.Call] | None:
    """Returns the calls that make the cells of runs. None if a cell is not known."""
    cells: list[ast.Call] = []
    names: set[str] = set()
    nodes: list[ast.expr] = []
    for run in runs:
        try:
            rnn = recurrent.run(draft.file, run, draft.file.name_of(run.func) or "")
        except NotUnderstood:
            return None
        nodes += rnn.cells if rnn is not None else []
    while nodes:
        node = nodes.pop()
        for part in ast.walk(node):
            if isinstance(part, ast.Call):
                if recurrent.makes_cell(draft.file.name_of(part.func) or ""):
                    cells.append(part)
                elif hidden_layers.may_have_layers(draft, part.func):
                    return None
            elif isinstance(part, ast.Name) and part.id not in names:
                names.add(part.id)
                nodes += _values_of(draft, part.id)
    return cells


def _values_of(draft: Draft, name: str) -> list[ast.expr]:
    """Returns all values that a model_fn assigns to a name."""
    return [
        node.value
        for node in ast.walk(draft.function)
        if isinstance(node, (ast.Assign, ast.AugAssign)) and name in slices.bound(node)
    ]
