"""RunConfig, the settings of an Estimator's runs and this process's task in the cluster.

>>> config = RunConfig(save_checkpoints_steps=500)
>>> config.save_checkpoints_secs, config.replace(save_checkpoints_secs=60).save_checkpoints_steps
(None, None)

The constructor reads TF_CONFIG. The properties that describe the cluster have the values observed
in TensorFlow 2.15. `modern.cluster.tf_config` reports further mistakes in a cluster before a server
starts.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from legacy.estimator import run_config_checks
from legacy.estimator.cluster import roles
from modern.cluster import tf_config

tf1 = tf.compat.v1

_UNSET = object()

# Modes of a strategy's cluster: this process runs all tasks, or each process runs its own task.
STANDALONE_CLIENT = "standalone_client"
INDEPENDENT_WORKER = "independent_worker"


class RunConfig:
    """The settings of an Estimator's runs, and this process's place in the cluster.

    Args:
      model_dir: Folder of the checkpoints and event files. None means TF_CONFIG's `model_dir`, or
        else the Estimator's argument, or else a temporary folder.
      tf_random_seed: The graph's random seed, an integer, or None.
      save_summary_steps: Number of steps between summaries. 0 or None writes no summaries.
      save_checkpoints_steps: Number of steps between checkpoints. Cannot be combined with
        `save_checkpoints_secs`.
      save_checkpoints_secs: Number of seconds between checkpoints. Defaults to 600 if neither
        interval is set. If both are None, no checkpoint is saved.
      session_config: A `tf.compat.v1.ConfigProto`. None means soft placement and one pass of graph
        rewriting. In a cluster, it also sets device filters, so that a trainer sees only the ps and
        itself. A dead worker then does not stop the others.
      keep_checkpoint_max: Number of newest checkpoints to keep. 0 or None keeps all.
      keep_checkpoint_every_n_hours: Interval in hours at which a checkpoint is kept permanently.
      log_step_count_steps: Number of steps between log lines of the loss and the steps per second.
        None writes no such lines.
      train_distribute: A strategy of `tf.compat.v1.distribute`, or None.
      device_fn: A function that returns the device of an operation. None means that variables of a
        cluster are placed on the ps in turn.
      protocol: "grpc", "grpc+verbs" or None, which means "grpc".
      eval_distribute: A strategy for `evaluate`, as in `train_distribute`.
      experimental_distribute: An object with the attributes `train_distribute` and
        `eval_distribute`, and optionally `remote_cluster`.
      experimental_max_worker_delay_secs: The longest delay of a worker's start, in seconds. Worker
        i waits for 5 * (i + 1) seconds up to this limit, as in the original. None means no delay,
        because a worker here starts as soon as the chief has initialized the variables.
      session_creation_timeout_secs: Longest time that a task waits for another one, in seconds.
      checkpoint_save_graph_def: If true, saves the graph next to each checkpoint.

    Raises:
      ValueError: An argument, or TF_CONFIG, is wrong.
    """

    def __init__(
        self,
        model_dir: str | os.PathLike[str] | None = None,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_steps: Any = _UNSET,
        save_checkpoints_secs: Any = _UNSET,
        session_config: Any = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100,
        train_distribute: Any = None,
        device_fn: Callable[[Any], str] | None = None,
        protocol: str | None = None,
        eval_distribute: Any = None,
        experimental_distribute: Any = None,
        experimental_max_worker_delay_secs: int | None = None,
        session_creation_timeout_secs: int = 7200,
        checkpoint_save_graph_def: bool = True,
    ) -> None:
        steps, secs = _save_intervals(save_checkpoints_steps, save_checkpoints_secs)
        run_config_checks.check_strategies(train_distribute, eval_distribute)
        environment = _tf_config()
        self._set(
            model_dir=run_config_checks.model_dir(model_dir, environment),
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_steps=steps,
            save_checkpoints_secs=secs,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            train_distribute=train_distribute,
            device_fn=device_fn,
            protocol=protocol,
            eval_distribute=eval_distribute,
            experimental_distribute=experimental_distribute,
            experimental_max_worker_delay_secs=experimental_max_worker_delay_secs,
            session_creation_timeout_secs=session_creation_timeout_secs,
            checkpoint_save_graph_def=checkpoint_save_graph_def,
        )
        self._service = run_config_checks.service(environment)
        if train_distribute or eval_distribute or experimental_distribute:
            self._set_distributed_place(environment)
        else:
            self._set_place(self._place(environment))

    def _place(self, environment: Mapping[str, Any]) -> roles.Place:
        return roles.place(environment)

    def _set(self, **settings: Any) -> None:
        for name, value in settings.items():
            run_config_checks.check(name, value)
            setattr(self, f"_{name}", value)

    def _set_place(self, where: roles.Place) -> None:
        self._cluster_spec = where.cluster_spec
        self._task_type = where.task_type
        self._task_id = where.task_id
        self._global_id_in_cluster = where.global_id
        self._master = where.master
        self._evaluation_master = where.evaluation_master
        self._is_chief = where.is_chief
        self._num_ps_replicas = where.num_ps
        self._num_worker_replicas = where.num_workers
        if self._session_config is None and where.cluster_spec.jobs:
            self._session_config = _filtered_session_config(where.task_type, where.task_id)

    def _set_distributed_place(self, environment: dict[str, Any]) -> None:
        """Sets the strategies, the coordinator mode and the place of a distributed run."""
        distribute_config = self._experimental_distribute
        for name in ("train_distribute", "eval_distribute"):
            strategy = getattr(distribute_config, name, None)
            if strategy and getattr(self, f"_{name}"):
                raise ValueError(
                    f"Either `{name}` or `experimental_distribute.{name}` can be set, not both."
                )
            if strategy:
                setattr(self, f"_{name}", strategy)
        cluster = roles.cluster_of(environment)
        remote = getattr(distribute_config, "remote_cluster", None)
        self._distribute_coordinator_mode = None
        if self._train_distribute and remote:
            if cluster.jobs:
                raise ValueError(
                    'Cannot set both "cluster_spec" of TF_CONFIG and '
                    "`experimental_distribute.remote_cluster`: leave one of them out."
                )
            self._set_place(roles.Place())
            self._cluster_spec = remote
            self._distribute_coordinator_mode = STANDALONE_CLIENT
        elif not cluster.jobs or "master" in cluster.jobs or not self._train_distribute:
            self._set_place(roles.place(environment))
        else:
            self._distribute_coordinator_mode = INDEPENDENT_WORKER
            user_session_config = self._session_config
            self._set_place(roles.place_for_strategy(environment))
            # The strategy sets its own device filters, so drop those that `_set_place` added.
            self._session_config = user_session_config

    def replace(self, **kwargs: Any) -> RunConfig:
        """Returns a copy with some settings replaced.

        Args:
          **kwargs: New values of constructor arguments. Setting `save_checkpoints_steps` unsets
            `save_checkpoints_secs`, and vice versa.

        Returns:
          The copy. It keeps the place in the cluster.

        Raises:
          ValueError: A setting cannot be replaced, or a value is wrong.
        """
        run_config_checks.check_replaceable(kwargs)
        if kwargs.get("save_checkpoints_steps") is not None:
            if kwargs.get("save_checkpoints_secs") is not None:
                raise ValueError(_BOTH_INTERVALS)
            kwargs["save_checkpoints_secs"] = None
        elif kwargs.get("save_checkpoints_secs") is not None:
            kwargs["save_checkpoints_steps"] = None
        new_config = copy_config(self)
        new_config._set(**kwargs)
        return new_config

    @property
    def model_dir(self) -> Any:
        """The folder of checkpoints and event files, or None."""
        return self._model_dir

    @property
    def tf_random_seed(self) -> int | None:
        """The graph's seed."""
        return self._tf_random_seed

    @property
    def save_summary_steps(self) -> int | None:
        """Number of steps between summaries."""
        return self._save_summary_steps

    @property
    def save_checkpoints_steps(self) -> int | None:
        """Number of steps between checkpoints, or None."""
        return self._save_checkpoints_steps

    @property
    def save_checkpoints_secs(self) -> int | None:
        """Number of seconds between checkpoints, or None."""
        return self._save_checkpoints_secs

    @property
    def session_config(self) -> Any:
        """The session's ConfigProto, or None."""
        return self._session_config

    @property
    def keep_checkpoint_max(self) -> int | None:
        """Number of newest checkpoints to keep."""
        return self._keep_checkpoint_max

    @property
    def keep_checkpoint_every_n_hours(self) -> float:
        """Interval in hours at which a checkpoint is kept permanently."""
        return self._keep_checkpoint_every_n_hours

    @property
    def log_step_count_steps(self) -> int | None:
        """Number of steps between log lines, or None."""
        return self._log_step_count_steps

    @property
    def train_distribute(self) -> Any:
        """The strategy for training, or None."""
        return self._train_distribute

    @property
    def device_fn(self) -> Callable[[Any], str] | None:
        """The function that returns the device of an operation, or None."""
        return self._device_fn

    @property
    def protocol(self) -> str | None:
        """The servers' protocol."""
        return self._protocol

    @property
    def eval_distribute(self) -> Any:
        """The strategy for evaluation, or None."""
        return self._eval_distribute

    @property
    def experimental_max_worker_delay_secs(self) -> int | None:
        """The longest delay of a worker's start, in seconds, or None."""
        return self._experimental_max_worker_delay_secs

    @property
    def session_creation_timeout_secs(self) -> int:
        """The longest time that a worker waits for the chief, in seconds."""
        return self._session_creation_timeout_secs

    @property
    def checkpoint_save_graph_def(self) -> bool:
        """True if the graph is saved next to each checkpoint."""
        return self._checkpoint_save_graph_def

    @property
    def service(self) -> Any:
        """The `service` entry of TF_CONFIG, or None."""
        return self._service

    @property
    def cluster_spec(self) -> tf.train.ClusterSpec:
        """The cluster. It is empty for a local run and for an evaluator."""
        return self._cluster_spec

    @property
    def task_type(self) -> str:
        """The type of this task. It is "worker" for a local run."""
        return self._task_type

    @property
    def task_id(self) -> int:
        """The index of this task among the tasks of its type."""
        return self._task_id

    @property
    def global_id_in_cluster(self) -> int | None:
        """The index among all tasks in the order chief, workers, ps. None for an evaluator."""
        return self._global_id_in_cluster

    @property
    def master(self) -> str:
        """The session target for training. It is empty for a local run."""
        return self._master

    @property
    def evaluation_master(self) -> str:
        """The session target for evaluation."""
        return self._evaluation_master

    @property
    def is_chief(self) -> bool:
        """True if this task initializes the variables and saves the checkpoints."""
        return self._is_chief

    @property
    def num_ps_replicas(self) -> int:
        """The number of parameter servers."""
        return self._num_ps_replicas

    @property
    def num_worker_replicas(self) -> int:
        """The number of trainers, including the chief."""
        return self._num_worker_replicas


