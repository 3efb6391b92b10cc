"""Tests for comparing recordings: verdicts, tolerances, and parts that could not be compared."""

import dataclasses

import numpy as np
import pytest

from migrate.same_run import comparison, recording
from migrate.same_run.comparison import COULD_NOT_TELL, DIFFERENT, SAME, same_run
from migrate.same_run.recording import Checkpoint, Predictions, Recording, Training


def predictions(values, digest="a", examples=None, shape=()):
    examples = len(values) if examples is None else examples
    return Predictions({"p": np.array(values)}, {"p": [shape]}, {"p": examples}, {"p": digest})


def checkpoint(**variables):
    return Checkpoint("", True, {name: np.array(value) for name, value in variables.items()})


NORMS = ((1, 4.0), (2, 1.0), (3, 0.25))
RUN = Recording(
    trainings=(Training("job", ((1, 0.5), (2, 0.25), (3, 0.125)), gradients=NORMS),),
    evaluations=({"loss": 0.5, "accuracy": 0.81, "global_step": 3},),
    evaluation_dirs=("job",),
    predictions=(predictions([0.25, 0.5]),),
    checkpoints={"job": checkpoint(kernel=[1.0, 1e-5], global_step=3)},
)


def differences(**changed):
    outcome = same_run(RUN, dataclasses.replace(RUN, **changed))
    assert outcome.verdict == (DIFFERENT if outcome.differences else SAME)
    return list(outcome.differences)


def losses(*pairs, gradients=NORMS):
    return (Training("job", pairs, gradients=gradients),)


def test_a_run_is_the_same_as_itself():
    outcome = same_run(RUN, RUN)
    assert outcome.verdict == SAME
    assert str(outcome) == (
        "same; compared: 3 gradient norms, 1 trainings, 1 evaluations, 1 predictions, 1 checkpoints"
    )


def test_nothing_recorded_is_not_the_same():
    outcome = same_run(Recording(), Recording())
    assert (outcome.verdict, outcome.differences) == (COULD_NOT_TELL, ())


def test_runs_that_fail_alike_could_not_be_told():
    failed = dataclasses.replace(RUN, exit_code=1)
    outcome = same_run(failed, failed)
    assert (outcome.verdict, outcome.not_compared) == (
        COULD_NOT_TELL,
        ("both runs ended with exit code 1",),
    )


@pytest.mark.parametrize(
    ("changed", "lines"),
    [
        ({"exit_code": 2}, ["exit code: 0 before, 2 after"]),
        ({"trainings": ()}, ["trainings: 1 before, 0 after"]),
        (
            {"trainings": losses((1, 0.5), (2, 0.25))},
            ["training 1: 3 steps before, 2 after"],
        ),
        (
            {"trainings": losses((1, 0.5), (2, 0.25), (3, 0.126))},
            ["training 1, loss at step 3: 0.125 before, 0.126 after (off by 0.001)"],
        ),
        # A mean over several steps, as with steps_per_execution.
        (
            {"trainings": losses((1, 0.5), (3, 0.2))},
            ["training 1, loss at step 3: 0.1875 before, 0.2 after (off by 0.0125)"],
        ),
        # A scale of the loss that Adam hides.
        (
            {"trainings": losses(*RUN.trainings[0].losses, gradients=((1, 4.0), (2, 1.21)))},
            ["training 1, gradient norm at step 2: 1 before, 1.1 after (off by 0.1)"],
        ),
        ({"evaluations": ()}, ["evaluations: 1 before, 0 after"]),
        (
            {"evaluation_dirs": ("other",)},
            ["evaluation 1: of the model in job before, of that in other after"],
        ),
        (
            {"evaluations": ({"loss": 0.5, "accuracy": 0.79, "global_step": 4},)},
            [
                "evaluation 1, accuracy: 0.81 before, 0.79 after (off by 0.02)",
                "evaluation 1, global_step: 3 before, 4 after (off by 1)",
            ],
        ),
        (
            {"evaluations": ({"loss": float("nan"), "acc": 0.81, "global_step": 3},)},
            [
                "evaluation 1, loss: 0.5 before, nan after (off by nan)",
                "evaluation 1, accuracy: 0.81 before, missing after",
                "evaluation 1, acc: missing before, 0.81 after",
            ],
        ),
        (
            {"predictions": (predictions([0.25, 0.5001]),)},
            ["prediction 1, p[1]: 0.5 before, 0.5001 after (off by 0.0001); 1 of 2 values differ"],
        ),
        (
            {"predictions": (predictions([0.25]),)},
            ["prediction 1, p: '2 examples of shape ()' before, '1 examples of shape ()' after"],
        ),
        (
            {"predictions": (predictions([0.25, 0.5], examples=2, shape=(1,)),)},
            ["prediction 1, p: '2 examples of shape ()' before, '2 examples of shape (1,)' after"],
        ),
        (
            {"checkpoints": {"job": checkpoint(weights=[1.0], global_step=3)}},
            [
                "checkpoint of job: kernel only before",
                "checkpoint of job: weights only after",
            ],
        ),
        (
            {"checkpoints": {"job": checkpoint(kernel=[1.001, 1e-5], global_step=3)}},
            [
                "checkpoint of job, kernel[0]: 1.0 before, 1.001 after (off by 0.001); "
                "1 of 2 values differ"
            ],
        ),
        (
            {"checkpoints": {"job": checkpoint(kernel=[1.0, 1e-5, 0.0], global_step=3)}},
            ["checkpoint of job, kernel: shape (2,) before, (3,) after"],
        ),
        (
            {"checkpoints": {"job": checkpoint(kernel=[1.0, 1e-5], global_step=4)}},
            ["checkpoint of job, global_step: 3 before, 4 after (off by 1)"],
        ),
        (
            {"checkpoints": {"job": checkpoint(kernel=np.float32([1, 1e-5]), global_step=3)}},
            ["checkpoint of job, kernel: float64 before, float32 after"],
        ),
    ],
)
def test_a_difference_is_named_with_place_and_size(changed, lines):
    assert differences(**changed) == lines


