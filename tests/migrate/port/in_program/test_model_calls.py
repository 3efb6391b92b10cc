"""Tests for the function that sees each EstimatorSpec."""

import types

import pytest

from migrate.port.in_program import model_calls


@pytest.mark.parametrize("module", sorted(model_calls.patches(print)))
def test_the_function_gets_the_spec_the_data_and_the_mode(module):
    seen = []

    class Estimator:
        def _call_model_fn(self, features, labels, mode, config=None):
            return f"spec of {config}"

    patches = model_calls.patches(lambda *values: seen.append(values))
    patches[module](types.SimpleNamespace(Estimator=Estimator))
    assert Estimator()._call_model_fn("x", "y", "eval", config="c") == "spec of c"
    assert seen == [("spec of c", ["x", "y"], "eval")]
