"""Test of columns that a combined model needs."""

import pytest

from legacy.contrib import learn


def test_a_combined_model_without_columns_is_refused_when_it_is_made():
    for kind in (learn.DNNLinearCombinedClassifier, learn.DNNLinearCombinedRegressor):
        with pytest.raises(ValueError, match="must be defined"):
            kind(dnn_hidden_units=[2])
