"""Tests for evaluations during an Experiment's training, whose number depends on the clock."""

import pytest

from migrate.same_run.comparison import DIFFERENT, SAME, same_run
from migrate.same_run.recording import Recording, Training

LOSSES = {0: 4.0, 30: 2.0, 60: 1.0}


def recording(*steps, last=60, experiment=True, **losses):
    """Returns a run that evaluates some steps in its training, and the last one after it."""
    all_steps = (*steps, *([last] if last else []))
    return Recording(
        trainings=(Training("job", ((1, 0.5),), gradients=((1, 1.0),)),),
        evaluations=tuple(
            {"loss": losses.get(f"at_{step}", LOSSES[step]), "global_step": step}
            for step in all_steps
        ),
        evaluation_dirs=("job",) * len(all_steps),
        evaluations_in_training=frozenset(range(len(steps))),
        runs_experiments=experiment,
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (recording(30, 60), recording(30)),
        (recording(30), recording(30, 60)),
        (recording(0), recording(30)),
        (recording(), recording(60, last=None)),
    ],
)
def test_other_steps_and_repetitions_are_no_difference(before, after):
    assert same_run(before, after).verdict == SAME


def test_the_steps_that_were_not_compared_are_named():
    (sentence,) = same_run(recording(0), recording(30)).details
    assert sentence.endswith("Only one of the runs evaluated step 0, 30")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (recording(30), recording(30, at_30=2.1)),
        (recording(30), recording(30, at_60=1.1)),
        (recording(30), recording(30, last=None)),
        (recording(60), recording(60, last=None, at_60=1.1)),
        (recording(0, experiment=False), recording(30)),
        (recording(30, 60, experiment=False), recording(30)),
    ],
)
def test_other_values_and_a_lost_evaluation_differ(before, after):
    assert same_run(before, after).verdict == DIFFERENT
