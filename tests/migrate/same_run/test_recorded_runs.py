"""Tests that a recorded program compares equal to itself, and that planted changes are found."""

import pathlib

import pytest

from migrate import same_run
from tests.migrate.same_run import recorded

SMALL = str(pathlib.Path(__file__).with_name("small.py"))


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    return recorded.record(tmp_path_factory.mktemp("runs") / "before", SMALL)


@pytest.fixture(scope="module")
def lines(before, tmp_path_factory):
    """Returns the differences that are found in a run with planted differences."""
    after = recorded.record(tmp_path_factory.mktemp("runs") / "after", SMALL, "planted")
    outcome = same_run.same_run(before, after)
    assert outcome.verdict == "different"
    return outcome.differences


def test_a_run_is_recorded(before):
    assert before.exit_code == 0, before.output
    assert [one.model_dir for one in before.trainings][:2] == ["unchanged", "rate"]
    assert [one.steps for one in before.trainings] == [5] * 8
    assert all(loss > 0 for one in before.trainings for _, loss in one.losses)
    assert [*before.evaluations[0]] == ["loss", "mae", "global_step"]
    assert before.predictions[0].examples == {"out": 4}
    assert {*before.checkpoints["rate"].variables} == {"dense/kernel", "dense/bias", "global_step"}
    assert before.checkpoints["rate"].variables["global_step"] == 5


def test_a_program_that_runs_twice_gives_the_same(before, tmp_path):
    """Starting from the first run's initial weights changes nothing, either."""
    outcome = same_run.same_run(before, recorded.record(tmp_path, SMALL, first_weights=before))
    assert (outcome.verdict, outcome.differences, outcome.not_compared) == ("same", (), ())
    assert outcome.compared == {
        "gradient norms": 40,
        "trainings": 8,
        "evaluations": 3,
        "predictions": 1,
        "checkpoints": 8,
    }


@pytest.mark.parametrize(
    "expected",
    [
        "exit code: 0 before, 3 after",
        "training 2, loss at step 2: ",  # the learning rate is off by a thousandth
        "training 3, loss at step 1: ",  # a sum instead of a mean
        "training 4, loss at step 1: ",  # another seed
        "checkpoint of variable: dense/bias, dense/kernel only before",
        "checkpoint of variable: renamed/bias, renamed/kernel only after",
        "prediction 1, out[1]: ",  # the fourth digit differs
        "evaluation 2, mae: ",
        "evaluation 2, mae_: missing before, ",
        "evaluations: 3 before, 2 after",
    ],
)
def test_a_planted_difference_is_found_and_named(lines, expected):
    assert [line for line in lines if line.startswith(expected)]


def test_nothing_else_is_found(lines):
    places = ("training 1,", "training 5", "training 6", "training 7", "training 8", "evaluation 1")
    assert not [line for line in lines if line.startswith(places)]
