"""Test of columns that are inferred from arrays."""

import numpy as np
import pytest

from legacy.contrib import learn


def test_each_feature_has_a_column():
    x = {"a": np.zeros([5, 2]), "b": np.zeros(5, np.int32)}
    found = learn.infer_real_valued_columns_from_input(x)
    assert {(each.name, each.dimension, each.dtype.name) for each in found} == {
        ("a", 2, "float64"),
        ("b", 1, "int32"),
    }
    with pytest.raises(ValueError, match="Non integer or non floating types"):
        learn.infer_real_valued_columns_from_input(np.array(["text"]))