_BOTH_INTERVALS = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."
_DEFAULT_SAVE_SECS = 600


def copy_config(config: RunConfig) -> RunConfig:
    """Returns a deep copy that shares the strategies: a process has one object for each strategy.

    Args:
      config: A RunConfig, or an instance of a subclass.
    """
    distribute_config = config._experimental_distribute
    shared = [config._train_distribute, config._eval_distribute, distribute_config]
    # The memo makes `deepcopy` keep these objects instead of copying them.
    return copy.deepcopy(
        config, {id(strategy): strategy for strategy in shared if strategy is not None}
    )


def default_session_config() -> Any:
    """Returns the default ConfigProto of a session.

    Returns:
      A `tf.compat.v1.ConfigProto` with soft placement and one pass of graph rewriting.
    """
    session_config = tf1.ConfigProto(allow_soft_placement=True)
    rewrite = session_config.graph_options.rewrite_options
    rewrite.meta_optimizer_iterations = rewrite.ONE
    return session_config


def _filtered_session_config(task_type: str, task_id: int) -> Any:
    """Returns the ConfigProto of a task with device filters, or None for an unknown task type."""
    filters = {
        "master": ["/job:ps", "/job:master"],
        "chief": ["/job:ps", "/job:chief"],
        "worker": ["/job:ps", f"/job:worker/task:{task_id}"],
        "ps": ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
    }
    if task_type not in filters:
        return None
    session_config = default_session_config()
    session_config.device_filters.extend(filters[task_type])
    return session_config


def _tf_config() -> dict[str, Any]:
    text = os.environ.get(tf_config.VARIABLE, "")
    if not text.strip():
        return {}
    try:
        environment = json.loads(text)
    except (RecursionError, ValueError):
        tf_config.parse(text)  # Raises a ValueError that explains the mistake.
        raise
    if not isinstance(environment, dict):
        raise ValueError(f"{tf_config.VARIABLE} must be a JSON object, and is {text[:80]}.")
    if environment:
        tf1.logging.info("TF_CONFIG environment variable: %s", environment)
    return environment


def _save_intervals(steps: Any, secs: Any) -> tuple[Any, Any]:
    if steps is _UNSET and secs is _UNSET:
        return None, _DEFAULT_SAVE_SECS
    steps = None if steps is _UNSET else steps
    secs = None if secs is _UNSET else secs
    if steps is not None and secs is not None:
        raise ValueError(_BOTH_INTERVALS)
    return steps, secs
