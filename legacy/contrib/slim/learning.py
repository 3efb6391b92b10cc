"""tf.contrib.slim.learning: train ops, and the loop that runs them under a Supervisor.

train_op = learning.create_train_op(slim.losses.get_total_loss(), optimizer)
learning.train(train_op, "/tmp/model", number_of_steps=1000, save_summaries_secs=60)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import tensorflow as tf

from legacy.contrib import training
from legacy.contrib.training import clip_gradient_norms, multiply_gradients
from legacy.contrib.training.train_op import summaries_of_gradients

tf1 = tf.compat.v1
_GradsAndVars = list[tuple[Any, tf.Variable]]
# The original's sentinel for "make it", part of its signatures.
_USE_DEFAULT = 0

__all__ = [
    "add_gradients_summaries",
    "clip_gradient_norms",
    "create_train_op",
    "multiply_gradients",
    "train",
    "train_step",
]


def add_gradients_summaries(grads_and_vars: _GradsAndVars) -> list[Any]:
    """Adds a histogram and the norm of each gradient to the summaries.

    Args:
      grads_and_vars: Pairs (gradient or None, variable).

    Returns:
      The summaries.
    """
    return summaries_of_gradients(grads_and_vars, "/")


def create_train_op(
    total_loss: tf.Tensor,
    optimizer: Any,
    global_step: Any = _USE_DEFAULT,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Iterable[tf.Variable] | None = None,
    clip_gradient_norm: float = 0,
    summarize_gradients: bool = False,
    gate_gradients: int = tf1.train.Optimizer.GATE_OP,
    aggregation_method: int | None = None,
    colocate_gradients_with_ops: bool = False,
    gradient_multipliers: Mapping[Any, Any] | None = None,
    check_numerics: bool = True,
) -> tf.Tensor:
    """Makes the tensor that trains a step when it is computed; its value is the loss.

    Args:
      total_loss: The loss, a scalar.
      optimizer: A `tf.compat.v1.train.Optimizer`.
      global_step: The variable to count in; None counts nowhere; by default the graph's own.
      update_ops: What to run before the loss; None is the collection UPDATE_OPS.
      variables_to_train: None is all trainable variables.
      clip_gradient_norm: The largest norm of a gradient; 0 is any.
      summarize_gradients: Whether to add summaries of the gradients.
      gate_gradients: As in `Optimizer.compute_gradients`.
      aggregation_method: As in `Optimizer.compute_gradients`.
      colocate_gradients_with_ops: As in `Optimizer.compute_gradients`.
      gradient_multipliers: Factors of gradients, by variable or its operation's name.
      check_numerics: Whether a loss that is infinite or not a number is an error.

    Returns:
      The loss, computed after the update.
    """

    def transform(pairs: _GradsAndVars) -> _GradsAndVars:
        if gradient_multipliers:
            with tf.name_scope("multiply_grads"):
                pairs = multiply_gradients(pairs, gradient_multipliers)
        if clip_gradient_norm > 0:
            with tf.name_scope("clip_grads"):
                pairs = clip_gradient_norms(pairs, clip_gradient_norm)
        return pairs

    return training.create_train_op(
        total_loss,
        optimizer,
        global_step,
        update_ops,
        variables_to_train,
        transform,
        summarize_gradients,
        gate_gradients,
        aggregation_method,
        colocate_gradients_with_ops,
        check_numerics,
    )


def train_step(
    sess: Any, train_op: Any, global_step: Any, train_step_kwargs: Mapping[str, Any]
) -> tuple[Any, Any]:
    """Trains a step, and logs it.

    Args:
      sess: The session.
      train_op: What to run; its value is the loss.
      global_step: The step that is counted.
      train_step_kwargs: Tensors "should_stop", "should_log", "should_trace"; "summary_writer" and
        "logdir", which takes traces.

    Returns:
      The loss, and whether to stop.

    Raises:
      ValueError: A trace is asked for without a "logdir".
    """
    started = time.time()
    traced: dict[str, Any] = {}
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError(
                "logdir must be present in train_step_kwargs when should_trace is present"
            )
        if sess.run(train_step_kwargs["should_trace"]):
            options = tf1.RunOptions(trace_level=tf1.RunOptions.FULL_TRACE)
            traced = {"options": options, "run_metadata": tf1.RunMetadata()}
    loss, step = sess.run([train_op, global_step], **traced)
    seconds = time.time() - started
    writer = train_step_kwargs.get("summary_writer")
    if traced and writer is not None:
        # The original also wrote Chrome's format, which has no public writer; this TensorBoard has.
        writer.add_run_metadata(traced["run_metadata"], f"run_metadata-{step}")
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        tf1.logging.info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, seconds)
    if "should_stop" not in train_step_kwargs:
        return loss, False
    return loss, sess.run(train_step_kwargs["should_stop"])


def train(
    train_op: Any,
    logdir: str | None,
    train_step_fn: Callable[..., tuple[Any, Any]] = train_step,
    train_step_kwargs: Any = _USE_DEFAULT,
    log_every_n_steps: int = 1,
    graph: tf.Graph | None = None,
    master: str = "",
    is_chief: bool = True,
    global_step: Any = None,
    number_of_steps: int | None = None,
    init_op: Any = _USE_DEFAULT,
    init_feed_dict: Mapping[Any, Any] | None = None,
    local_init_op: Any = _USE_DEFAULT,
    init_fn: Callable[[Any], Any] | None = None,
    ready_op: Any = _USE_DEFAULT,
    summary_op: Any = _USE_DEFAULT,
    save_summaries_secs: int = 600,
    summary_writer: Any = _USE_DEFAULT,
    startup_delay_steps: int = 0,
    saver: Any = None,
    save_interval_secs: int = 600,
    sync_optimizer: Any = None,
    session_config: Any = None,
    session_wrapper: Callable[[Any], Any] | None = None,
    trace_every_n_steps: int | None = None,
    ignore_live_threads: bool = False,
) -> Any:
    """Trains until a number of steps, the end of the input, or a request to stop.

    Args:
      train_op: What to run; its value is the loss.
      logdir: Where checkpoints and summaries go; None writes nothing.
      train_step_fn: What trains a step; see `train_step`.
      train_step_kwargs: What it is given beside session, `train_op` and step.
      log_every_n_steps: Steps between two lines of the log.
      graph: The graph; None is the default one.
      master: The session target.
      is_chief: Whether this process initializes and saves.
      global_step: The step that is counted; None is the graph's.
      number_of_steps: Up to which step; None is without end.
      init_op: What initializes; by default all global variables.
      init_feed_dict: What it is fed.
      local_init_op: What initializes in each process; by default local variables and tables.
      init_fn: Called with the session after `init_op`.
      ready_op: What is empty when a session is ready; by default the uninitialized variables.
      summary_op: The summaries; by default all; None for none.
      save_summaries_secs: Seconds between summaries.
      summary_writer: What writes them; None for none.
      startup_delay_steps: What step to wait for where this is not the chief.
      saver: A `tf.compat.v1.train.Saver`; None saves all variables.
      save_interval_secs: Seconds between checkpoints.
      sync_optimizer: A `SyncReplicasOptimizer`, or a list of them.
      session_config: The session's ConfigProto.
      session_wrapper: From the session to what runs steps in its place.
      trace_every_n_steps: Steps between two traces; None for none.
      ignore_live_threads: Whether threads that do not stop are no error.

    Returns:
      The last loss; None if there was no step.

    Raises:
      ValueError: Arguments contradict each other, or are out of range.
    """
    _check(train_op, logdir, summary_op, saver, trace_every_n_steps, number_of_steps)
    sync = _sync_optimizers(sync_optimizer, startup_delay_steps)
    graph = graph or tf1.get_default_graph()
    with graph.as_default():
        if global_step is None:
            global_step = tf1.train.get_or_create_global_step()
        saver = saver or tf1.train.Saver()
        operations = _init_ops(init_op, ready_op, local_init_op, sync, is_chief)
        if summary_op is _USE_DEFAULT:
            summary_op = tf1.summary.merge_all()
        tokens = [each.get_init_tokens_op() for each in sync] if is_chief else []
        queues = [each.get_chief_queue_runner() for each in sync] if is_chief else []
        if train_step_kwargs is _USE_DEFAULT:
            train_step_kwargs = _step_arguments(
                global_step, number_of_steps, log_every_n_steps, is_chief, trace_every_n_steps
            )
            if "should_trace" in train_step_kwargs:
                train_step_kwargs["logdir"] = logdir
    if summary_writer is _USE_DEFAULT:
        summary_writer = tf1.train.Supervisor.USE_DEFAULT
    supervisor = tf1.train.Supervisor(
        graph=graph,
        is_chief=is_chief,
        logdir=logdir,
        init_feed_dict=init_feed_dict,
        summary_op=summary_op,
        summary_writer=summary_writer,
        global_step=global_step,
        saver=saver,
        save_summaries_secs=save_summaries_secs,
        save_model_secs=save_interval_secs,
        init_fn=init_fn,
        **operations,
    )
    if summary_writer is not None:
        train_step_kwargs["summary_writer"] = supervisor.summary_writer

    def prepare(session: Any) -> list[Any]:
        if is_chief and logdir:
            supervisor.start_standard_services(session)
        if not is_chief and startup_delay_steps > 0:
            first = min(startup_delay_steps, number_of_steps or sys.maxsize)
            _wait_for_step(session, first, global_step)
        threads = supervisor.start_queue_runners(session)
        if queues:
            supervisor.start_queue_runners(session, queues)
            session.run(tokens)
        return threads

    while True:
        try:
            with supervisor.managed_session(
                master, start_standard_services=False, config=session_config
            ) as session:
                if session_wrapper is not None:
                    session = session_wrapper(session)
                threads = prepare(session)
                step = (session, train_op, global_step, train_step_kwargs)
                loss = _train_steps(supervisor, train_step_fn, *step)
                if logdir and supervisor.is_chief:
                    tf1.logging.info("Finished training! Saving model to disk.")
                    supervisor.saver.save(session, supervisor.save_path, supervisor.global_step)
                    # The session's end closes the summary writer.
                    supervisor.stop(
                        threads, close_summary_writer=False, ignore_live_threads=ignore_live_threads
                    )
            return loss
        except tf.errors.AbortedError:
            tf1.logging.info("Retrying training!")  # A parameter server came back.


def _check(
    train_op: Any, logdir: Any, summary_op: Any, saver: Any, trace_steps: Any, steps: Any
) -> None:
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        for name, given in (
            ("summary_op", summary_op is not _USE_DEFAULT),
            ("saver", saver is not None),
            ("trace_every_n_steps", trace_steps is not None),
        ):
            if given:
                raise ValueError(f"Cannot provide {name} because logdir=None")
    if steps is not None and steps <= 0:
        raise ValueError(
            f"`number_of_steps` must be either None or a positive number, not {steps}."
        )


def _sync_optimizers(sync_optimizer: Any, startup_delay_steps: int) -> list[Any]:
    if sync_optimizer is None:
        return []
    if startup_delay_steps > 0:
        raise ValueError("startup_delay_steps must be zero when sync_optimizer is supplied.")
    given = sync_optimizer if isinstance(sync_optimizer, list) else [sync_optimizer]
    for each in given:
        if not isinstance(each, tf1.train.SyncReplicasOptimizer):
            raise ValueError(
                f"`sync_optimizer` must be a tf.train.SyncReplicasOptimizer, not {each!r}."
            )
    return given


def _init_ops(
    init_op: Any, ready_op: Any, local_init_op: Any, sync: list[Any], is_chief: bool
) -> dict[str, Any]:
    """Returns what a Supervisor initializes by."""
    ready_for_local_init_op = None
    with tf.name_scope("init_ops"):
        if init_op is _USE_DEFAULT:
            init_op = tf1.global_variables_initializer()
        if ready_op is _USE_DEFAULT:
            ready_op = tf1.report_uninitialized_variables()
        if local_init_op is _USE_DEFAULT:
            local_init_op = tf.group(tf1.local_variables_initializer(), tf1.tables_initializer())
        if sync:
            with tf.control_dependencies([] if local_init_op is None else [local_init_op]):
                local_init_op = tf.group(
                    *(each.chief_init_op if is_chief else each.local_step_init_op for each in sync)
                )
            ready_for_local_init_op = tf.group(*(each.ready_for_local_init_op for each in sync))
    return {
        "init_op": init_op,
        "ready_op": ready_op,
        "local_init_op": local_init_op,
        "ready_for_local_init_op": ready_for_local_init_op,
    }


def _step_arguments(
    global_step: Any, steps: int | None, log_steps: int, is_chief: bool, trace_steps: int | None
) -> dict[str, Any]:
    """Makes the tensors that say after a step what is to be done."""
    with tf.name_scope("train_step"):
        arguments = {
            "should_stop": tf.greater_equal(global_step, steps) if steps else tf.constant(False)
        }
        if log_steps > 0:
            arguments["should_log"] = tf.equal(tf.math.mod(global_step, log_steps), 0)
        if is_chief and trace_steps is not None:
            arguments["should_trace"] = tf.equal(tf.math.mod(global_step, trace_steps), 0)
    return arguments


def _wait_for_step(session: Any, step: int, global_step: Any) -> None:
    while tf1.train.global_step(session, global_step) < step:
        time.sleep(1.0)


def _train_steps(
    supervisor: Any, step_fn: Any, session: Any, train_op: Any, global_step: Any, arguments: Any
) -> Any:
    """Trains steps until the end; returns the last loss."""
    loss = None
    try:
        while not supervisor.should_stop():
            loss, should_stop = step_fn(session, train_op, global_step, arguments)
            if should_stop:
                tf1.logging.info("Stopping Training.")
                supervisor.request_stop()
                break
    except tf.errors.OutOfRangeError as error:
        tf1.logging.info("Caught OutOfRangeError. Stopping Training. %s", error)
    return loss
