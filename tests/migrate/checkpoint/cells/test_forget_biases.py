"""Tests that the forget_bias of cells is read from the graph of a checkpoint."""

import pytest

from migrate.checkpoint.cells import forget_biases
from tests.migrate.checkpoint.cells import recurrent
from tests.migrate.checkpoint.cells.recurrent import cells

pytestmark = pytest.mark.filterwarnings("ignore:.*(is deprecated|legacy):UserWarning")


@pytest.mark.parametrize("cell", [cells.LSTMCell, cells.BasicLSTMCell])
@pytest.mark.parametrize("amount", [0.0, 0.7])
def test_it_is_read(cell, amount, tmp_path):
    path = str(tmp_path / "ckpt")
    recurrent.train_v1(lambda: cell(2, forget_bias=amount), 0, path)
    assert forget_biases.of_graph(path) == {amount}


def test_several_cells_have_several(tmp_path):
    path = str(tmp_path / "ckpt")

    def make_cell():
        return cells.MultiRNNCell([cells.LSTMCell(2), cells.LSTMCell(2, forget_bias=0.0)])

    recurrent.train_v1(make_cell, 0, path)
    assert forget_biases.of_graph(path) == {0.0, 1.0}


def test_other_cells_and_missing_graphs_have_none(tmp_path):
    path = str(tmp_path / "ckpt")
    recurrent.train_v1(lambda: cells.GRUCell(2), 0, path)
    assert forget_biases.of_graph(path) == set()
    assert forget_biases.of_graph(str(tmp_path / "none")) == set()
