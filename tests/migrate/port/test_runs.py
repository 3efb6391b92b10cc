"""Tests that only Estimators with results count as used, and that all that were made are seen."""

from migrate.port import climb, runs
from migrate.port.copies.program import Program
from migrate.port.estimators import KERAS, Estimator
from migrate.port.in_program import places
from migrate.same_run.recording import Recording, Training
from tests.migrate.port import programs

USED, UNUSED = (Estimator("job.py", line, "tf.estimator.Estimator") for line in (2, 3))


def test_an_estimator_that_is_made_and_not_used_is_not_proven():
    port_runs = runs.Runs(Program("/job.py", "/", ("python", "job.py")), "ported", programs.Said())
    port_runs.before = Recording(
        trainings=(Training("a", ((1, 0.5), (2, 0.25))),), evaluations=({},), evaluation_dirs=("a",)
    )
    port_runs.created_estimators = [
        places.CreatedEstimator((USED[:2],), "Estimator", "a"),
        places.CreatedEstimator((UNUSED[:2],), "Estimator", "b"),
    ]
    assert port_runs.results_of(USED) == {"trainings": 1, "steps": 2, "evaluations": 1}
    proven = [
        climb.PortedEstimator(one, KERAS, port_runs.results_of(one)) for one in (USED, UNUSED)
    ]
    assert [one.is_proven for one in proven] == [True, False]


def test_an_estimator_that_the_text_does_not_show_is_found_where_it_was_made():
    port_runs = runs.Runs(Program("/job.py", "/", ("python", "job.py")), "ported", programs.Said())
    line = ("models.py", 7)  # Such as super().__init__(model_fn) in a subclass of Estimator.
    port_runs.created_estimators = [
        places.CreatedEstimator((line, ("job.py", 30)), "Ranker", "c"),
        places.CreatedEstimator((USED[:2], ("job.py", 31)), "Estimator", "a"),
        places.CreatedEstimator((), "Estimator", "of a library"),
    ]
    assert port_runs.hidden_estimators([USED, UNUSED]) == [Estimator(*line, "Ranker")]
