"""Tests for the comparison of two checkpoints."""

import numpy as np
import pytest
import tensorflow as tf

from migrate.checkpoint import Options, comparing, open_source


def saved(path, **values):
    variables = [tf.Variable(value, name=name) for name, value in values.items()]
    return open_source(tf.train.Checkpoint(v=variables).write(str(path)))


def test_measures_the_largest_difference_and_counts_elements(tmp_path):
    left = saved(tmp_path / "left", a=[1.0, 2.0, 4.0], b=[1.0, 1.0], same=[0.0])
    right = saved(tmp_path / "right", a=[1.0, 2.5, 8.0], b=[1.0, 1.25], same=[0.0])
    found = comparing.compare(left, right)

    assert not found.same
    assert (found.compared, found.identical) == (3, 1)
    assert [(one.left, one.elements, one.differing) for one in found.values] == [
        ("a", 3, 2),
        ("b", 2, 1),
    ]
    assert (found.values[0].largest, found.values[0].relative) == (4.0, 0.5)
    assert comparing.compare(left, right, rtol=0.5).same


@pytest.mark.parametrize(("value", "same"), [(np.nan, True), (1.0, False)])
def test_nan_equals_nan_alone(value, same, tmp_path):
    left, right = saved(tmp_path / "left", w=[np.nan, 0.0]), saved(tmp_path / "right", w=[value, 0])
    found = comparing.compare(left, right, rtol=1.0, atol=1.0)

    assert found.same == same
    assert [one.largest for one in found.values] == ([] if same else [np.inf])


def test_variables_of_one_side_are_a_difference_of_structure(tmp_path):
    left, right = saved(tmp_path / "left", a=[1.0], b=[[2.0]]), saved(tmp_path / "right", a=[1.0])

    assert "b has no counterpart in the target" in comparing.compare(left, right).structure[0]
    assert comparing.compare(left, right, options=Options(leave_out=("b",))).same
