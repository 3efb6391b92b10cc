"""tf.contrib.slim.evaluation, which evaluates one checkpoint or each new checkpoint.

evaluation.evaluate_once("", path, "/tmp/eval", num_evals=100, eval_op=list(updates.values()))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib import training
from legacy.contrib.training import checkpoints_iterator, wait_for_new_checkpoint

tf1 = tf.compat.v1
# Sentinel for "all summaries". The signatures of the original use it, too.
_USE_DEFAULT = 0

__all__ = ["checkpoints_iterator", "evaluate_once", "evaluation_loop", "wait_for_new_checkpoint"]


def _hooks(
    num_evals: int, logdir: str, summary_op: Any, feeds: Any, other_hooks: Sequence[Any] | None
) -> list[Any]:
    hooks = [training.StopAfterNEvalsHook(num_evals)]
    if summary_op is _USE_DEFAULT:
        summary_op = tf1.summary.merge_all()
    if summary_op is not None:
        hooks.append(training.SummaryAtEndHook(logdir, None, summary_op, feeds))
    return [*hooks, *(other_hooks or [])]


def _scaffold(variables_to_restore: Any, **operations: Any) -> Any:
    saver = None if variables_to_restore is None else tf1.train.Saver(variables_to_restore)
    return tf1.train.Scaffold(saver=saver, **operations)


def evaluate_once(
    master: str,
    checkpoint_path: str,
    logdir: str,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Mapping[Any, Any] | None = None,
    eval_op: Any = None,
    eval_op_feed_dict: Mapping[Any, Any] | None = None,
    final_op: Any = None,
    final_op_feed_dict: Mapping[Any, Any] | None = None,
    summary_op: Any = _USE_DEFAULT,
    summary_op_feed_dict: Mapping[Any, Any] | None = None,
    variables_to_restore: Any = None,
    session_config: Any = None,
    hooks: Sequence[Any] | None = None,
) -> Any:
    """Evaluates a checkpoint once.

    Args:
      master: Target of the session, such as "grpc://host:port". "" runs in this process.
      checkpoint_path: Path of the checkpoint.
      logdir: Directory for the summaries.
      num_evals: Number of runs of `eval_op`.
      initial_op: Operation that initializes the model.
      initial_op_feed_dict: Feed dict of `initial_op`.
      eval_op: Operations to run for each batch.
      eval_op_feed_dict: Feed dict of `eval_op`.
      final_op: Operations to run at the end.
      final_op_feed_dict: Feed dict of `final_op`.
      summary_op: Summaries to write after the evaluation. The default is all summaries. None writes
        no summaries.
      summary_op_feed_dict: Feed dict of `summary_op`.
      variables_to_restore: Variables to restore from the checkpoint. The default is all variables.
      session_config: ConfigProto of the session.
      hooks: Additional `SessionRunHook`s.

    Returns:
      The value of `final_op`, or None if `final_op` is None.
    """
    all_hooks = _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    return training.evaluate_once(
        checkpoint_path,
        master=master,
        scaffold=_scaffold(
            variables_to_restore, init_op=initial_op, init_feed_dict=initial_op_feed_dict
        ),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        hooks=all_hooks,
        config=session_config,
    )


def evaluation_loop(
    master: str,
    checkpoint_dir: str,
    logdir: str,
    num_evals: int = 1,
    initial_op: Any = None,
    initial_op_feed_dict: Mapping[Any, Any] | None = None,
    init_fn: Callable[..., Any] | None = None,
    eval_op: Any = None,
    eval_op_feed_dict: Mapping[Any, Any] | None = None,
    final_op: Any = None,
    final_op_feed_dict: Mapping[Any, Any] | None = None,
    summary_op: Any = _USE_DEFAULT,
    summary_op_feed_dict: Mapping[Any, Any] | None = None,
    variables_to_restore: Any = None,
    eval_interval_secs: int = 60,
    max_number_of_evaluations: int | None = None,
    session_config: Any = None,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
    hooks: Sequence[Any] | None = None,
) -> Any:
    """Evaluates each new checkpoint in a directory.

    Args:
      master: Target of the session, such as "grpc://host:port". "" runs in this process.
      checkpoint_dir: Directory of the checkpoints.
      logdir: Directory for the summaries.
      num_evals: Number of runs of `eval_op` per checkpoint.
      initial_op: Operation that initializes the model.
      initial_op_feed_dict: Feed dict of `initial_op`.
      init_fn: Function to call after `initial_op`.
      eval_op: Operations to run for each batch.
      eval_op_feed_dict: Feed dict of `eval_op`.
      final_op: Operations to run at the end of each evaluation.
      final_op_feed_dict: Feed dict of `final_op`.
      summary_op: Summaries to write after the evaluation. The default is all summaries. None writes
        no summaries.
      summary_op_feed_dict: Feed dict of `summary_op`.
      variables_to_restore: Variables to restore from the checkpoint. The default is all variables.
      eval_interval_secs: Minimum number of seconds between two evaluations.
      max_number_of_evaluations: Number of checkpoints to evaluate. None evaluates without end.
      session_config: ConfigProto of the session.
      timeout: Seconds to wait for a new checkpoint. None waits without end.
      timeout_fn: Function to call after a timeout. If it returns true, the evaluation stops.
      hooks: Additional `SessionRunHook`s.

    Returns:
      The last value of `final_op`, or None if `final_op` is None.
    """
    all_hooks = _hooks(num_evals, logdir, summary_op, summary_op_feed_dict, hooks)
    return training.evaluate_repeatedly(
        checkpoint_dir,
        master=master,
        scaffold=_scaffold(
            variables_to_restore,
            init_op=initial_op,
            init_feed_dict=initial_op_feed_dict,
            init_fn=init_fn,
        ),
        eval_ops=eval_op,
        feed_dict=eval_op_feed_dict,
        final_ops=final_op,
        final_ops_feed_dict=final_op_feed_dict,
        eval_interval_secs=eval_interval_secs,
        hooks=all_hooks,
        config=session_config,
        max_number_of_evaluations=max_number_of_evaluations,
        timeout=timeout,
        timeout_fn=timeout_fn,
    )
