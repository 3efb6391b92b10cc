"""Early stopping: end a training when its evaluations say so.

    hook = stop_if_no_decrease_hook(classifier, "loss", max_steps_without_decrease=1000)
    train_and_evaluate(classifier, TrainSpec(train_input_fn, hooks=[hook]), eval_spec)

The chief decides, from the evaluations' event files; the other trainers read a variable. The ends
of chief, ps and evaluator follow as at the end of any training.
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from legacy.estimator.estimator import Estimator
from legacy.estimator.hooks.stop_variable import (
    CheckForStoppingHook,
    MultiWorkerEarlyStoppingHook,
    StopOnPredicateHook,
)
from modern.records import summaries
from modern.training import early_stopping

tf1 = tf.compat.v1

# By name, because each is a class of its own in tf.distribute and in tf.compat.v1.distribute.
_IN_STEP = ("CollectiveAllReduceStrategy", "MultiWorkerMirroredStrategy")


def make_early_stopping_hook(
    estimator: Estimator,
    should_stop_fn: Callable[[], bool],
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Makes a hook that ends the training when a function says so.

    Args:
      estimator: The Estimator that will be trained.
      should_stop_fn: Called without arguments on the chief (under MultiWorkerMirroredStrategy on
        each worker); returns whether to stop.
      run_every_secs: Seconds between its calls. Not together with the next; must be None under
        MultiWorkerMirroredStrategy, where all workers ask at the same step.
      run_every_steps: Steps between its calls.

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: `estimator` is no Estimator, or `should_stop_fn` is not callable.
      ValueError: Not exactly one interval is given, or seconds under MultiWorkerMirroredStrategy.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(
            f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}"
        )
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    # In TensorFlow 2.15 every strategy took this branch; in 1.15, and in what it says, none other.
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


def stop_if_higher_hook(
    estimator: Estimator,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Makes a hook that ends the training when a metric was above a threshold.

    Args:
      estimator: The Estimator that will be trained.
      metric_name: The metric, as in the result of `evaluate`.
      threshold: The threshold.
      eval_dir: The folder of the evaluations' event files; None is `estimator.eval_dir()`.
      min_steps: Evaluations before this global step do not count.
      run_every_secs: Seconds between two looks at the evaluations. Not together with the next.
      run_every_steps: Steps between them.

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: `estimator` is no Estimator.
      ValueError: As in `make_early_stopping_hook`.
    """
    rule = early_stopping.Beyond(metric_name, threshold, operator.gt)
    stops = _stops(rule, estimator, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stops, run_every_secs, run_every_steps)


def stop_if_lower_hook(
    estimator: Estimator,
    metric_name: str,
    threshold: float,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Makes a hook that ends the training when a metric was below a threshold.

    Args:
      estimator: As in `stop_if_higher_hook`, and so are the others.
      metric_name: The metric.
      threshold: The threshold.
      eval_dir: The folder of the evaluations' event files.
      min_steps: Evaluations before this global step do not count.
      run_every_secs: Seconds between two looks at the evaluations.
      run_every_steps: Steps between them.

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: `estimator` is no Estimator.
      ValueError: As in `make_early_stopping_hook`.
    """
    rule = early_stopping.Beyond(metric_name, threshold, operator.lt)
    stops = _stops(rule, estimator, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stops, run_every_secs, run_every_steps)


def stop_if_no_increase_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_increase: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Makes a hook that ends the training when a metric has not risen for some steps.

    Args:
      estimator: As in `stop_if_higher_hook`, and so are the others.
      metric_name: The metric.
      max_steps_without_increase: How many steps after its best value an evaluation may be.
      eval_dir: The folder of the evaluations' event files.
      min_steps: Evaluations before this global step do not count.
      run_every_secs: Seconds between two looks at the evaluations.
      run_every_steps: Steps between them.

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: `estimator` is no Estimator.
      ValueError: As in `make_early_stopping_hook`.
    """
    rule = early_stopping.NoLongerBetter(metric_name, max_steps_without_increase, operator.gt)
    stops = _stops(rule, estimator, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stops, run_every_secs, run_every_steps)


def stop_if_no_decrease_hook(
    estimator: Estimator,
    metric_name: str,
    max_steps_without_decrease: int,
    eval_dir: str | None = None,
    min_steps: int = 0,
    run_every_secs: float | None = 60,
    run_every_steps: int | None = None,
) -> Any:
    """Makes a hook that ends the training when a metric has not fallen for some steps.

    Args:
      estimator: As in `stop_if_higher_hook`, and so are the others.
      metric_name: The metric.
      max_steps_without_decrease: How many steps after its best value an evaluation may be.
      eval_dir: The folder of the evaluations' event files.
      min_steps: Evaluations before this global step do not count.
      run_every_secs: Seconds between two looks at the evaluations.
      run_every_steps: Steps between them.

    Returns:
      A `SessionRunHook` for this task.

    Raises:
      TypeError: `estimator` is no Estimator.
      ValueError: As in `make_early_stopping_hook`.
    """
    rule = early_stopping.NoLongerBetter(metric_name, max_steps_without_decrease, operator.lt)
    stops = _stops(rule, estimator, eval_dir, min_steps)
    return make_early_stopping_hook(estimator, stops, run_every_secs, run_every_steps)


def read_eval_metrics(eval_dir: str) -> collections.OrderedDict[int, dict[str, float]]:
    """Reads what evaluations have written to their event files.

    Args:
      eval_dir: The folder of the event files; it need not exist.

    Returns:
      By global step, in order, the metrics by name. What follows a damaged place in a file is left
      out, with a warning.
    """
    return collections.OrderedDict(summaries.read(eval_dir))


def _stops(
    rule: early_stopping.Rule, estimator: Estimator, eval_dir: str | None, min_steps: int
) -> Callable[[], bool]:
    """Returns a function that says whether the evaluations end the training, and logs why."""
    folder = estimator.eval_dir() if eval_dir is None else eval_dir

    def stops() -> bool:
        reason = rule.reason(early_stopping.values(folder, rule.metric, min_steps))
        if reason:
            tf1.logging.info("Stopping early: %s", reason)
        return bool(reason)

    return stops
