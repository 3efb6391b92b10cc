"""Silences the deprecation warnings that a 2018-style model_fn causes."""

import pathlib

import pytest

_HERE = pathlib.Path(__file__).parent
_OF_TENSORFLOW = (
    "ignore:`tf\\..* is deprecated:UserWarning",
    "ignore:`layer\\..* is deprecated:UserWarning",
    "ignore:`layer.updates` will be removed:UserWarning",
)


def pytest_collection_modifyitems(items):
    for item in items:
        if _HERE in item.path.parents:
            for warning in _OF_TENSORFLOW:
                item.add_marker(pytest.mark.filterwarnings(warning))
