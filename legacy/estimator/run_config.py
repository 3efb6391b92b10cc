"""RunConfig: how an Estimator runs, and which task of the cluster this process is.

>>> config = RunConfig(save_checkpoints_steps=500)
>>> config.save_checkpoints_secs, config.replace(save_checkpoints_secs=60).save_checkpoints_steps
(None, None)

TF_CONFIG is read when the object is made. What its properties say about a cluster is what was seen
in TensorFlow 2.15; what is wrong with a cluster beyond that is said by `modern.cluster.tf_config`,
before a server starts.
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

# Who runs the tasks of a strategy's cluster: this process for all, or each for itself.
STANDALONE_CLIENT = "standalone_client"
INDEPENDENT_WORKER = "independent_worker"


class RunConfig:
    """The settings of an Estimator's runs, and this process's place in the cluster.

    Args:
      model_dir: Where checkpoints and event files go. None: TF_CONFIG's `model_dir`, else what the
        Estimator is given, else a temporary folder.
      tf_random_seed: The graph's seed, an integer, or None.
      save_summary_steps: Steps between summaries; 0 or None writes none.
      save_checkpoints_steps: Steps between checkpoints. Not together with the next.
      save_checkpoints_secs: Seconds between checkpoints; 600 where neither is given. Both None: no
        checkpoint is saved.
      session_config: A `tf.compat.v1.ConfigProto`. None: soft placement, one pass of graph
        rewriting, and in a cluster device filters by which a trainer sees the ps and itself alone,
        so that a dead worker does not stop the others.
      keep_checkpoint_max: How many of the newest checkpoints are kept; 0 or None keeps all.
      keep_checkpoint_every_n_hours: One checkpoint in so many hours is kept for good.
      log_step_count_steps: Steps between log lines of loss and of steps per second; None for none.
      train_distribute: A `tf.distribute` strategy (of `tf.compat.v1.distribute`), or None.
      device_fn: A function from an operation to its device, or None: in a cluster the variables go
        round robin to the ps.
      protocol: "grpc", "grpc+verbs" or None, which is grpc.
      eval_distribute: As `train_distribute`, for `evaluate`.
      experimental_distribute: An object with attributes `train_distribute`, `eval_distribute`.
      experimental_max_worker_delay_secs: If given, worker i waits 5·(i+1) seconds before it starts,
        at most this long, as the original did. None: no wait, because here a worker starts
        exactly when the chief has initialized the variables.
      session_creation_timeout_secs: How long a worker waits for the chief, in seconds.
      checkpoint_save_graph_def: Whether the graph is saved beside each checkpoint.

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
        """Takes the strategies from experimental_distribute, and who runs the cluster's tasks."""
        given = self._experimental_distribute
        for name in ("train_distribute", "eval_distribute"):
            strategy = getattr(given, name, None)
            if strategy and getattr(self, f"_{name}"):
                raise ValueError(
                    f"Either `{name}` or `experimental_distribute.{name}` can be set, not both."
                )
            if strategy:
                setattr(self, f"_{name}", strategy)
        cluster = roles.cluster_of(environment)
        remote = getattr(given, "remote_cluster", None)
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
            # A strategy says itself which devices its sessions see.
            self._session_config = user_session_config

    def replace(self, **kwargs: Any) -> RunConfig:
        """Returns a copy with other settings.

        Args:
          **kwargs: Any argument of the constructor. Setting one of save_checkpoints_steps and
            save_checkpoints_secs unsets the other.

        Returns:
          The copy; its place in the cluster is this one's.

        Raises:
          ValueError: A name that cannot be replaced, or a wrong value.
        """
        run_config_checks.check_replaceable(kwargs)
        if kwargs.get("save_checkpoints_steps") is not None:
            if kwargs.get("save_checkpoints_secs") is not None:
                raise ValueError(_BOTH_INTERVALS)
            kwargs["save_checkpoints_secs"] = None
        elif kwargs.get("save_checkpoints_secs") is not None:
            kwargs["save_checkpoints_steps"] = None
        changed = copied(self)
        changed._set(**kwargs)
        return changed

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
        """Steps between summaries."""
        return self._save_summary_steps

    @property
    def save_checkpoints_steps(self) -> int | None:
        """Steps between checkpoints, or None."""
        return self._save_checkpoints_steps

    @property
    def save_checkpoints_secs(self) -> int | None:
        """Seconds between checkpoints, or None."""
        return self._save_checkpoints_secs

    @property
    def session_config(self) -> Any:
        """The session's ConfigProto, or None."""
        return self._session_config

    @property
    def keep_checkpoint_max(self) -> int | None:
        """How many of the newest checkpoints are kept."""
        return self._keep_checkpoint_max

    @property
    def keep_checkpoint_every_n_hours(self) -> float:
        """One checkpoint in so many hours is kept for good."""
        return self._keep_checkpoint_every_n_hours

    @property
    def log_step_count_steps(self) -> int | None:
        """Steps between log lines."""
        return self._log_step_count_steps

    @property
    def train_distribute(self) -> Any:
        """The strategy for training, or None."""
        return self._train_distribute

    @property
    def device_fn(self) -> Callable[[Any], str] | None:
        """The function from operations to devices, or None."""
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
        """The longest wait of a worker before it starts, in seconds, or None."""
        return self._experimental_max_worker_delay_secs

    @property
    def session_creation_timeout_secs(self) -> int:
        """How long a worker waits for the chief, in seconds."""
        return self._session_creation_timeout_secs

    @property
    def checkpoint_save_graph_def(self) -> bool:
        """Whether the graph is saved beside each checkpoint."""
        return self._checkpoint_save_graph_def

    @property
    def service(self) -> Any:
        """TF_CONFIG's `service`, or None."""
        return self._service

    @property
    def cluster_spec(self) -> tf.train.ClusterSpec:
        """The cluster; empty for local runs and for an evaluator."""
        return self._cluster_spec

    @property
    def task_type(self) -> str:
        """The role; "worker" for local runs."""
        return self._task_type

    @property
    def task_id(self) -> int:
        """The index among the tasks of this type."""
        return self._task_id

    @property
    def global_id_in_cluster(self) -> int | None:
        """The index among all tasks: chief, workers, ps; None for an evaluator."""
        return self._global_id_in_cluster

    @property
    def master(self) -> str:
        """The session target for training; empty for local runs."""
        return self._master

    @property
    def evaluation_master(self) -> str:
        """The session target for evaluation."""
        return self._evaluation_master

    @property
    def is_chief(self) -> bool:
        """Whether this task initializes and saves."""
        return self._is_chief

    @property
    def num_ps_replicas(self) -> int:
        """How many parameter servers there are."""
        return self._num_ps_replicas

    @property
    def num_worker_replicas(self) -> int:
        """How many trainers there are, the chief included."""
        return self._num_worker_replicas


_BOTH_INTERVALS = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."
_DEFAULT_SAVE_SECS = 600


def copied(config: RunConfig) -> RunConfig:
    """Returns a deep copy that shares the strategies: a process has each of them once.

    Args:
      config: A RunConfig, or an object of a subclass.
    """
    distributed = config._experimental_distribute
    shared = [config._train_distribute, config._eval_distribute, distributed]
    return copy.deepcopy(config, {id(each): each for each in shared if each is not None})


def default_session_config() -> Any:
    """Makes the ConfigProto that a session gets where nobody gives one.

    Returns:
      A `tf.compat.v1.ConfigProto` with soft placement and one pass of graph rewriting.
    """
    session_config = tf1.ConfigProto(allow_soft_placement=True)
    rewrite = session_config.graph_options.rewrite_options
    rewrite.meta_optimizer_iterations = rewrite.ONE
    return session_config


def _filtered_session_config(task_type: str, task_id: int) -> Any:
    """Makes the ConfigProto of a cluster's task, or None for a task that is none of its roles."""
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
    except ValueError:
        tf_config.parse(text)  # Says what is wrong, as a ValueError.
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
