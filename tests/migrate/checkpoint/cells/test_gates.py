"""Tests of the arrays of recurrent cells in both layouts."""

import numpy as np
import pytest

from migrate.checkpoint.cells import gates

INPUTS, UNITS = 3, 2
WIDTH = {"lstm": [4], "gru": [2, 1], "rnn": [1]}


def old_arrays(kind, rows=None):
    shapes = [(rows, count * UNITS) if rows else (count * UNITS,) for count in WIDTH[kind]]
    random = np.random.default_rng(2)
    return [random.normal(size=shape).astype(np.float32) for shape in shapes]


@pytest.mark.parametrize("kind", gates.LAYOUTS)
def test_kernels_come_back(kind):
    old = old_arrays(kind, INPUTS + UNITS)
    new = gates.keras_kernels(kind, old, INPUTS)
    assert [array.shape[0] for array in new] == [INPUTS, UNITS]
    for array, expected in zip(gates.old_kernels(kind, new), old, strict=True):
        np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize("kind", gates.LAYOUTS)
def test_biases_come_back(kind):
    old = old_arrays(kind)
    new = gates.keras_biases(kind, old, 1.0)
    for array, expected in zip(gates.old_biases(kind, new, 1.0), old, strict=True):
        np.testing.assert_allclose(array, expected, atol=1e-6)  # The sum was rounded.


def test_gates_of_an_lstm():
    old = np.arange(8, dtype=np.float32)  # Two units of i, j, f, o.
    (new,) = gates.keras_biases("lstm", [old], 1.0)
    np.testing.assert_array_equal(new, [0, 1, 5, 6, 2, 3, 6, 7])


def test_gates_of_a_gru():
    old = [np.arange(4.0), np.arange(4.0, 6.0)]  # Two units of r, u; candidate.
    (new,) = gates.keras_biases("gru", old, 1.0)
    np.testing.assert_array_equal(new, [2, 3, 0, 1, 4, 5])
