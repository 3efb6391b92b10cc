"""Tests that only Estimators with results count as used."""

from migrate.port import climb, runs
from migrate.port.copies.program import Program
from migrate.port.estimators import KERAS, Estimator
from migrate.same_run.recording import Recording, Training
from tests.migrate.port import programs

USED, UNUSED = (Estimator("job.py", line, "tf.estimator.Estimator") for line in (2, 3))


def test_an_estimator_that_is_made_and_not_used_is_not_proven():
    found = runs.Runs(Program("/job.py", "/", ("python", "job.py")), "ported", programs.Said())
    found.before = Recording(
        trainings=(Training("a", ((1, 0.5), (2, 0.25))),), evaluations=({},), evaluated=("a",)
    )
    found.made = {USED[:2]: {"a"}, UNUSED[:2]: {"b"}}
    assert found.results_of(USED) == {"trainings": 1, "steps": 2, "evaluations": 1}
    proven = [climb.Climbed(one, KERAS, found.results_of(one)) for one in (USED, UNUSED)]
    assert [one.is_proven for one in proven] == [True, False]
