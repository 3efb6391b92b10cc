"""Hooks that end a training because of its evaluations.

    hook = stop_if_no_decrease_hook(classifier, "loss", max_steps_without_decrease=1000)
    train_and_evaluate(classifier, TrainSpec(train_input_fn, hooks=[hook]), eval_spec)

The chief decides, based on the event files of the evaluations. The other trainers read a variable.
Chief, ps and evaluator then exit as they do at the end of any training.
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.estimator.docstrings import documented
from legacy.estimator.estimator import Estimator
from legacy.estimator.hooks.stop_variable import (
    CheckForStoppingHook,
    MultiWorkerEarlyStoppingHook,
    StopOnPredicateHook,
)
from modern.records import summaries
from modern.training import early_stopping

tf1 = tf.compat.v1

# Compare names, because tf.distribute and tf.compat.v1.distribute have separate classes.
_IN_STEP = ("CollectiveAllReduceStrategy", "MultiWorkerMirroredStrategy")
_AFTER_BEST = "Number of steps after the best evaluation at which the training ends."
_ARGUMENTS = {
    "estimator": "The Estimator to be trained.",
    "metric_name": "Name of the metric in the result of `evaluate`.",
    "threshold": "The threshold.",
    "max_steps_without_increase": _AFTER_BEST,
    "max_steps_without_decrease": _AFTER_BEST,
    "eval_dir": ("Directory of the evaluations' event files. Defaults to `estimator.eval_dir()`."),
    "min_steps": "Evaluations before this global step are ignored.",
    "run_every_secs": "Seconds between two checks. Mutually exclusive with `run_every_steps`.",
    "run_every_steps": "Steps between two checks.",
}


def make_early_stopping_hook(
    estimator: Estimator,
    should_stop_fn: Callable[[], bool],
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Returns a hook that ends the training when a function returns True.

    Args:
      estimator: The Estimator to be trained.
      should_stop_fn: Function without arguments that returns True to stop. It is called on the
        chief, or on each worker under MultiWorkerMirroredStrategy.
      run_every_secs: Seconds between two calls. Mutually exclusive with `run_every_steps`. It must
        be None under MultiWorkerMirroredStrategy, where all workers call the function at the same
        step.
      run_every_steps: Steps between two calls.

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: If `estimator` is not an Estimator, or if `should_stop_fn` is not callable.
      ValueError: If not exactly one interval is set, or if seconds are set under
        MultiWorkerMirroredStrategy.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(
            f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
        )
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    # As in TensorFlow 1.15, and as the message says, this branch is for these strategies only.
    # TensorFlow 2.15 used it for every strategy.
    if type(estimator.config.train_distribute).__name__.startswith(_IN_STEP):
        if run_every_secs:
            raise ValueError(
                "run_every_secs should not be set when using MultiWorkerMirroredStrategy. "
                "Use run_every_steps, with run_every_secs=None."
            )
        return MultiWorkerEarlyStoppingHook(should_stop_fn, run_every_steps)
    if estimator.config.is_chief:
        return StopOnPredicateHook(should_stop_fn, run_every_secs, run_every_steps)
    return CheckForStoppingHook()


@documented(_ARGUMENTS)
def stop_if_higher_hook(
    estimator: Estimator,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Returns a hook that ends the training when a metric is above a threshold.

    {args}

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: If `estimator` is not an Estimator.
      ValueError: If the intervals are invalid. See `make_early_stopping_hook`.
    """
    rule = early_stopping.Beyond(metric_name, threshold, operator.gt)
    stops = _stops(rule, estimator, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stops, run_every_secs, run_every_steps)


@documented(_ARGUMENTS)
def stop_if_lower_hook(
    estimator: Estimator,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Returns a hook that ends the training when a metric is below a threshold.

    {args}

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: If `estimator` is not an Estimator.
      ValueError: If the intervals are invalid. See `make_early_stopping_hook`.
    """
    rule = early_stopping.Beyond(metric_name, threshold, operator.lt)
    stops = _stops(rule, estimator, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stops, run_every_secs, run_every_steps)


@documented(_ARGUMENTS)
def stop_if_no_increase_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_increase: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Returns a hook that ends the training when a metric stops increasing.

    {args}

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: If `estimator` is not an Estimator.
      ValueError: If the intervals are invalid. See `make_early_stopping_hook`.
    """
    rule = early_stopping.NoLongerBetter(metric_name, max_steps_without_increase, operator.gt)
    stops = _stops(rule, estimator, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stops, run_every_secs, run_every_steps)


@documented(_ARGUMENTS)
def stop_if_no_decrease_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_decrease: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Returns a hook that ends the training when a metric stops decreasing.

    {args}

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: If `estimator` is not an Estimator.
      ValueError: If the intervals are invalid. See `make_early_stopping_hook`.
    """
    rule = early_stopping.NoLongerBetter(metric_name, max_steps_without_decrease, operator.lt)
    stops = _stops(rule, estimator, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stops, run_every_secs, run_every_steps)


def read_eval_metrics(eval_dir: str) -> collections.OrderedDict[int, dict[str, float]]:
    """Reads the metrics in the event files of evaluations.

    Args:
      eval_dir: Directory of the event files. It need not exist.

    Returns:
      Dicts of metrics by name, by global step in ascending order. If a file is damaged, the rest of
      it is skipped with a warning.
    """
    return collections.OrderedDict(summaries.read(eval_dir))


def _stops(
    rule: early_stopping.Rule, estimator: Estimator, eval_dir: str | None, min_steps: int
) -> Callable[[], bool]:
    """Returns a function that checks the evaluations against a rule and logs the reason to stop."""
    folder = estimator.eval_dir() if eval_dir is None else eval_dir

    def stops() -> bool:
        reason = rule.reason(early_stopping.values(folder, rule.metric, min_steps))
        if reason:
            tf1.logging.info("Stopping early: %s", reason)
        return bool(reason)

    return stops
