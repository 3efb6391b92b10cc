"""Hooks of early stopping, which share the decision to stop by a variable.

    chief_hooks = [StopOnPredicateHook(should_stop_fn, run_every_secs=None, run_every_steps=100)]
    worker_hooks = [CheckForStoppingHook()]

As in the original, checkpoints contain the variable, "signal_early_stopping/STOP". A training that
resumes from the checkpoint of a stopped one would stop at once. Therefore it resets the variable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

_SCOPE, _NAME = "signal_early_stopping", "STOP"


def get_or_create_stop_variable() -> Any:
    """Returns the bool variable of the default graph that tells trainers to stop."""
    with tf1.variable_scope(_SCOPE, reuse=tf1.AUTO_REUSE):
        return tf1.get_variable(
            _NAME,
            shape=[],
            dtype=tf.bool,
            initializer=tf1.constant_initializer(False),
            collections=[tf1.GraphKeys.GLOBAL_VARIABLES],
            trainable=False,
        )


def _check_should_stop_fn(should_stop_fn: Any) -> Callable[[], bool]:
    if not callable(should_stop_fn):
        raise TypeError(f"`should_stop_fn` must be callable, and is {should_stop_fn!r}.")
    return should_stop_fn


def _due_step(timer: Any, fetched_step: int, global_step: Any, run_context: Any) -> int | None:
    """Returns the global step if a timer is due at it, and None otherwise.

    Nothing orders the fetch of the step and its increment, so `fetched_step` may be the
    step from before the run. With it alone, a hook could act a step late, and workers could act at
    different steps.
    """
    if not any(timer.should_trigger_for_step(step) for step in (fetched_step, fetched_step + 1)):
        return None
    step = run_context.session.run(global_step)
    return step if timer.should_trigger_for_step(step) else None


class StopOnPredicateHook(tf1.train.SessionRunHook):
    """Stops when a function returns True, and tells the other trainers. Runs on the chief.

    Args:
      should_stop_fn: Function that returns True to stop.
      run_every_secs: Seconds between two calls. Mutually exclusive with `run_every_steps`.
      run_every_steps: Steps between two calls.

    Raises:
      TypeError: If `should_stop_fn` is not callable.
      ValueError: If not exactly one interval is set.
    """

    def __init__(
        self,
        should_stop_fn: Callable[[], bool],
        run_every_secs: float | None = 60,
        run_every_steps: int | None = None,
    ) -> None:
        self._should_stop_fn = _check_should_stop_fn(should_stop_fn)
        self._timer = tf1.train.SecondOrStepTimer(
            every_secs=run_every_secs, every_steps=run_every_steps
        )

    def begin(self) -> None:
        """Creates the variable and the operations on it."""
        self._global_step = tf1.train.get_global_step()
        self._stop_var = get_or_create_stop_variable()
        self._stop_op = tf1.assign(self._stop_var, True)
        self._reset_op = tf1.assign(self._stop_var, False)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Resets the variable, which an earlier training may have set."""
        session.run(self._reset_op)

    def before_run(self, run_context: Any) -> Any:
        """Requests the global step."""
        return tf1.train.SessionRunArgs(self._global_step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Calls the function if a call is due, and stops if it returns True."""
        step = _due_step(self._timer, run_values.results, self._global_step, run_context)
        if step is None:
            return
        self._timer.update_last_triggered_step(step)
        if self._should_stop_fn():
            tf1.logging.info("Requesting early stopping at global step %d", step)
            run_context.session.run(self._stop_op)
            run_context.request_stop()


class CheckForStoppingHook(tf1.train.SessionRunHook):
    """Stops when the chief has stopped. Runs on the other trainers."""

    def begin(self) -> None:
        """Creates the variable."""
        self._stop_var = get_or_create_stop_variable()

    def before_run(self, run_context: Any) -> Any:
        """Requests the variable."""
        return tf1.train.SessionRunArgs(self._stop_var)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stops if the variable is set."""
        if run_values.results:
            tf1.logging.info("Early stopping requested, suspending run.")
            run_context.request_stop()


class MultiWorkerEarlyStoppingHook(tf1.train.SessionRunHook):
    """Stops all workers of a synchronous strategy when the function of any worker returns True.

    All workers call their functions at the same steps. The results are summed over the workers, and
    each worker reads the sum with the next step. Therefore all workers stop after the same step.

    Args:
      should_stop_fn: Function that returns True to stop.
      run_every_steps: Steps between two calls.

    Raises:
      TypeError: If `should_stop_fn` is not callable.
      ValueError: If the interval is missing.
    """

    def __init__(
        self, should_stop_fn: Callable[[], bool], run_every_steps: int | None = None
    ) -> None:
        self._should_stop_fn = _check_should_stop_fn(should_stop_fn)
        self._timer = tf1.train.SecondOrStepTimer(every_secs=None, every_steps=run_every_steps)

    def begin(self) -> None:
        """Creates the variable and the sum over the workers."""
        self._global_step = tf1.train.get_global_step()
        with tf1.variable_scope(_SCOPE, reuse=tf1.AUTO_REUSE):
            variable = tf1.get_variable(
                _NAME,
                shape=[],
                dtype=tf.int32,
                initializer=tf1.constant_initializer(0),
                collections=[tf1.GraphKeys.GLOBAL_VARIABLES],
                synchronization=tf.VariableSynchronization.ON_WRITE,
                aggregation=tf.VariableAggregation.SUM,
                trainable=False,
            )
        placeholders = []

        def add(variable: Any) -> Any:
            placeholders.append(tf1.placeholder_with_default(0, [], name="stop_value"))
            return variable.assign_add(placeholders[-1])

        self._stop_var = variable
        self._reset_op = variable.assign(0)  # Each worker has a copy, and resets its own.
        self._vote_op = tf.distribute.get_strategy().run(add, args=(variable,))
        self._vote = placeholders[0]  # A worker with several replicas votes once.

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Resets the sum, to which an earlier training may have added votes."""
        session.run(self._reset_op)

    def before_run(self, run_context: Any) -> Any:
        """Requests the global step and the sum."""
        return tf1.train.SessionRunArgs({"step": self._global_step, "votes": self._stop_var})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stops if any worker voted for it. Otherwise votes, if a call is due."""
        if run_values.results["votes"] > 0:
            tf1.logging.info("Early stopping requested, suspending run.")
            run_context.request_stop()
            return
        step = _due_step(self._timer, run_values.results["step"], self._global_step, run_context)
        if step is None:
            return
        self._timer.update_last_triggered_step(step)
        vote = int(bool(self._should_stop_fn()))
        run_context.session.run(self._vote_op, feed_dict={self._vote: vote})
        if vote:
            tf1.logging.info("Requesting early stopping at global step %d", step)
