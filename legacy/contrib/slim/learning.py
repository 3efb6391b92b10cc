"""tf.contrib.slim.learning, which builds train ops and runs them under a Supervisor.

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
from modern.model_files import intact

tf1 = tf.compat.v1
_GradsAndVars = list[tuple[Any, tf.Variable]]
# Sentinel for "create the default". The signatures of the original use it, too.
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
    """Adds summaries of the histogram and the norm of each gradient.

    Args:
      grads_and_vars: (gradient, variable) pairs. A gradient may be None.

    Returns:
      The list of summaries.
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
    """Returns a tensor that runs one training step when it is evaluated. Its value is the loss.

    Args:
      total_loss: Scalar loss.
      optimizer: `tf.compat.v1.train.Optimizer` to use.
      global_step: Global step variable. The default is the graph's global step. None counts no
        steps.
      update_ops: Operations to run in each step. None means the collection UPDATE_OPS.
      variables_to_train: Variables to train. None means all trainable variables.
      clip_gradient_norm: Largest norm of each gradient. 0 means no clipping.
      summarize_gradients: If true, adds summaries of the gradients.
      gate_gradients: See `Optimizer.compute_gradients`.
      aggregation_method: See `Optimizer.compute_gradients`.
      colocate_gradients_with_ops: See `Optimizer.compute_gradients`.
      gradient_multipliers: Factors of the gradients, by variable or by operation name.
      check_numerics: If true, a loss that is infinite or NaN raises an error.

    Returns:
      The loss. Evaluating it runs the update.
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
    """Runs one training step and logs it.

    Args:
      sess: Session to run in.
      train_op: Tensor that runs a training step. Its value is the loss.
      global_step: Global step variable.
      train_step_kwargs: Dict with the optional boolean tensors "should_stop", "should_log" and
        "should_trace". It may also have a "summary_writer", and must have a "logdir" for traces.

    Returns:
      The loss, and a boolean that is true if the training should stop.

    Raises:
      ValueError: "should_trace" is present without "logdir".
    """
    started = time.time()
    trace_arguments: dict[str, Any] = {}
    if "should_trace" in train_step_kwargs:
        if "logdir" not in train_step_kwargs:
            raise ValueError(
                "logdir must be present in train_step_kwargs when should_trace is present"
            )
        if sess.run(train_step_kwargs["should_trace"]):
            options = tf1.RunOptions(trace_level=tf1.RunOptions.FULL_TRACE)
            trace_arguments = {"options": options, "run_metadata": tf1.RunMetadata()}
    loss, step = sess.run([train_op, global_step], **trace_arguments)
    seconds = time.time() - started
    writer = train_step_kwargs.get("summary_writer")
    if trace_arguments and writer is not None:
        # TensorBoard shows the run metadata. The original also wrote Chrome's trace format, for
        # which TensorFlow has no public writer.
        writer.add_run_metadata(trace_arguments["run_metadata"], f"run_metadata-{step}")
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
    """Trains until a number of steps, the end of the input or a request to stop.

    If a parameter server restarts, the loop retries in a new session.

    Args:
      train_op: Tensor that runs a training step. Its value is the loss.
      logdir: Directory for checkpoints and summaries. None writes no files.
      train_step_fn: Function that runs a training step. See `train_step`.
      train_step_kwargs: Last argument of `train_step_fn`. The default stops, logs and traces at
        the steps that the arguments below describe.
      log_every_n_steps: Number of steps between two log lines.
      graph: Graph to train. The default is the default graph.
      master: Target of the session, such as "grpc://host:port". "" runs in this process.
      is_chief: If true, this process initializes the model and saves checkpoints.
      global_step: Global step variable. The default is the graph's global step.
      number_of_steps: Global step at which the training stops. None trains without end.
      init_op: Operation that initializes the model. The default initializes all global variables.
      init_feed_dict: Feed dict of `init_op`.
      local_init_op: Operation that initializes each process. The default initializes local
        variables and tables.
      init_fn: Function of the session to call after `init_op`.
      ready_op: Tensor that is empty when the model is ready. The default lists the uninitialized
        variables.
      summary_op: Summaries to write. The default is all summaries. None writes no summaries.
      save_summaries_secs: Seconds between summaries.
      summary_writer: Summary writer. The default is the Supervisor's writer. None writes no
        summaries.
      startup_delay_steps: Global step at which a process that is not the chief begins.
      saver: `tf.compat.v1.train.Saver` of the checkpoints. The default saves all variables.
      save_interval_secs: Seconds between checkpoints.
      sync_optimizer: `SyncReplicasOptimizer`, or a list of them.
      session_config: ConfigProto of the session.
      session_wrapper: Function of the session that returns its replacement for the steps, such as a
        debugger's wrapper.
      trace_every_n_steps: Number of steps between two traces. None writes no traces.
      ignore_live_threads: If true, threads that do not stop cause no error.

    Returns:
      The last loss, or None if no step ran.

    Raises:
      ValueError: Arguments contradict each other or are out of range.
      SystemExit: The folder has checkpoints, and all of them are damaged (code 2).
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
        tokens = [optimizer.get_init_tokens_op() for optimizer in sync] if is_chief else []
        queues = [optimizer.get_chief_queue_runner() for optimizer in sync] if is_chief else []
        if train_step_kwargs is _USE_DEFAULT:
            train_step_kwargs = _step_arguments(
                global_step, number_of_steps, log_every_n_steps, is_chief, trace_every_n_steps
            )
            if "should_trace" in train_step_kwargs:
                train_step_kwargs["logdir"] = logdir
    if summary_writer is _USE_DEFAULT:
        summary_writer = tf1.train.Supervisor.USE_DEFAULT
    if logdir and is_chief:
        with intact.or_exit():
            intact.settle(logdir)
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
            # The chief stops at number_of_steps, so that a longer delay would never end.
            first_step = min(startup_delay_steps, number_of_steps or sys.maxsize)
            _wait_for_step(session, first_step, global_step)
        threads = supervisor.start_queue_runners(session)
        if queues:
            supervisor.start_queue_runners(session, queues)
            session.run(tokens)
        return threads

    while True:
        try:
            # `prepare` starts the standard services, and only on the chief.
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
                    # `managed_session` closes the summary writer at its end.
                    supervisor.stop(
                        threads, close_summary_writer=False, ignore_live_threads=ignore_live_threads
                    )
            return loss
        except tf.errors.AbortedError:
            tf1.logging.info("Retrying training!")  # A parameter server restarted.


