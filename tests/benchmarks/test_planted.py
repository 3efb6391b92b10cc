"""Tests that the planted defects still find what they change: a wrong name would plant nothing."""

import pytest

from tests.benchmarks import planted


@pytest.mark.parametrize("name", planted.DEFECTS)
def test_a_defect_can_be_planted(name):
    with planted.DEFECTS[name]():
        pass
