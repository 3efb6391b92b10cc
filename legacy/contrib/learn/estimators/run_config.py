"""RunConfig of contrib.learn: the settings of an Estimator, and its task in a cluster.

    os.environ["TF_CONFIG"] = json.dumps({
        "cluster": {"master": ["host0:2222"], "ps": ["host1:2222"], "worker": ["host2:2222"]},
        "task": {"type": "worker", "index": 0},
        "environment": "cloud",
    })
    RunConfig(save_checkpoints_steps=500).master  # "grpc://host2:2222"

Unlike a cluster of tf.estimator, such a cluster needs no chief task. Unless "environment" is
"cloud", worker 0 is the chief.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from legacy.contrib.learn.constants import Environment, TaskType
from legacy.estimator import run_config

tf1 = tf.compat.v1

_DEFAULT_SAVE_SECS = 600
# Settings that `uid` ignores, because they may differ between the parts of an experiment. Programs
# with their own `uid` read this private name.
_DEFAULT_UID_WHITE_LIST = (
    "tf_random_seed",
    "save_summary_steps",
    "save_checkpoints_steps",
    "save_checkpoints_secs",
    "session_config",
    "keep_checkpoint_max",
    "keep_checkpoint_every_n_hours",
    "log_step_count_steps",
)


def _tf_config() -> dict[str, Any]:
    return json.loads(os.environ.get("TF_CONFIG") or "{}")


class ClusterConfig:
    """The place of this process in the cluster of TF_CONFIG.

    Args:
      master: The session target. None is the address of this task.
      evaluation_master: The session target for evaluation.

    Raises:
      ValueError: The task is not in the cluster.
    """

    def __init__(self, master: str | None = None, evaluation_master: str | None = None) -> None:
        environment = _tf_config()
        self._cluster_spec = tf.train.ClusterSpec(environment.get("cluster", {}))
        self._task_type = environment.get("task", {}).get("type")
        self._task_id = self.get_task_id()
        self._environment = environment.get("environment", Environment.LOCAL)
        if master is None:
            master = _master(self._cluster_spec, self._task_type, self._task_id)
        self._master = master
        self._evaluation_master = evaluation_master or ""
        self._num_ps_replicas = _count(self._cluster_spec, TaskType.PS)
        self._num_worker_replicas = _count(self._cluster_spec, TaskType.WORKER, TaskType.MASTER)
        chief = TaskType.MASTER if self._environment == Environment.CLOUD else TaskType.WORKER
        self._is_chief = self._task_type in (None, chief) and self._task_id == 0

    # The properties of tf.estimator's RunConfig. In a local run, the task type is None and the
    # number of workers is 0.
    cluster_spec = run_config.RunConfig.cluster_spec
    evaluation_master = run_config.RunConfig.evaluation_master
    is_chief = run_config.RunConfig.is_chief
    master = run_config.RunConfig.master
    num_ps_replicas = run_config.RunConfig.num_ps_replicas
    num_worker_replicas = run_config.RunConfig.num_worker_replicas
    task_id = run_config.RunConfig.task_id
    task_type = run_config.RunConfig.task_type

    @property
    def environment(self) -> str:
        """The `environment` of TF_CONFIG."""
        return self._environment

    @staticmethod
    def get_task_id() -> int:
        """Returns the task index of TF_CONFIG, or 0 if it is missing."""
        return int(_tf_config().get("task", {}).get("index") or 0)


class RunConfig(ClusterConfig, run_config.RunConfig):
    """Settings of an Estimator's runs. tf.estimator.Estimator accepts it as well.

    Args:
      master: The session target. None is the address of this task.
      num_cores: Number of threads of a session. 0 leaves it to TensorFlow. Affects `tf_config`
        only.
      log_device_placement: If true, logs the device of each operation. Affects `tf_config` only.
      gpu_memory_fraction: Fraction of the GPU memory to use. Affects `tf_config` only.
      tf_random_seed: Seed of the graph.
      save_summary_steps: Steps between summaries.
      save_checkpoints_secs: Seconds between checkpoints. 0 is 600, or None if
        `save_checkpoints_steps` is set.
      save_checkpoints_steps: Steps between checkpoints.
      keep_checkpoint_max: Number of the newest checkpoints to keep.
      keep_checkpoint_every_n_hours: Hours between two checkpoints that are kept forever.
      log_step_count_steps: Steps between log lines of steps per second.
      protocol: Protocol of the servers.
      evaluation_master: The session target for evaluation.
      model_dir: Folder of the checkpoints and event files.
      session_config: ConfigProto of the session.
      session_creation_timeout_secs: Maximum time that a worker waits for the chief, in seconds.

    Raises:
      ValueError: The task is not in the cluster, or TF_CONFIG has another `model_dir`.
    """

    def __init__(
        self,
        master: str | None = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_secs: int | None = 0,
        save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100,
        protocol: str | None = None,
        evaluation_master: str = "",
        model_dir: str | None = None,
        session_config: Any = None,
        session_creation_timeout_secs: int = 7200,
    ) -> None:
        defaults = _local_settings()
        ClusterConfig.__init__(self, master=master, evaluation_master=evaluation_master)
        # Attributes that tf.estimator.Estimator may read in addition to those set below.
        for name, value in defaults.items():
            self.__dict__.setdefault(name, value)
        if save_checkpoints_secs == 0:
            save_checkpoints_secs = _DEFAULT_SAVE_SECS if save_checkpoints_steps is None else None
        self._tf_random_seed = tf_random_seed
        self._save_summary_steps = save_summary_steps
        self._save_checkpoints_secs = save_checkpoints_secs
        self._save_checkpoints_steps = save_checkpoints_steps
        self._keep_checkpoint_max = keep_checkpoint_max
        self._keep_checkpoint_every_n_hours = keep_checkpoint_every_n_hours
        self._log_step_count_steps = log_step_count_steps
        self._protocol = protocol
        self._session_config = session_config
        self._model_dir = _model_dir(model_dir)
        self._session_creation_timeout_secs = session_creation_timeout_secs
        self._tf_config = tf1.ConfigProto(
            log_device_placement=log_device_placement,
            inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores,
            gpu_options=tf1.GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction),
        )

    @property
    def tf_config(self) -> Any:
        """The ConfigProto of the servers."""
        return self._tf_config

    def uid(self, whitelist: Iterable[str] | None = None) -> str:
        """Returns a text that is equal for configurations that agree.

        Args:
          whitelist: Names of settings to ignore. None is the default list.
        """
        ignored_names = {
            f"_{name}" for name in (_DEFAULT_UID_WHITE_LIST if whitelist is None else whitelist)
        }
        state = {name: value for name, value in vars(self).items() if name not in ignored_names}
        state["_cluster_spec"] = sorted(self._cluster_spec.as_dict().items())
        return ", ".join(f"{name}={value!r}" for name, value in sorted(state.items()))


def _local_settings() -> dict[str, Any]:
    """Returns the attributes of tf.estimator's RunConfig for a local run."""
    # tf.estimator's RunConfig would refuse the TF_CONFIG of a cluster without a chief.
    original_value = os.environ.pop("TF_CONFIG", None)
    try:
        return vars(run_config.RunConfig())
    finally:
        if original_value is not None:
            os.environ["TF_CONFIG"] = original_value


