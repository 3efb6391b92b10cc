"""Evaluation without an Estimator, of a checkpoint or of each new checkpoint.

evaluate_repeatedly(
    "/tmp/model",
    eval_ops=update_ops,
    final_ops=values,
    hooks=[StopAfterNEvalsHook(100), SummaryAtEndHook("/tmp/model/eval")],
)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

# TensorFlow 2 has this function with the same arguments and behavior.
checkpoints_iterator = tf.train.checkpoints_iterator

_EVAL_STEP = "eval_step"
_UPDATE = "update_eval_step"


def get_or_create_eval_step() -> tf.Variable:
    """Returns the local variable that counts the steps of an evaluation.

    Returns:
      An int64 scalar, in the collections LOCAL_VARIABLES and EVAL_STEP.

    Raises:
      ValueError: The collection EVAL_STEP contains several variables.
    """
    existing = tf1.get_collection(tf1.GraphKeys.EVAL_STEP)
    if len(existing) > 1:
        raise ValueError("Multiple eval_step tensors in the collection EVAL_STEP of this graph.")
    if existing:
        return existing[0]
    return tf1.get_variable(
        _EVAL_STEP,
        shape=[],
        dtype=tf.int64,
        initializer=tf1.zeros_initializer(),
        trainable=False,
        collections=[tf1.GraphKeys.LOCAL_VARIABLES, tf1.GraphKeys.EVAL_STEP],
    )


class StopAfterNEvalsHook(tf1.train.SessionRunHook):
    """Stops an evaluation after a number of steps.

    Args:
      num_evals: Number of steps. None continues until the input ends.
      log_progress: If true, logs the progress.
    """

    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None:
        self._num_evals = num_evals
        self._log_progress = log_progress
        is_short = num_evals is None or num_evals < 20
        self._log_frequency = 1 if is_short else math.floor(num_evals / 10)
        self._evals_completed: Any = None

    def _set_evals_completed_tensor(self, updated_eval_step: tf.Tensor) -> None:
        self._evals_completed = updated_eval_step

    def before_run(self, run_context: Any) -> Any:
        """Requests the step count."""
        return tf1.train.SessionRunArgs({"evals_completed": self._evals_completed})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stops when the count reaches `num_evals`."""
        num_done = run_values.results["evals_completed"]
        if self._log_progress and self._num_evals is None:
            tf1.logging.info("Evaluation [%d]", num_done)
        elif self._log_progress and (
            num_done % self._log_frequency == 0 or num_done == self._num_evals
        ):
            tf1.logging.info("Evaluation [%d/%d]", num_done, self._num_evals)
        if self._num_evals is not None and num_done >= self._num_evals:
            run_context.request_stop()