@pytest.mark.parametrize(
    "changed",
    [
        {"trainings": losses((1, 0.5), (2, 0.25), (3, 0.125001))},
        {"trainings": losses((3, 0.875 / 3))},
        {"evaluations": ({"loss": np.float32(0.5), "accuracy": 0.81000001, "global_step": 3},)},
        {"predictions": (predictions([0.25, 0.500001], digest="b"),)},
        {"checkpoints": {"job": checkpoint(kernel=[1.00001, 2e-5], global_step=3)}},
    ],
)
def test_rounding_is_no_difference(changed):
    assert differences(**changed) == []


def test_values_that_were_not_kept_leave_it_open():
    both = [predictions([0.25], digest, examples=2) for digest in "ab"]
    same, other = (Recording(predictions=(one,)) for one in both)
    assert same_run(same, same).verdict == SAME
    outcome = same_run(same, other)
    assert outcome.verdict == COULD_NOT_TELL
    assert outcome.not_compared == ("prediction 1, p: values after the first 1 differ",)


def test_gradients_that_one_run_lacks_are_named_as_not_compared():
    outcome = same_run(
        RUN, dataclasses.replace(RUN, trainings=losses(*RUN.trainings[0].losses, gradients=()))
    )
    assert outcome.verdict == SAME
    assert "gradient norms" not in outcome.compared
    assert outcome.not_compared == ("gradients of training 1: they could not be read after",)


def test_a_difference_as_large_as_that_of_rounding_is_allowed():
    other = dataclasses.replace(
        RUN,
        evaluations=({"loss": 0.5002, "accuracy": 0.81, "global_step": 3},),
        checkpoints={"job": checkpoint(kernel=[1.0, 5e-3], global_step=3)},
    )
    nudged = dataclasses.replace(
        RUN,
        evaluations=({"loss": 0.4999, "accuracy": 0.81, "global_step": 3},),
        checkpoints={"job": checkpoint(kernel=[1.0, -2e-3], global_step=3)},
    )
    assert same_run(RUN, other).verdict == DIFFERENT
    assert same_run(RUN, other, [nudged]).verdict == SAME


@pytest.mark.parametrize(
    "changed",
    [
        {"evaluations": ({"loss": 0.501, "accuracy": 0.81, "global_step": 3},)},
        {"evaluations": ({"loss": 0.5, "accuracy": 0.8102, "global_step": 3},)},
        {"trainings": losses((1, 0.5001), (2, 0.25), (3, 0.125))},
    ],
)
def test_a_larger_difference_than_that_of_rounding_is_found(changed):
    nudged = dataclasses.replace(
        RUN,
        trainings=losses((1, 0.5), (2, 0.25), (3, 0.12501)),
        evaluations=({"loss": 0.4999, "accuracy": 0.81, "global_step": 3},),
    )
    assert same_run(RUN, dataclasses.replace(RUN, **changed), [nudged]).verdict == DIFFERENT


def _with_results(loss, metric):
    return dataclasses.replace(
        RUN,
        trainings=losses((1, 0.5), (2, loss), (3, 0.125)),
        evaluations=({"loss": metric, "accuracy": 0.81, "global_step": 3},),
    )