def _count(cluster: tf.train.ClusterSpec, *task_types: str) -> int:
    return sum(cluster.num_tasks(name) for name in task_types if name in cluster.jobs)


def _master(cluster: tf.train.ClusterSpec, task_type: str | None, task_id: int) -> str:
    jobs = cluster.as_dict()
    if sum(len(tasks) for tasks in jobs.values()) <= 1 or not task_type:
        return ""
    hint = f"{jobs}\nThese values may come from the TF_CONFIG environment variable."
    if task_type not in jobs:
        raise ValueError(f"{task_type} is not a valid task_type in the cluster_spec:\n{hint}")
    if not 0 <= task_id < len(jobs[task_type]):
        raise ValueError(
            f"{task_id} is not a valid task_id for task_type {task_type} in the cluster_spec:\n"
            f"{hint}"
        )
    return f"grpc://{cluster.task_address(task_type, task_id)}"


def _model_dir(model_dir: str | None) -> str | None:
    # Unlike in tf.estimator, the folder may be empty.
    env_dir = _tf_config().get("model_dir")
    if env_dir is not None and model_dir is not None and env_dir != model_dir:
        raise ValueError(
            "`model_dir` provided in RunConfig construct, if set, must have the same value as the "
            f'model_dir in TF_CONFIG. model_dir: {model_dir}\nTF_CONFIG["model_dir"]: {env_dir}.'
        )
    return model_dir or env_dir