class SummaryAtEndHook(tf1.train.SessionRunHook):
    """Writes the summaries when an evaluation ends.

    Args:
      log_dir: Folder of the event file, used if `summary_writer` is None.
      summary_writer: A `tf.compat.v1.summary.FileWriter`.
      summary_op: The summary. None merges all summaries of the graph.
      feed_dict: Values to feed for the summary.

    Raises:
      ValueError: `log_dir` and `summary_writer` are both None.
    """

    def __init__(
        self,
        log_dir: str | None = None,
        summary_writer: Any = None,
        summary_op: Any = None,
        feed_dict: Any = None,
    ) -> None:
        if log_dir is None and summary_writer is None:
            raise ValueError("One of log_dir or summary_writer should be used.")
        self._log_dir = log_dir
        self._summary_writer = summary_writer
        self._summary_op = summary_op
        self._merge_all = summary_op is None
        self._feed_dict = feed_dict

    def begin(self) -> None:
        """Merges the summaries, before the graph is finalized."""
        if self._merge_all:
            self._summary_op = tf1.summary.merge_all()
        self._global_step = tf1.train.get_or_create_global_step()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Opens the event file."""
        if self._summary_writer is None:
            self._summary_writer = tf1.summary.FileWriterCache.get(self._log_dir)

    def end(self, session: Any) -> None:
        """Writes the summaries."""
        if self._summary_op is not None:
            step = tf1.train.global_step(session, self._global_step)
            summary = session.run(self._summary_op, self._feed_dict)
            self._summary_writer.add_summary(summary, step)
        self._summary_writer.flush()


def wait_for_new_checkpoint(
    checkpoint_dir: str,
    last_checkpoint: str | None = None,
    seconds_to_sleep: float = 1,
    timeout: float | None = None,
) -> str | None:
    """Waits for a new checkpoint.

    Args:
      checkpoint_dir: Folder of the checkpoints.
      last_checkpoint: Path of the last known checkpoint, or None.
      seconds_to_sleep: Seconds between two checks.
      timeout: Maximum time to wait, in seconds. None waits forever.

    Returns:
      The path of the checkpoint, or None after a timeout.
    """
    tf1.logging.info("Waiting for new checkpoint at %s", checkpoint_dir)
    deadline = math.inf if timeout is None else time.time() + timeout
    while True:
        path = tf1.train.latest_checkpoint(checkpoint_dir)
        if path is not None and path != last_checkpoint:
            tf1.logging.info("Found new checkpoint at %s", path)
            return path
        if time.time() + seconds_to_sleep > deadline:
            return None
        time.sleep(seconds_to_sleep)


def evaluate_once(
    checkpoint_path: str,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    hooks: Iterable[Any] | None = None,
    config: Any = None,
) -> Any:
    """Evaluates a checkpoint in the default graph.

    Args:
      checkpoint_path: Checkpoint to restore.
      master: The session target.
      scaffold: A `tf.compat.v1.train.Scaffold`, or None.
      eval_ops: A tensor, or a list or dict of tensors, to run until a hook stops or the input ends.
        None runs nothing.
      feed_dict: Values to feed for `eval_ops`.
      final_ops: Tensors to compute at the end.
      final_ops_feed_dict: Values to feed for `final_ops`.
      hooks: `SessionRunHook`s.
      config: ConfigProto of the session.

    Returns:
      The values of `final_ops`, or None.
    """
    eval_ops, hooks = _count_evals(eval_ops, hooks)
    final_hook = tf1.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    creator = tf1.train.ChiefSessionCreator(
        scaffold=scaffold,
        checkpoint_filename_with_path=checkpoint_path,
        master=master,
        config=config,
    )
    _run_session(creator, [*hooks, final_hook], eval_ops, feed_dict)
    return final_hook.final_ops_values


def evaluate_repeatedly(
    checkpoint_dir: str,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    eval_interval_secs: float = 60,
    hooks: Iterable[Any] | None = None,
    config: Any = None,
    max_number_of_evaluations: int | None = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Any:
    """Evaluates each new checkpoint of a folder, in the default graph.

    Args:
      checkpoint_dir: Folder of the checkpoints.
      master: The session target.
      scaffold: A `tf.compat.v1.train.Scaffold`, or None.
      eval_ops: As in `evaluate_once`.
      feed_dict: As in `evaluate_once`.
      final_ops: As in `evaluate_once`.
      final_ops_feed_dict: As in `evaluate_once`.
      eval_interval_secs: Minimum number of seconds between the starts of two evaluations.
      hooks: `SessionRunHook`s. All evaluations use the same objects.
      config: ConfigProto of the session.
      max_number_of_evaluations: Number of evaluations after which to return. None is no limit.
      timeout: Maximum time to wait for a checkpoint, in seconds. None waits forever.
      timeout_fn: Function called after a timeout. If it returns true, the evaluation ends.

    Returns:
      The values of `final_ops` in the last evaluation, or None.
    """
    eval_ops, hooks = _count_evals(eval_ops, hooks)
    final_hook = tf1.train.FinalOpsHook(final_ops, final_ops_feed_dict)
    checkpoint_paths = checkpoints_iterator(
        checkpoint_dir, min_interval_secs=eval_interval_secs, timeout=timeout, timeout_fn=timeout_fn
    )
    for number, path in enumerate(checkpoint_paths, start=1):
        creator = tf1.train.ChiefSessionCreator(
            scaffold=scaffold, checkpoint_filename_with_path=path, master=master, config=config
        )
        _run_session(creator, [*hooks, final_hook], eval_ops, feed_dict)
        if max_number_of_evaluations is not None and number >= max_number_of_evaluations:
            break
    return final_hook.final_ops_values


def _count_evals(eval_ops: Any, hooks: Iterable[Any] | None) -> tuple[Any, list[Any]]:
    """Adds the step counter to `eval_ops`, and passes it to each `StopAfterNEvalsHook`."""
    hooks = list(hooks or [])
    eval_step = get_or_create_eval_step()
    if eval_ops is None:
        return None, hooks
    update = tf1.assign_add(eval_step, 1, use_locking=True)
    for hook in hooks:
        if isinstance(hook, StopAfterNEvalsHook):
            hook._set_evals_completed_tensor(update)
    if isinstance(eval_ops, dict):
        return {**eval_ops, _UPDATE: update}, hooks
    op_list = eval_ops if isinstance(eval_ops, (list, tuple)) else [eval_ops]
    return [*op_list, update], hooks


def _run_session(creator: Any, hooks: list[Any], eval_ops: Any, feed_dict: Any) -> None:
    tf1.logging.info("Starting evaluation at %s", time.strftime("%Y-%m-%dT%H:%M:%S"))
    with tf1.train.MonitoredSession(session_creator=creator, hooks=hooks) as session:
        while eval_ops is not None and not session.should_stop():
            session.run(eval_ops, feed_dict)
    tf1.logging.info("Finished evaluation at %s", time.strftime("%Y-%m-%d-%H:%M:%S"))
