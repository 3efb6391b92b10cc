"""The hooks of early stopping: one trainer decides, and the others learn of it from a variable.

    chief_hooks = [StopOnPredicateHook(should_stop_fn, run_every_secs=None, run_every_steps=100)]
    worker_hooks = [CheckForStoppingHook()]

The variable, "signal_early_stopping/STOP", is saved in checkpoints, as in the original. A training
that goes on from such a checkpoint would stop its workers at once; so here the chief resets it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

_SCOPE, _NAME = "signal_early_stopping", "STOP"


def get_or_create_stop_variable() -> Any:
    """Returns the default graph's variable that says whether to stop; a bool."""
    with tf1.variable_scope(_SCOPE, reuse=tf1.AUTO_REUSE):
        return tf1.get_variable(
            _NAME,
            shape=[],
            dtype=tf.bool,
            initializer=tf1.constant_initializer(False),
            collections=[tf1.GraphKeys.GLOBAL_VARIABLES],
            trainable=False,
        )


def _checked(should_stop_fn: Any) -> Callable[[], bool]:
    if not callable(should_stop_fn):
        raise TypeError(f"`should_stop_fn` must be callable, and is {should_stop_fn!r}.")
    return should_stop_fn


def _due_step(timer: Any, seen: int, global_step: Any, run_context: Any) -> int | None:
    """Returns the global step, if a timer is due at it; else None.

    What a run has fetched may be the step from before it, as nothing orders the two: by that alone
    a hook would ask a step late now and then, and workers not all at the same step.
    """
    if not any(timer.should_trigger_for_step(step) for step in (seen, seen + 1)):
        return None
    step = run_context.session.run(global_step)
    return step if timer.should_trigger_for_step(step) else None


class StopOnPredicateHook(tf1.train.SessionRunHook):
    """Asks a function whether to stop, stops, and tells the other trainers. For the chief.

    Args:
      should_stop_fn: Returns whether to stop.
      run_every_secs: Seconds between its calls. Not together with the next.
      run_every_steps: Steps between its calls.

    Raises:
      TypeError: `should_stop_fn` is not callable.
      ValueError: Not exactly one interval is given.
    """

    def __init__(
        self,
        should_stop_fn: Callable[[], bool],
        run_every_secs: float | None = 60,
        run_every_steps: int | None = None,
    ) -> None:
        self._should_stop_fn = _checked(should_stop_fn)
        self._timer = tf1.train.SecondOrStepTimer(
            every_secs=run_every_secs, every_steps=run_every_steps
        )

    def begin(self) -> None:
        """Makes the variable, and the operations on it."""
        self._global_step = tf1.train.get_global_step()
        self._stop_var = get_or_create_stop_variable()
        self._stop_op = tf1.assign(self._stop_var, True)
        self._reset_op = tf1.assign(self._stop_var, False)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Forgets that an earlier training was stopped."""
        session.run(self._reset_op)

    def before_run(self, run_context: Any) -> Any:
        """Asks for the global step."""
        return tf1.train.SessionRunArgs(self._global_step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Asks the function, if it is time to."""
        step = _due_step(self._timer, run_values.results, self._global_step, run_context)
        if step is None:
            return
        self._timer.update_last_triggered_step(step)
        if self._should_stop_fn():
            tf1.logging.info("Requesting early stopping at global step %d", step)
            run_context.session.run(self._stop_op)
            run_context.request_stop()


class CheckForStoppingHook(tf1.train.SessionRunHook):
    """Stops when the chief has stopped. For the other trainers."""

    def begin(self) -> None:
        """Makes the variable."""
        self._stop_var = get_or_create_stop_variable()

    def before_run(self, run_context: Any) -> Any:
        """Asks for the variable."""
        return tf1.train.SessionRunArgs(self._stop_var)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Looks at it."""
        if run_values.results:
            tf1.logging.info("Early stopping requested, suspending run.")
            run_context.request_stop()


class MultiWorkerEarlyStoppingHook(tf1.train.SessionRunHook):
    """Stops all workers of a strategy that trains in step, when one of them says so.

    Every worker asks its function at the same steps; the answers are added up over the workers, and
    the step after that each sees the sum. So all of them stop after the same step.

    Args:
      should_stop_fn: Returns whether to stop.
      run_every_steps: Steps between its calls.

    Raises:
      TypeError: `should_stop_fn` is not callable.
      ValueError: There is no interval.
    """

    def __init__(
        self, should_stop_fn: Callable[[], bool], run_every_steps: int | None = None
    ) -> None:
        self._should_stop_fn = _checked(should_stop_fn)
        self._timer = tf1.train.SecondOrStepTimer(every_secs=None, every_steps=run_every_steps)

    def begin(self) -> None:
        """Makes the variable, and the sum over the workers."""
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
        self._vote_op = tf.distribute.get_strategy().run(add, args=(variable,))
        self._vote = placeholders[0]  # A worker with several replicas has one vote.

    def before_run(self, run_context: Any) -> Any:
        """Asks for the global step and the sum."""
        return tf1.train.SessionRunArgs({"step": self._global_step, "votes": self._stop_var})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stops, or asks the function, if it is time to, and adds its answer to the sum."""
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
