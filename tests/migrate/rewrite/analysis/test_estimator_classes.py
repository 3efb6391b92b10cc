"""Tests for the classes of Estimators and their arguments."""

import inspect

import pytest

from legacy.compat.v1 import estimator
from migrate.rewrite.analysis import estimator_classes
from migrate.rewrite.engine.source_file import SourceFile


@pytest.mark.parametrize("name", [*estimator_classes.CANNED, "tf.estimator.Estimator"])
def test_the_parameters_are_those_of_the_class(name):
    last = name.rpartition(".")[2]
    known = list(inspect.signature(getattr(estimator, last).__init__).parameters)[1:]
    ours = estimator_classes._PARAMETERS[last]
    assert tuple(known[: len(ours)]) == ours


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("DNNRegressor([8], columns, 'm')", ["feature_columns", "hidden_units", "model_dir"]),
        ("LinearRegressor(columns, model_dir='m')", ["feature_columns", "model_dir"]),
        ("LinearRegressor(*columns)", None),
    ],
)
def test_arguments_have_names(call, expected):
    file = SourceFile(f"import tensorflow as tf\njob = tf.estimator.{call}\n")
    found = estimator_classes.arguments_of(file.names()[0])
    assert (None if found is None else sorted(found)) == expected
