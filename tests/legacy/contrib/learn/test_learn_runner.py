"""Tests that the task in a cluster decides on the way of an Experiment."""

import pytest

from legacy.contrib import learn
from tests.legacy.contrib.learn.experiments.models import Recorder, input_fn, model_fn


@pytest.mark.parametrize(
    ("task_type", "way"),
    [("master", "train_and_evaluate"), ("worker", "train"), ("ps", "run_std_server")],
)
def test_the_task_decides_on_the_way(in_task, tmp_path, task_type, way):
    in_task(task_type)

    def experiment_fn(run_config, hparams):
        return Recorder(learn.Estimator(model_fn, config=run_config), input_fn, input_fn)

    config = learn.RunConfig(model_dir=str(tmp_path))
    assert learn.learn_runner.run(experiment_fn, run_config=config) == way


def test_a_task_without_a_way(in_task, tmp_path):
    in_task("master")
    config = learn.RunConfig(model_dir=str(tmp_path))
    config._task_type = "other"

    def experiment_fn(run_config, hparams):
        return Recorder(learn.Estimator(model_fn, config=run_config), input_fn, input_fn)

    with pytest.raises(ValueError, match="No default schedule for task type: other"):
        learn.learn_runner.run(experiment_fn, run_config=config)
