"""Tests of the checks and the server of an Experiment."""

import pytest

from legacy.contrib import learn
from legacy.contrib.learn.experiments import checks
from tests.legacy.contrib.learn.experiments.models import input_fn, model_fn


def test_a_server_needs_a_task(tmp_path):
    experiment = learn.Experiment(learn.Estimator(model_fn, str(tmp_path)), input_fn, input_fn)
    with pytest.raises(ValueError, match="set the TF_CONFIG environment variable"):
        experiment.run_std_server()


def test_predicates_may_name_the_checkpoint():
    assert checks.predicate_of(None)({}, "path") is True
    assert checks.predicate_of(lambda metrics: metrics)("metrics", "path") == "metrics"
    named = checks.predicate_of(lambda metrics, checkpoint_path: (metrics, checkpoint_path))
    assert named("metrics", "path") == ("metrics", "path")
    with pytest.raises(ValueError, match="must be a callable, or None"):
        checks.predicate_of(5)


def test_strategies_are_a_tuple():
    strategy = learn.ExportStrategy("name", lambda *arguments: None)
    assert checks.checked_strategies(None) == ()
    assert checks.checked_strategies(strategy) == (strategy,)
    assert checks.checked_strategies([strategy]) == (strategy,)
    with pytest.raises(ValueError, match="must be an ExportStrategy, an iterable of"):
        checks.checked_strategies([5])


@pytest.mark.parametrize(
    ("environment", "starts"), [("cloud", True), ("local", False), ("google", False)]
)
def test_the_environment_decides_on_a_server(in_task, environment, starts):
    in_task("worker", environment)
    assert checks.wants_server(learn.RunConfig()) is starts