def _check(
    train_op: Any, logdir: Any, summary_op: Any, saver: Any, trace_steps: Any, steps: Any
) -> None:
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None:
        for name, is_given in (
            ("summary_op", summary_op is not _USE_DEFAULT),
            ("saver", saver is not None),
            ("trace_every_n_steps", trace_steps is not None),
        ):
            if is_given:
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
    optimizers = sync_optimizer if isinstance(sync_optimizer, list) else [sync_optimizer]
    for optimizer in optimizers:
        if not isinstance(optimizer, tf1.train.SyncReplicasOptimizer):
            raise ValueError(
                f"`sync_optimizer` must be a tf.train.SyncReplicasOptimizer, not {optimizer!r}."
            )
    return optimizers


def _init_ops(
    init_op: Any, ready_op: Any, local_init_op: Any, sync: list[Any], is_chief: bool
) -> dict[str, Any]:
    """Returns the initialization arguments of the Supervisor."""
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
                    *(
                        optimizer.chief_init_op if is_chief else optimizer.local_step_init_op
                        for optimizer in sync
                    )
                )
            ready_for_local_init_op = tf.group(
                *(optimizer.ready_for_local_init_op for optimizer in sync)
            )
    return {
        "init_op": init_op,
        "ready_op": ready_op,
        "local_init_op": local_init_op,
        "ready_for_local_init_op": ready_for_local_init_op,
    }


def _step_arguments(
    global_step: Any, steps: int | None, log_steps: int, is_chief: bool, trace_steps: int | None
) -> dict[str, Any]:
    """Returns boolean tensors that decide whether to stop, log or trace after a step."""
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
    """Runs steps until the training ends, and returns the last loss."""
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
