"""Tests for the digests that trainers must end with, computed from the job's input function."""

import pytest

from benchmarks import ways
from benchmarks.judging import shares
from modern.jobs import linear_regression as job
from modern.records import digests

SETTING = ways.Setting(job="linear_regression")


def result(**examples):
    return {"seed": 1, "batch_size": 16, "examples": examples}


def digest(trainer, batches, trainers=2):
    data = job.train_input_fn(job.load_data("synthetic"), 16, 1, trainers, trainer)
    return float(sum(digests.of_batch(*batch) for batch in data.take(batches)))


@pytest.fixture(scope="module")
def expected():
    return shares.ExpectedDigests(SETTING)


def test_each_trainer_has_a_share_of_its_own(expected):
    found = expected(result(chief=3 * 16, worker=5 * 16))
    assert found["chief"] == pytest.approx(digest(0, 3), rel=digests.TOLERANCE)
    assert found["worker"] == pytest.approx(digest(1, 5), rel=digests.TOLERANCE)
    assert found["chief"] != pytest.approx(digest(1, 3), rel=1e-3)


def test_a_longer_run_after_a_shorter_one(expected):
    assert expected(result(alone=16))["alone"] == pytest.approx(digest(0, 1, 1))
    assert expected(result(alone=64))["alone"] == pytest.approx(digest(0, 4, 1))
    assert expected(result(alone=0))["alone"] == 0.0
