"""Tests that an Estimator, or a function that returns one, stands for its model_fn."""

import types

import pytest

from migrate.verify.sides import model_fns
from modern.process import cli


def model_fn(features, labels, mode): ...


def test_an_estimator_and_its_factory_give_the_model_fn():
    estimator = types.SimpleNamespace(model_fn=model_fn)

    def build(params):
        assert params == {"size": 3}
        return estimator

    for program in (model_fn, estimator, build):
        assert model_fns.find_model_fn(program, {"size": 3}) is model_fn


def test_other_objects_are_refused():
    with pytest.raises(cli.UsageError, match="int is neither a model_fn"):
        model_fns.find_model_fn(lambda: 1, {})
