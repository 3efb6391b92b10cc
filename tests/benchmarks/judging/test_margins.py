"""Tests for the margins of jobs."""

import pytest

from benchmarks.judging import margins
from modern.tasks import flags


def test_each_documented_job_has_margins():
    assert set(margins.OF_JOB) == set(flags.JOBS)


@pytest.mark.parametrize("loss", [2.0, -2.0])
def test_the_first_loss_sets_the_scale(loss):
    found = margins.of_initial_loss(loss)
    assert (found.loss, found.curve) == (pytest.approx(0.01), pytest.approx(0.1))
    assert (found.metric, found.exact) == (0.01, 0.01)
