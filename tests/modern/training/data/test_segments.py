"""Tests of the calls of `fit` that make up a training."""

import pytest

from modern.training.data.segments import Plan


@pytest.mark.parametrize(
    ("steps", "epoch", "start", "calls"),
    [
        (400, 200, 0, [(0, 2, 200)]),
        (405, 200, 0, [(0, 2, 200), (2, 3, 5)]),
        (5, 200, 0, [(0, 1, 5)]),
        (405, 200, 130, [(0, 1, 70), (1, 2, 200), (2, 3, 5)]),
        (405, 200, 402, [(2, 3, 3)]),
        (405, 200, 405, []),
        (405, 200, 1000, []),
        (0, 1, 0, []),
    ],
)
def test_segments(steps, epoch, start, calls):
    assert Plan(steps, epoch).segments(start) == calls


@pytest.mark.parametrize("start", range(0, 50, 7))
def test_segments_end_at_the_last_step(start):
    calls = Plan(43, 9).segments(start)
    assert sum((end - begin) * steps for begin, end, steps in calls) == max(0, 43 - start)
