"""Tests that engines train in turns, and that the median of the ratios per turn decides."""

import sys

import pytest
import rich.table

from benchmarks import estimator_speed
from modern.process import cli

HERE = {"ours": (sys.executable, "ours")}


def figures(ours, theirs, began=(2.0, 2.0)):
    return {
        "ours": {"steps_per_second": ours, "process_to_first_step_s": [began[0]]},
        "original on 2.15": {"steps_per_second": theirs, "process_to_first_step_s": [began[1]]},
    }


def test_an_engine_begins_and_then_trains_by_turns():
    found = figures([], [])
    estimator_speed.measure_round(HERE, "tiny", 2, found)
    assert len(found["ours"]["steps_per_second"]) == 2
    assert all(speed > 100 for speed in found["ours"]["steps_per_second"])
    assert found["ours"]["process_to_first_step_s"][1] > 0.1


def test_an_engine_that_fails_is_named():
    with pytest.raises(cli.UsageError, match=r"ours \(.*\) cannot train huge:\n(.*\n)*.*huge"):
        estimator_speed.measure_round(HERE, "huge", 1, figures([], []))


@pytest.mark.parametrize(
    ("found", "reached"),
    [
        # The second turn is slow for both engines, which must not matter.
        (figures([10.0, 2.0, 10.0], [9.9, 1.9, 9.9]), True),
        (figures([9.8, 2.0, 9.8], [9.9, 1.9, 9.9]), False),
        (figures([10.0], [9.9], began=(2.1, 2.0)), False),
    ],
)
def test_the_median_of_ratios_decides(found, reached):
    assert estimator_speed._report("tiny", found, 0.0, rich.table.Table()) is reached
