"""Tests for the calls that make RNN cells: their texts, and refusals."""

import ast

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.layers.calls.recurrent_cells import Cells
from migrate.rewrite.model_fns.rendering import Rendered

HEAD = "import tensorflow as tf\nrnn = tf.nn.rnn_cell\n"


def read(text):
    """Returns the cells of a program, its last statement, and the texts of its nodes."""
    file = SourceFile(HEAD + text)
    rendered = Rendered(file)
    cells = Cells(file, file.tree.body, rendered)
    calls = [node for node in file.nodes if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: file.span(call)[1]):
        cells.take(call, file.name_of(call.func) or "")
    return cells, file.tree.body[-1], rendered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cell = rnn.GRUCell(3)", 'recurrent_layers.GRUCell(3, name="gru_cell")'),
        ("cell = rnn.GRUCell(num_units=3, name='a')", "recurrent_layers.GRUCell(3, name='a')"),
        (
            "cell = rnn.DropoutWrapper(rnn.GRUCell(3), output_keep_prob=1.0)",
            'recurrent_layers.GRUCell(3, name="gru_cell")',
        ),
        (
            "cell = rnn.MultiRNNCell([rnn.GRUCell(n) for n in sizes])",
            'recurrent_layers.StackedCells([recurrent_layers.GRUCell(n, name="gru_cell") '
            'for n in sizes], name="multi_rnn_cell")',
        ),
    ],
)
def test_cells_are_those_of_the_port(text, expected):
    cells, statement, rendered = read(text)
    assert rendered.text(statement.value).endswith(expected)
    cells.check(statement.value)
    assert len(cells.imports) == 1


def test_other_calls_stay():
    cells, statement, _ = read("cell = other.Cell(3)")
    assert cells.imports == set()
    with pytest.raises(NotUnderstood, match=r"other.Cell\(3\) in line 3 is another cell"):
        cells.check(statement.value)


def test_a_name_has_the_cells_that_are_assigned_to_it():
    cells, statement, _ = read("cell = rnn.GRUCell(3)\ncells = [cell] + [cell]\nuse(cells)")
    cells.check(statement.value.args[0])


def test_a_comprehension_wraps_the_cells_of_another_one():
    wrapped = "[rnn.DropoutWrapper(cell, keep) for cell in cells]"
    cells, statement, _ = read(f"cells = [rnn.GRUCell(n) for n in sizes]\nuse({wrapped})")
    cells.check(statement.value.args[0])
    wrapped = "[rnn.DropoutWrapper(cell, keep[i]) for i, cell in enumerate(cells)]"
    cells, statement, _ = read(f"cells = [rnn.GRUCell(n) for n in sizes]\nuse({wrapped})")
    cells.check(statement.value.args[0])
    with pytest.raises(NotUnderstood, match="CELLS in line 3 is another cell"):
        read("use([rnn.DropoutWrapper(cell, keep) for cell in CELLS])")


def test_only_init_uses_a_cell():
    cells, statement, _ = read("use(rnn.GRUCell(3))")
    cells.refuse_use(statement, {id(node) for node in ast.walk(statement)})
    with pytest.raises(NotUnderstood, match="the cell in line 3 has other uses"):
        cells.refuse_use(statement, set())
