"""Tests that a recorded program compares equal to itself, and that planted changes are found."""

import os
import pathlib

import pytest

from migrate import same_run
from tests.migrate.rewrite import tools

SMALL = str(pathlib.Path(__file__).with_name("small.py"))


def _record(folder, *command, **options):
    env = {**tools.ENVIRONMENT, **options.pop("env", {})}
    return same_run.record(["python", *command], str(folder), env=env, **options)


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    return _record(tmp_path_factory.mktemp("runs") / "before", SMALL)


@pytest.fixture(scope="module")
def lines(before, tmp_path_factory):
    """Returns the differences that are found in a run with planted differences."""
    after = _record(tmp_path_factory.mktemp("runs") / "after", SMALL, "planted")
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
    outcome = same_run.same_run(before, _record(tmp_path, SMALL, first_weights=before))
    assert (outcome.verdict, outcome.differences, outcome.not_compared) == ("same", (), ())
    assert outcome.compared == {
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


def test_a_program_of_which_nothing_is_recorded_could_be_anything(tmp_path):
    runs = [_record(tmp_path / name, "-c", "print(1)") for name in "ab"]
    outcome = same_run.same_run(*runs)
    assert (outcome.verdict, runs[0].output) == ("could not tell", "1\n")


def test_a_program_that_does_not_run_python_is_said_to(tmp_path):
    run = same_run.record(["true"], str(tmp_path))
    assert "the recorder did not begin" in run.not_recorded[0]


def test_a_program_that_does_not_end_is_ended(tmp_path):
    run = _record(tmp_path, "-c", "import signal; signal.pause()", timeout=1)
    assert run.exit_code is None
    assert run.not_recorded == ("the program was ended after 1 s",)


def test_a_recording_does_not_replace_another(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="not empty"):
        same_run.record(["true"], str(tmp_path))


def test_another_sitecustomize_runs_as_well(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('mine')\n")
    path = os.pathsep.join([str(tmp_path), tools.ENVIRONMENT["PYTHONPATH"]])
    run = _record(tmp_path / "run", "-c", "pass", env={"PYTHONPATH": path})
    assert run.output == "mine\n"
    assert run.not_recorded == ()


def test_what_cannot_be_recorded_does_not_end_the_program(tmp_path):
    """The recorder watches the module `tf_keras`, but its results here are no arrays."""
    (tmp_path / "tf_keras.py").write_text(
        "class Model:\n"
        "    def fit(self): pass\n"
        "    def evaluate(self): return {'ragged': [[1], [1, 2]]}\n"
        "    def predict(self): yield [[1], [1, 2]]\n"
    )
    path = os.pathsep.join([str(tmp_path), tools.ENVIRONMENT["PYTHONPATH"]])
    program = "import tf_keras; m = tf_keras.Model(); print(m.evaluate(), *m.predict())"
    run = _record(tmp_path / "run", "-c", program, env={"PYTHONPATH": path})
    assert run.output == "{'ragged': [[1], [1, 2]]} [[1], [1, 2]]\n"
    assert [note.partition(":")[0] for note in run.not_recorded] == ["evaluation", "predictions"]
    assert same_run.same_run(run, run).verdict == "could not tell"
