"""Tests of all names and signatures of tf.estimator and all names of tf.contrib against the table.

A name that is left out raises an error at its use, with the reason and an alternative.
"""

import pytest

from legacy import contrib, estimator
from legacy.compat.v1 import estimator as estimator_v1
from legacy.names import left_out
from tests.legacy import api_table

V1, V2 = api_table.FACTS["tf.compat.v1.estimator"], api_table.FACTS["tf.estimator"]
CONTRIB = api_table.FACTS["contrib"]


@pytest.mark.parametrize("name", V2)
def test_v2(name):
    assert api_table.differences(V2[name], api_table.find(estimator, name)) == []


@pytest.mark.parametrize("name", V1)
def test_v1(name):
    assert api_table.differences(V1[name], api_table.find(estimator_v1, name)) == []


def test_what_was_only_in_1_15_is_left_out_by_name():
    gone = set(api_table.FACTS["tf115.estimator"]) - set(V1)
    assert gone
    for name in gone:
        assert left_out.reason_for(f"tf.estimator.{name}"), name


@pytest.mark.parametrize("group", CONTRIB)
def test_contrib(group):
    module = getattr(contrib, group)
    missing = [name for name in CONTRIB[group] if not hasattr(module, name)]
    assert len(missing) < len(CONTRIB[group])
    for name in missing:
        with pytest.raises(AttributeError, match=f"tf.contrib.{group}.{name} is not provided: "):
            getattr(module, name)


def test_a_difference_is_seen():
    fact = V2["RunConfig"]
    changed = {**fact, "signature": fact["signature"].replace("keep_checkpoint_max=5", "k=4")}
    assert api_table.differences(changed, estimator.RunConfig)
    assert api_table.differences(V2["Estimator"], estimator.RunConfig)
    assert api_table.differences(fact, api_table.find(estimator, "NoSuch")) == ["is missing"]


def test_all_is_complete_and_true():
    for module in (estimator, estimator_v1):
        assert len(set(module.__all__)) == len(module.__all__)
        for name in module.__all__:
            assert hasattr(module, name)


def test_modes():
    modes = estimator.ModeKeys
    assert (modes.TRAIN, modes.EVAL, modes.PREDICT) == ("train", "eval", "infer")