def test_results_that_rounding_moves_beyond_the_limit_are_not_compared():
    outcome = same_run(RUN, _with_results(0.26, 0.52), [_with_results(0.256, 0.51)])
    assert outcome.verdict == SAME
    moved = "rounding alone moves the program's own results by more than 2%"
    assert outcome.not_compared[:2] == (
        f"training 1, loss from step 2 on: {moved}",
        f"evaluation 1, loss: {moved}",
    )


@pytest.mark.parametrize(("loss", "metric"), [(0.29, 0.52), (0.26, 0.56)])
def test_a_difference_beyond_what_rounding_explains_is_found(loss, metric):
    nudged = _with_results(0.256, 0.51)
    assert same_run(RUN, _with_results(loss, metric), [nudged]).verdict == DIFFERENT


def test_the_largest_difference_of_several_runs_counts():
    variations = [_with_results(0.25, 0.5005), _with_results(0.2502, 0.5)]
    other = _with_results(0.2507, 0.5015)
    assert all(same_run(RUN, other, [one]).verdict == DIFFERENT for one in variations)
    assert same_run(RUN, other, variations).verdict == SAME
    assert same_run(RUN, _with_results(0.251, 0.5015), variations).verdict == DIFFERENT


def test_a_program_that_does_not_repeat_its_results_is_named_as_the_cause():
    variations = [_with_results(0.256, 0.51)]
    outcome = same_run(RUN, _with_results(0.26, 0.52), variations, comparison.REPEATING)
    assert outcome.not_compared[0] == (
        "training 1, loss from step 2 on: the program does not repeat its own results, which "
        "differ by more than 2%"
    )


WEIGHTS = {"wide": np.linspace(-1.0, 1.0, 64), "a": [1.0, 0.5], "b": [2.0], "c": [-1.0]}


def _with_weights(**moved):
    weights = {**WEIGHTS, **moved}
    return dataclasses.replace(RUN, checkpoints={"job": checkpoint(**weights)})


# Rounding moves most variables by 0.002, and `c` hardly at all, by luck.
NUDGED = _with_weights(wide=WEIGHTS["wide"] * 1.002, a=[1.002, 0.5], b=[1.996], c=[-1.00001])


def test_a_variable_may_move_as_far_as_in_any_of_several_runs():
    other = _with_weights(c=[-1.006])
    before = _with_weights()
    assert same_run(before, other).verdict == DIFFERENT
    assert same_run(before, other, [NUDGED]).verdict == DIFFERENT
    assert same_run(before, other, [NUDGED, _with_weights(c=[-0.998])]).verdict == SAME


@pytest.mark.parametrize(
    "moved", [{"c": [-1.01]}, {"wide": WEIGHTS["wide"] * 1.01}, {"b": [2.05]}, {"a": [1.0, 0.51]}]
)
def test_a_variable_that_moves_farther_than_others_is_found(moved):
    assert same_run(_with_weights(), _with_weights(**moved), [NUDGED]).verdict == DIFFERENT


def test_what_was_not_recorded_leaves_it_open():
    outcome = same_run(RUN, dataclasses.replace(RUN, not_recorded=("a child did more",)))
    assert outcome.verdict == COULD_NOT_TELL
    assert outcome.not_compared == ("a child did more (run after)",)


def test_a_checkpoint_that_one_run_lacks_is_said_and_no_difference():
    outcome = same_run(RUN, dataclasses.replace(RUN, checkpoints={}))
    assert outcome.verdict == SAME
    assert outcome.not_compared == ("checkpoint of job: there is none after",)
    assert outcome.missing == outcome.not_compared


def test_the_tolerances_are_tighter_than_the_fourth_digit():
    tolerances = (comparison.LOSSES, comparison.METRICS, comparison.PREDICTIONS)
    assert all(not one.agrees(1.0, 1.0001) for one in tolerances)


def test_events_come_back_as_they_were_written(tmp_path):
    event = {
        "kind": "any",
        "array": np.arange(6, dtype=np.float32).reshape(2, 3),
        "number": np.float32(0.1),
        "texts": np.array([b"a", "b"], object),
        "nan": float("nan"),
    }
    recording.append_event(str(tmp_path), event)
    (process,) = recording.processes(str(tmp_path))
    (read,) = recording.read_events(str(tmp_path), process)
    np.testing.assert_array_equal(read["array"], event["array"])
    assert read["array"].dtype == np.float32
    assert read["number"] == float(np.float32(0.1))
    assert read["texts"].tolist() == ["a", "b"]
    assert np.isnan(read["nan"])
