"""Tests that only Estimators with results count as used, and that all that were made are seen."""

from migrate.port import climb, runs
from migrate.port.copies.program import Program
from migrate.port.estimators import KERAS, Estimator
from migrate.port.in_program import places
from migrate.same_run.recording import Recording, Training
from tests.migrate.port import programs

USED, UNUSED = (Estimator("job.py", line, "tf.estimator.Estimator") for line in (2, 3))


def test_an_estimator_that_is_made_and_not_used_is_not_proven():
    found = runs.Runs(Program("/job.py", "/", ("python", "job.py")), "ported", programs.Said())
    found.before = Recording(
        trainings=(Training("a", ((1, 0.5), (2, 0.25))),), evaluations=({},), evaluated=("a",)
    )
    found.made = [
        places.Made((USED[:2],), "Estimator", "a"),
        places.Made((UNUSED[:2],), "Estimator", "b"),
    ]
    assert found.results_of(USED) == {"trainings": 1, "steps": 2, "evaluations": 1}
    proven = [climb.Climbed(one, KERAS, found.results_of(one)) for one in (USED, UNUSED)]
    assert [one.is_proven for one in proven] == [True, False]


def test_an_estimator_that_the_text_does_not_show_is_found_where_it_was_made():
    found = runs.Runs(Program("/job.py", "/", ("python", "job.py")), "ported", programs.Said())
    line = ("models.py", 7)  # Such as super().__init__(model_fn) in a subclass of Estimator.
    found.made = [
        places.Made((line, ("job.py", 30)), "Ranker", "c"),
        places.Made((USED[:2], ("job.py", 31)), "Estimator", "a"),
        places.Made((), "Estimator", "of a library"),
    ]
    assert found.unknown([USED, UNUSED]) == [Estimator(*line, "Ranker")]
