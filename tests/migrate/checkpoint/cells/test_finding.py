"""Tests that recurrent cells are found by their names and shapes."""

import pytest

from migrate.checkpoint.cells import finding
from migrate.checkpoint.formats.contents import Stored


def tensors(shapes):
    return [Stored(name, shape, "float32") for name, shape in shapes.items()]


OLD = {
    "rnn/basic_lstm_cell/kernel": ((8, 20), ("lstm", 3, 5)),
    "rnn/multi_rnn_cell/cell_0/lstm_cell/weights": ((8, 20), ("lstm", 3, 5)),
    "bidirectional_rnn/fw/lstm_cell_1/kernel": ((8, 20), ("lstm", 3, 5)),
    "rnn/basic_rnn_cell/kernel": ((8, 5), ("rnn", 3, 5)),
}


@pytest.mark.parametrize("name", OLD)
def test_an_old_cell_is_known_by_its_name(name):
    shape, size = OLD[name]
    scope = name.rpartition("/")[0]
    (cell,) = finding.old_cells(tensors({name: shape, f"{scope}/bias": shape[1:]})).values()
    assert (cell.scope, cell.size, cell.unlike) == (scope, size, "")


def test_an_old_gru_has_two_kernels():
    shapes = {"gates/kernel": (8, 10), "candidate/kernel": (8, 5)}
    shapes |= {"gates/bias": (10,), "candidate/bias": (5,)}
    found = finding.old_cells(tensors({f"a/gru_cell/{name}": s for name, s in shapes.items()}))
    assert found["a/gru_cell"].size == ("gru", 3, 5)


@pytest.mark.parametrize(
    "shapes",
    [
        {"dense/kernel": (8, 20), "dense/bias": (20,)},
        {"rnn/lstm_cell/kernel": (8, 21), "rnn/lstm_cell/bias": (21,)},
        {"rnn/lstm_cell/kernel": (8, 20), "rnn/lstm_cell/bias": (5,)},
        {"rnn/ugrnn_cell/kernel": (8, 10), "rnn/ugrnn_cell/bias": (10,)},
        {"lstm/lstm_cell/kernel": (3, 20), "lstm/lstm_cell/recurrent_kernel": (5, 20)},
    ],
)
def test_other_variables_are_no_old_cells(shapes):
    assert finding.old_cells(tensors(shapes)) == {}


KERAS = {"lstm": 20, "gru": 15, "rnn": 5}


@pytest.mark.parametrize("kind", KERAS)
def test_a_cell_of_keras_is_known_by_its_shapes(kind):
    width = KERAS[kind]
    shapes = {"a/kernel": (3, width), "a/recurrent_kernel": (5, width), "a/bias": (width,)}
    cell = finding.keras_cells(tensors(shapes))["a"]
    assert (cell.size, cell.unlike) == ((kind, 3, 5), "")


def test_a_gru_with_two_biases_is_not_that_of_v1():
    shapes = {"a/kernel": (3, 15), "a/recurrent_kernel": (5, 15), "a/bias": (2, 15)}
    assert "give the layer reset_after=False" in finding.keras_cells(tensors(shapes))["a"].unlike
