"""Checks, servers and delays of an Experiment, and its evaluation at a checkpoint.

go_on = predicate_of(lambda metrics: metrics is None or metrics["loss"] > 0.1)
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.contrib.learn.constants import Environment
from legacy.contrib.learn.estimators import interfaces
from legacy.contrib.learn.estimators.run_config import RunConfig
from legacy.contrib.learn.experiments.export_strategy import ExportStrategy
from legacy.estimator.estimator import Estimator as CoreEstimator

if TYPE_CHECKING:
    from legacy.contrib.learn.experiments.experiment import Experiment

tf1 = tf.compat.v1


class EvaluateAndExport(tf1.train.CheckpointSaverListener):
    """Evaluates and exports at each checkpoint of a training.

    Args:
      experiment: The Experiment.
    """

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._path: str | None = None
        self.eval_result: Any = None
        self.export_results: Any = None

    def after_save(self, session: Any, global_step_value: int) -> None:
        """Evaluates and exports the new checkpoint."""
        path = tf1.train.latest_checkpoint(self._experiment.estimator.model_dir)
        if not path or path == self._path:
            return
        self._path = path
        self.eval_result = self._experiment._call_evaluate(
            name="intermediate_export", checkpoint_path=path
        )
        self.export_results = self._experiment._maybe_export(self.eval_result, checkpoint_path=path)


def check_estimator(estimator: Any, eval_metrics: Any, saving_listeners: Any) -> bool:
    """Checks the Estimator, and the arguments that only one of the two kinds accepts.

    Args:
      estimator: An Estimator of contrib.learn or of tf.estimator.
      eval_metrics: Metrics, for an Estimator of contrib.learn only.
      saving_listeners: Listeners, for an Estimator of tf.estimator only.

    Returns:
      True for an Estimator of tf.estimator, False for an Estimator of contrib.learn.

    Raises:
      ValueError: The Estimator is of neither kind, or an argument is for the other kind.
    """
    if isinstance(estimator, CoreEstimator):
        if eval_metrics is not None:
            raise ValueError("`eval_metrics` must be `None` with `tf.estimator.Estimator`")
        return True
    for kind in (interfaces.Evaluable, interfaces.Trainable):
        if not isinstance(estimator, kind):
            raise ValueError(
                "`estimator` must implement `tf.contrib.learn.Evaluable` and "
                "`tf.contrib.learn.Trainable`, or `tf.estimator.Estimator`."
            )
    if saving_listeners is not None:
        raise ValueError("`saving_listeners` must be `None` with `tf.contrib.learn.Estimator`.")
    return False


def checked_strategies(given: Any) -> tuple[ExportStrategy, ...]:
    """Returns export strategies as a tuple.

    Args:
      given: An `ExportStrategy`, an iterable of them, or None.

    Raises:
      ValueError: An element is not an `ExportStrategy`.
    """
    strategies = (given,) if isinstance(given, ExportStrategy) else tuple(given or ())
    for strategy in strategies:
        if not isinstance(strategy, ExportStrategy):
            raise ValueError(
                "`export_strategies` must be an ExportStrategy, an iterable of ExportStrategy, or "
                f"`None`, found {strategy}."
            )
    return strategies


def predicate_of(predicate: Callable[..., bool] | None) -> Callable[[Any, Any], bool]:
    """Returns a user's predicate as a function of the metrics and the checkpoint.

    Args:
      predicate: Function of the metrics, and of `checkpoint_path` if it names that. None is always
        true.

    Raises:
      ValueError: `predicate` is not callable.
    """
    if predicate is None:
        return lambda result, path: True
    if not callable(predicate):
        raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")
    if "checkpoint_path" in inspect.signature(predicate).parameters:
        return lambda result, path: predicate(result, checkpoint_path=path)
    return lambda result, path: predicate(result)


def wants_server(config: Any) -> bool:
    """Returns true if a task of a cluster must start a server before it trains.

    Args:
      config: Configuration of the Estimator.

    Raises:
      ValueError: The task belongs to a cluster, but the configuration is not one of contrib.learn.
    """
    if not (config.cluster_spec.jobs and config.master):
        return False
    if not isinstance(config, RunConfig):
        raise ValueError(
            "For distributed runtime, Experiment class only works with "
            f"tf.contrib.learn.RunConfig for now, but provided {type(config)}"
        )
    if config.environment == Environment.LOCAL:
        tf1.logging.warning(
            'There are a cluster and a master, but the environment is "local": no server is '
            'started. Set "environment": "cloud" in TF_CONFIG for a distributed run.'
        )
    return config.environment not in (Environment.LOCAL, Environment.GOOGLE)


def start_server(config: Any) -> tf1.train.Server:
    """Starts the server of this task.

    Args:
      config: Configuration of the Estimator.

    Raises:
      ValueError: The configuration lacks the cluster, the task type or the session target.
    """
    if not (config.cluster_spec.jobs and config.task_type and config.master):
        raise ValueError(
            "Could not start server; be sure to specify cluster_spec, task_type, master, and "
            "task in RunConfig or set the TF_CONFIG environment variable."
        )
    return tf1.train.Server(
        config.cluster_spec,
        job_name=config.task_type,
        task_index=config.task_id,
        config=getattr(config, "tf_config", config.session_config),
    )


def wait(secs: float | None, purpose: str) -> None:
    """Waits, and logs the wait.

    Args:
      secs: Seconds to wait. None does not wait.
      purpose: Purpose of the wait, for the log.
    """
    if secs and secs > 0:
        tf1.logging.info("Waiting %f secs before starting %s.", secs, purpose)
        time.sleep(secs)
