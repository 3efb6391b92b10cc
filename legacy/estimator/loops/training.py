"""The training loop, which runs an EstimatorSpec's train op in a session with hooks.

`Estimator.train` builds the graph and calls `run` inside it. Its module has a runnable example.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import tensorflow as tf

from legacy.estimator.cluster import servers
from legacy.estimator.loops import distribute, grouped_saver, table_reads, training_hooks
from modern.model_files import intact, rotation
from modern.process import malloc
from modern.training import server_layout

if TYPE_CHECKING:
    from legacy.estimator.cluster.coordination import Training
    from legacy.estimator.run_config import RunConfig
    from legacy.estimator.spec import EstimatorSpec

tf1 = tf.compat.v1

# The original function. Programs and tests may replace it in tf.compat.v1.train.
_MONITORED_TRAINING_SESSION = tf1.train.MonitoredTrainingSession
# The graph collection in which TensorFlow's hooks look up the operation that reads the global step.
_GLOBAL_STEP_READ = "global_step_read_op_cache"


def create_global_step_read() -> None:
    """Creates TensorFlow's own operation that reads the global step.

    An operation's random seed depends on the number of operations before it in the graph. This
    operation must therefore be created at the same point of a training graph as in TensorFlow 2.15.
    """
    tf1.train.StepCounterHook().begin()


def has_own_session() -> bool:
    """Returns whether the program has replaced `tf.compat.v1.train.MonitoredTrainingSession`.

    The replacement then coordinates the tasks of a cluster, as in TensorFlow 2.15. Each task calls
    it at once, and this package starts no server and waits for no task.
    """
    return tf1.train.MonitoredTrainingSession is not _MONITORED_TRAINING_SESSION


def _share_global_step_read() -> tf.Tensor:
    """Makes all hooks read the global step through one plain operation, and returns it.

    TensorFlow's own operation falls back to the initial value, which costs time in each step. Under
    MultiWorkerMirroredStrategy, the initial value is a broadcast. The chief's hooks read the global
    step more often than the workers', so the chief would wait for the broadcast forever.
    """
    # Use a sum. The identity of a ref variable is the variable itself, which changes during a step.
    read = tf.add(tf1.train.get_global_step(), 0, name="global_step_read")
    tf1.get_collection_ref(_GLOBAL_STEP_READ)[:] = [read]
    return read


def run(
    spec: EstimatorSpec,
    hooks: list[Any],
    saving_listeners: Iterable[Any],
    *,
    config: RunConfig,
    session_config: Any,
    model_dir: str,
    training: Training | None,
) -> Any:
    """Trains in the default graph until a hook stops it or the input ends.

    Args:
      spec: The model, built in the default graph.
      hooks: Hooks for every trainer: those of the input, then the user's.
      saving_listeners: `CheckpointSaverListener`s.
      config: The RunConfig.
      session_config: The session's ConfigProto.
      model_dir: The folder in which the chief saves.
      training: This task's part in a parameter-server training, or None in other trainings.

    Returns:
      The loss of the last step, or None if no step was run.

    Raises:
      tf.compat.v1.train.NanLossDuringTrainingError: The loss is NaN.
      ValueError: `saving_listeners` is not empty, but no hook saves checkpoints.
    """
    _add_loss_summary(spec.loss)
    tf1.add_to_collection(tf1.GraphKeys.LOSSES, spec.loss)
    _add_saver(spec.scaffold, config)
    step = _share_global_step_read()
    loss_hook = training_hooks.LossHook(spec.loss)
    hooks = [*hooks, loss_hook]
    if config.log_step_count_steps is not None:
        variable = tf1.train.get_global_step()
        # A ref variable that is fetched directly already has the step's increment, so the first
        # log line says 1, not 0.
        logged_step = variable if variable.dtype.name.endswith("_ref") else step
        tensors = {"loss": spec.loss, "step": logged_step}
        hooks.append(tf1.train.LoggingTensorHook(tensors, every_n_iter=config.log_step_count_steps))
    hooks += spec.training_hooks
    savers = _saver_hooks(spec, hooks, saving_listeners, config, model_dir, training)
    if training is not None and config.is_chief:
        # Order matters. At the end, wait for the workers and then save. At the start, save and then
        # let the workers begin.
        wait_hooks = [training_hooks.WaitForWorkersHook(training)]
        savers = [*wait_hooks, *savers, training_hooks.OpenTrainingHook(training)]
    elif training is not None:
        hooks.insert(0, training_hooks.JoinTrainingHook(training))
    intervals = _EventIntervals.from_config(config)
    hooks += intervals.hooks_of_worker(config, spec.scaffold)
    session_config = table_reads.avoided(session_config, tf1.get_default_graph())
    if training is not None and config.is_chief and config.num_ps_replicas:
        # With the variables of the optimizer.
        tf1.logging.info(f"Variables on {server_layout.describe(tf1.global_variables())}.")
    if config.num_ps_replicas:
        hooks.append(training_hooks.PackingHook(spec.train_op, servers.device(config)))
    malloc.tune()
    session = _session(spec, hooks, savers, intervals, config, session_config, model_dir, training)
    with session:
        while not session.should_stop():
            session.run(spec.train_op)
    if loss_hook.last_loss is None:
        tf1.logging.warning(
            "Training with estimator made no steps. Perhaps input is empty or misspecified, or "
            "the training was over before."
        )
    return loss_hook.last_loss


class _EventIntervals(NamedTuple):
    """Numbers of steps between summaries and between counts of steps per second.

    They are arguments of MonitoredTrainingSession. A `master` also evaluates, during which it would
    write no summaries. So in a cluster with a master, only worker 0 writes them.
    """

    summaries: int | None
    step_count: int | None

    @classmethod
    def from_config(cls, config: RunConfig) -> _EventIntervals:
        if _is_led_by_master(config):
            return cls(0, None)
        return cls(config.save_summary_steps, config.log_step_count_steps)

    @staticmethod
    def hooks_of_worker(config: RunConfig, scaffold: Any) -> list[Any]:
        if not _is_led_by_master(config) or (config.task_type, config.task_id) != ("worker", 0):
            return []
        hooks = []
        if config.save_summary_steps:
            hooks.append(
                tf1.train.SummarySaverHook(
                    save_steps=config.save_summary_steps,
                    output_dir=config.model_dir,
                    scaffold=scaffold,
                )
            )
        if config.log_step_count_steps:
            hooks.append(
                tf1.train.StepCounterHook(
                    every_n_steps=config.log_step_count_steps, output_dir=config.model_dir
                )
            )
        return hooks


def _is_led_by_master(config: RunConfig) -> bool:
    jobs = config.cluster_spec.jobs
    return "master" in jobs and "worker" in jobs


def _add_loss_summary(loss: tf.Tensor) -> None:
    summaries = tf1.get_collection(tf1.GraphKeys.SUMMARIES)
    if not any(getattr(s, "op", None) is not None and s.op.name == "loss" for s in summaries):
        tf1.summary.scalar("loss", loss)


def _add_saver(scaffold: Any, config: RunConfig) -> None:
    if scaffold.saver or tf1.get_collection(tf1.GraphKeys.SAVERS):
        return
    # A save on a parameter server takes memory there. Without one, the files stay as they were.
    saver_type = grouped_saver.GroupedSaver if config.num_ps_replicas else tf1.train.Saver
    saver = saver_type(
        sharded=True,
        max_to_keep=config.keep_checkpoint_max,
        keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours,
        defer_build=True,
        save_relative_paths=True,
    )
    tf1.add_to_collection(tf1.GraphKeys.SAVERS, saver)


def _saver_hooks(
    spec: EstimatorSpec,
    hooks: list[Any],
    listeners: Iterable[Any],
    config: RunConfig,
    model_dir: str,
    training: Training | None,
) -> list[Any]:
    """Returns the chief's own saver hooks, and attaches the listeners to the first saver hook.

    Returns no hook if the user has one. If several processes train synchronously, the session saves
    instead, and a hook is returned only if listeners need it.
    """
    saver_type = tf1.train.CheckpointSaverHook
    savers = [h for h in (*hooks, *spec.training_chief_hooks) if isinstance(h, saver_type)]
    own_savers = []
    save_intervals = (config.save_checkpoints_steps, config.save_checkpoints_secs)
    listeners = [*listeners]
    if not savers and any(save_intervals) and (listeners or not distribute.is_multi_worker(config)):
        own_savers = [
            training_hooks.ChiefSaverHook(
                training.last_step if training else None,
                checkpoint_dir=model_dir,
                save_steps=save_intervals[0],
                save_secs=save_intervals[1],
                scaffold=spec.scaffold,
                save_graph_def=config.checkpoint_save_graph_def,
            )
        ]
    for listener in listeners:
        if not savers and not own_savers:
            raise ValueError(
                "There should be a CheckpointSaverHook to use saving_listeners. Please set one of "
                "the RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs."
            )
        saver_listeners = [*savers, *own_savers][0]._listeners
        if listener not in saver_listeners:
            saver_listeners.append(listener)
    return own_savers


def _checkpoint_state(model_dir: str) -> dict[str, str]:
    """Returns the argument of a session creator that names the checkpoint to restore."""
    path = intact.newest(model_dir)
    # The chief leaves damaged checkpoints out of the folder's list, but perhaps a moment later.
    if path and os.path.basename(path) != os.path.basename(rotation.latest(model_dir) or ""):
        return {"checkpoint_filename_with_path": path}
    return {"checkpoint_dir": model_dir}


def _session(
    spec: EstimatorSpec,
    hooks: list[Any],
    savers: list[Any],
    intervals: _EventIntervals,
    config: RunConfig,
    session_config: Any,
    model_dir: str,
    training: Training | None,
) -> Any:
    if training is not None and not config.is_chief:
        creator = training_hooks.WorkerSessionCreator(
            training,
            spec.scaffold,
            config.master,
            session_config,
            config.session_creation_timeout_secs,
        )
        return tf1.train.MonitoredSession(creator, hooks)
    if distribute.is_multi_worker(config) and not config.is_chief and not has_own_session():
        # Each trainer initializes or restores its own copy of the variables. Only the chief saves.
        creator = tf1.train.ChiefSessionCreator(
            scaffold=spec.scaffold,
            master=config.master,
            config=session_config,
            **_checkpoint_state(model_dir),
        )
        return tf1.train.MonitoredSession(creator, hooks)
    saving = {"save_checkpoint_secs": 0}  # The session does not save, because a hook does.
    if distribute.is_multi_worker(config) and not savers:
        saving = {
            "save_checkpoint_secs": config.save_checkpoints_secs,
            "save_checkpoint_steps": config.save_checkpoints_steps,
        }
    return tf1.train.MonitoredTrainingSession(
        master=config.master,
        is_chief=config.is_chief,
        checkpoint_dir=model_dir,
        scaffold=spec.scaffold,
        hooks=hooks,
        chief_only_hooks=[*savers, *spec.training_chief_hooks],
        **saving,
        save_summaries_steps=intervals.summaries,
        config=session_config,
        max_wait_secs=config.session_creation_timeout_secs,
        log_step_count_steps=intervals.step_count,
        save_graph_def=config.checkpoint_save_graph_def,
    )
