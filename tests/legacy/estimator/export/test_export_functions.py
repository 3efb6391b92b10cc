"""Tests of the functions that call an Estimator's exports."""

import pytest

from legacy.estimator.export import export_functions
from tests.legacy import api_table


class Recorder:
    """Fake Estimator that returns the arguments of its exports."""

    def export_saved_model(self, *arguments, **named):
        return arguments, named

    experimental_export_all_saved_models = export_saved_model


@pytest.mark.parametrize("name", ["export_saved_model_for_mode", "export_all_saved_models"])
def test_signatures(name):
    fact = api_table.FACTS["contrib"]["estimator"][name]
    assert api_table.differences(fact, getattr(export_functions, name)) == []


def test_all_arguments_are_passed_on():
    named = {"assets_extra": {"a": "b"}, "as_text": True, "checkpoint_path": "c"}
    export = export_functions.export_saved_model_for_mode
    expected = (("base", min), {**named, "experimental_mode": "eval"})
    assert export(Recorder(), "base", min, **named, mode="eval") == expected
    export = export_functions.export_all_saved_models
    assert export(Recorder(), "base", {"eval": min}, **named) == (("base", {"eval": min}), named)
