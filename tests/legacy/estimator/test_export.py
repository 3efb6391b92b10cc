"""Tests of the names of tf.estimator.export."""

import pytest

from legacy.compat.v1 import estimator as v1
from legacy.estimator import experimental, export
from tests.legacy import api_table

NAMES = [name for name in api_table.FACTS["tf.estimator"] if name.startswith("export.")]


@pytest.mark.parametrize("name", NAMES)
def test_names_and_signatures(name):
    fact = api_table.FACTS["tf.estimator"][name]
    name = name.removeprefix("export.")
    assert api_table.differences(fact, getattr(export, name)) == []
    assert name in export.__all__
    assert getattr(v1.export, name) is getattr(export, name)


def test_supervised_receivers_are_experimental():
    name = "build_raw_supervised_input_receiver_fn"
    assert getattr(v1.experimental, name) is getattr(experimental, name)
