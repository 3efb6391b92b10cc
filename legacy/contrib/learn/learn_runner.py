"""Runs an Experiment in the role that TF_CONFIG gives this process.

def experiment_fn(run_config, hparams):
    estimator = contrib.learn.Estimator(model_fn, params=hparams, config=run_config)
    return contrib.learn.Experiment(estimator, train_input_fn, eval_input_fn, train_steps=1000)

learn_runner.run(
    experiment_fn, run_config=contrib.learn.RunConfig(model_dir="/tmp/model"), hparams=hparams
)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legacy.contrib.learn.constants import TaskType
from legacy.contrib.learn.estimators.run_config import RunConfig
from legacy.contrib.learn.experiments.experiment import Experiment
from legacy.contrib.training import HParams

_SCHEDULES = {
    TaskType.MASTER: "train_and_evaluate",
    TaskType.PS: "run_std_server",
    TaskType.WORKER: "train",
}


def run(
    experiment_fn: Callable[..., Experiment],
    output_dir: str | None = None,
    schedule: str | None = None,
    run_config: RunConfig | None = None,
    hparams: HParams | None = None,
) -> Any:
    """Creates the Experiment and runs it.

    Args:
      experiment_fn: Function that returns an Experiment. If `run_config` is set, it is called as
        `experiment_fn(run_config, hparams)`, and its Estimator must use that config. Otherwise it
        is called as `experiment_fn(output_dir)`.
      output_dir: Folder of the model.
      schedule: Name of the Experiment's method to call. None is `train_and_evaluate`. In a cluster,
        it is `train` for a worker and `run_std_server` for a ps.
      run_config: A `RunConfig` of contrib.learn with a `model_dir`.
      hparams: Hyperparameters. Requires `run_config`.

    Returns:
      The return value of that method.

    Raises:
      ValueError: An argument is missing or not valid, or the method does not exist.
      TypeError: The function is not callable or does not return an Experiment.
      RuntimeError: The Estimator has another config.
    """
    if output_dir is not None and run_config is not None:
        raise ValueError("Cannot provide both `output_dir` and `run_config`")
    if output_dir is None and run_config is None:
        raise ValueError("Must set value for `output_dir` or `run_config`")
    if not callable(experiment_fn):
        raise TypeError(f'Experiment builder "{experiment_fn}" is not callable.')
    if run_config is not None:
        experiment = _with_config(experiment_fn, run_config, hparams)
    else:
        if not output_dir:
            raise ValueError("Must specify an output directory")
        if hparams is not None:
            raise ValueError("Must set `hparams` as None for `experiment_fn` with `output_dir`.")
        experiment = _check_experiment(experiment_fn(output_dir=output_dir))
    config = run_config or experiment.estimator.config
    return _method(experiment, schedule or _default_schedule(config))()


def tune(experiment_fn: Callable[..., Experiment], tuner: Any) -> None:
    """Runs Experiments with the hyperparameters of a tuner.

    Args:
      experiment_fn: Function called as `experiment_fn(run_config, hparams)`.
      tuner: Object with the methods `next_trial()`, which returns false after the last trial, and
        `run_experiment(experiment_fn)`.
    """

    def with_hparams(run_config: RunConfig, hparams: HParams) -> Experiment:
        if hparams is None:
            raise ValueError("`hparams` cannot be `None`.")
        return _with_config(experiment_fn, run_config, hparams)

    while tuner.next_trial():
        tuner.run_experiment(with_hparams)


def _with_config(
    experiment_fn: Callable[..., Experiment], run_config: RunConfig, hparams: HParams | None
) -> Experiment:
    if not isinstance(run_config, RunConfig):
        raise ValueError("`run_config` must be `tf.contrib.learn.RunConfig` instance")
    if not run_config.model_dir:
        raise ValueError("Must specify a model directory `model_dir` in `run_config`.")
    if hparams is not None and not isinstance(hparams, HParams):
        raise ValueError("`hparams` must be `HParams` instance")
    expected = run_config.uid()  # Read first, because `experiment_fn` could change the config.
    experiment = _check_experiment(experiment_fn(run_config, hparams))
    config = experiment.estimator.config
    if not hasattr(config, "uid") or config.uid() != expected:
        raise RuntimeError(
            "`RunConfig` instance is expected to be used by the `Estimator` inside the "
            "`Experiment`: pass the `run_config` argument of `experiment_fn` to the Estimator as "
            f"`config`. Expected {run_config}, but got {config}."
        )
    return experiment


def _check_experiment(experiment: Any) -> Experiment:
    if not isinstance(experiment, Experiment):
        raise TypeError(
            "Experiment builder did not return an Experiment instance, got "
            f"{type(experiment)} instead."
        )
    return experiment


def _default_schedule(config: Any) -> str:
    tasks = sum(len(tasks_of_job) for tasks_of_job in config.cluster_spec.as_dict().values())
    if tasks <= 1:
        return "train_and_evaluate"
    if not config.task_type:
        raise ValueError("Must specify a schedule: TF_CONFIG has a cluster and no task type.")
    if config.task_type not in _SCHEDULES:
        raise ValueError(f"No default schedule for task type: {config.task_type}")
    return _SCHEDULES[config.task_type]


def _method(experiment: Experiment, schedule: str) -> Callable[[], Any]:
    public = [name for name in dir(Experiment) if not name.startswith("_")]
    if not hasattr(experiment, schedule):
        raise ValueError(
            f"Schedule references non-existent task {schedule}. Allowed values: "
            f"{[name for name in public if callable(getattr(Experiment, name))]}"
        )
    method = getattr(experiment, schedule)
    if not callable(method):
        raise TypeError(f"Schedule references non-callable member {schedule}")
    return method
