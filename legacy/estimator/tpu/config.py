"""RunConfig and TPUConfig of TPUEstimator.

>>> config = RunConfig(tpu_config=TPUConfig(iterations_per_loop=100), save_checkpoints_steps=100)
>>> config.tpu_config.iterations_per_loop, config.replace(tf_random_seed=1).tpu_config.num_shards
(100, None)

Settings that concern TPUs only are checked as in TensorFlow 2.15. They have no effect without TPUs.
"""

from __future__ import annotations

import collections
import json
import os
import re
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from legacy.estimator import run_config
from modern.cluster import tf_config

tf1 = tf.compat.v1

_SECONDS = {"s": 1, "m": 60, "h": 3600}
_CORES = (1, 2, 4, 8, 16, 32, 64, 128)
_FIELDS = (
    "iterations_per_loop",
    "num_shards",
    "num_cores_per_replica",
    "per_host_input_for_training",
    "tpu_job_name",
    "initial_infeed_sleep_secs",
    "input_partition_dims",
    "eval_training_input_configuration",
    "experimental_host_call_every_n_steps",
    "experimental_allow_per_host_v2_parallel_get_next",
    "experimental_feed_hook",
)


class InputPipelineConfig:
    """Options for the calls of an input function on the hosts of a TPU."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4
    SLICED = 5


class Iterations(NamedTuple):
    """Amount of work that a TPU does before it returns to its host.

    Attributes:
      value: Number of steps or seconds.
      unit: "count" (of steps) or "seconds".
    """

    value: int
    unit: str


def parse_iterations_per_loop(iterations_per_loop: int | str) -> Iterations:
    """Parses `iterations_per_loop`: a count, or a time such as "300s", "10m" or "1h".

    Args:
      iterations_per_loop: The value.

    Returns:
      The number of steps or of seconds.

    Raises:
      ValueError: If the value is neither.
    """
    match = re.fullmatch(r"([1-9]\d*)([smh]?)", str(iterations_per_loop))
    if match is None:
        raise ValueError(
            f"Invalid TPUConfig `iterations_per_loop` value {iterations_per_loop!r}. Value must be "
            "positive integer value or time-based value `<N><s|m|h>` where <N> is any positive "
            "integer, for example `3600s`, `60m`, `1h`."
        )
    value, suffix = int(match[1]), match[2]
    return Iterations(value * _SECONDS.get(suffix, 1), "seconds" if suffix else "count")


def check_positive_integer(value: Any, name: str) -> None:
    """Checks that a number is a positive integer.

    Args:
      value: The number.
      name: Name of the number in error messages.

    Raises:
      TypeError: If it is not an integer.
      ValueError: If it is not positive.
    """
    if not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be int, got {type(value)}")
    if value <= 0:
        raise ValueError(f"{name} must be positive, got {value}")


class TPUConfig(collections.namedtuple("TPUConfig", _FIELDS)):
    """Settings of a TPU. Without TPUs, only `iterations_per_loop` has an effect.

    Args:
      iterations_per_loop: Number of steps that a TPU runs at a time, or a time such as "300s". The
        interval of log lines is `log_step_count_steps` divided by this number, or this time.
      num_shards: Deprecated.
      num_cores_per_replica: Number of cores per replica of the model: a power of two up to 128, or
        None.
      per_host_input_for_training: One of `InputPipelineConfig`. True means PER_HOST_V1, False means
        PER_SHARD_V1.
      tpu_job_name: Job name of the TPU workers. Defaults to the name in TF_CONFIG's "service".
      initial_infeed_sleep_secs: Seconds to wait before the first batch, or None.
      input_partition_dims: Partition of features and labels over the cores of a replica, or None.
      eval_training_input_configuration: PER_HOST_V1 or SLICED.
      experimental_host_call_every_n_steps: Number of steps between host calls.
      experimental_allow_per_host_v2_parallel_get_next: If true, batches may come in any order.
      experimental_feed_hook: Hook class that replaces the default one.

    Raises:
      ValueError: If a value is invalid.
      TypeError: If a number is not an integer.
    """

    def __new__(
        cls,
        iterations_per_loop: int | str = 2,
        num_shards: int | None = None,
        num_cores_per_replica: int | None = None,
        per_host_input_for_training: bool | int = True,
        tpu_job_name: str | None = None,
        initial_infeed_sleep_secs: int | None = None,
        input_partition_dims: Any = None,
        eval_training_input_configuration: int = InputPipelineConfig.PER_HOST_V1,
        experimental_host_call_every_n_steps: int = 1,
        experimental_allow_per_host_v2_parallel_get_next: bool = False,
        experimental_feed_hook: Any = None,
    ) -> TPUConfig:
        """Checks the settings. See the class."""
        parse_iterations_per_loop(iterations_per_loop)
        if num_shards is not None:
            check_positive_integer(num_shards, "TPUConfig num_shards")
        if input_partition_dims is not None:
            _check_partition(
                input_partition_dims, per_host_input_for_training, num_cores_per_replica
            )
        if num_cores_per_replica is not None and num_cores_per_replica not in _CORES:
            raise ValueError(
                f"num_cores_per_replica must be {', '.join(map(str, _CORES))}; "
                f"got {num_cores_per_replica}"
            )
        if eval_training_input_configuration not in (
            InputPipelineConfig.PER_HOST_V1,
            InputPipelineConfig.SLICED,
        ):
            raise ValueError(
                "eval_training_input_configuration must be PER_HOST_V1 or SLICED; got "
                f"{eval_training_input_configuration}"
            )
        if per_host_input_for_training is True:
            per_host_input_for_training = InputPipelineConfig.PER_HOST_V1
        elif per_host_input_for_training is False:
            per_host_input_for_training = InputPipelineConfig.PER_SHARD_V1
        if initial_infeed_sleep_secs:
            check_positive_integer(initial_infeed_sleep_secs, "TPUConfig initial_infeed_sleep_secs")
        return super().__new__(
            cls,
            iterations_per_loop,
            num_shards,
            num_cores_per_replica,
            per_host_input_for_training,
            tpu_job_name or _job_name(),
            initial_infeed_sleep_secs,
            input_partition_dims,
            eval_training_input_configuration,
            experimental_host_call_every_n_steps,
            experimental_allow_per_host_v2_parallel_get_next,
            experimental_feed_hook,
        )


class RunConfig(run_config.RunConfig):
    """A RunConfig with the settings of a TPU, and with its own master.

    Args:
      tpu_config: A `TPUConfig`. Defaults to `TPUConfig()`.
      evaluation_master: Session target for evaluation. Defaults to that of TF_CONFIG, or else to
        `master`.
      master: Session target. Defaults to that of TF_CONFIG.
      cluster: A cluster resolver, instead of `master`. Its cluster is added to the session config.
      **kwargs: Arguments of `tf.estimator.RunConfig`.

    Raises:
      ValueError: If both `master` and `cluster` are set, or if the session config already has a
        cluster.
    """

    def __init__(
        self,
        tpu_config: TPUConfig | None = None,
        evaluation_master: str | None = None,
        master: str | None = None,
        cluster: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        # A session with TPUs sees the whole cluster, so the default with device filters is dropped.
        self._session_config = kwargs.get("session_config")
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        if master is not None and cluster is not None:
            raise ValueError("Both master and cluster are set.")
        if master is not None:
            self._master = master
        elif cluster:
            self._master = cluster.master()
        if evaluation_master is not None:
            self._evaluation_master = evaluation_master
        elif not self._evaluation_master and self.task_type != "evaluator":
            self._evaluation_master = self._master
        if cluster:
            self._set_cluster(cluster)

    def _set_cluster(self, cluster: Any) -> None:
        self._cluster_spec = cluster.cluster_spec()
        if self._session_config is None:
            self._session_config = tf1.ConfigProto(
                allow_soft_placement=True, isolate_session_state=True
            )
        if self._session_config.HasField("cluster_def"):
            raise ValueError("You cannot provide a ClusterResolver and session_config.cluster_def.")
        if self._cluster_spec:
            self._session_config.cluster_def.CopyFrom(self._cluster_spec.as_cluster_def())

    @property
    def evaluation_master(self) -> str:
        """Session target for evaluation."""
        return self._evaluation_master

    @property
    def master(self) -> str:
        """Session target for training."""
        return self._master

    @property
    def tpu_config(self) -> TPUConfig:
        """Settings of a TPU."""
        return self._tpu_config

    @property
    def cluster(self) -> Any:
        """Cluster resolver, or None."""
        return self._cluster

    def replace(self, **kwargs: Any) -> RunConfig:
        """Returns a copy with some settings replaced.

        Args:
          **kwargs: Arguments of `tf.estimator.RunConfig.replace`, and `tpu_config`.

        Returns:
          The copy.

        Raises:
          ValueError: If a setting cannot be replaced, or if a value is invalid.
        """
        tpu_config = kwargs.pop("tpu_config", self._tpu_config)
        new_config = super().replace(**kwargs)
        new_config._tpu_config = tpu_config
        return new_config


def _check_partition(dims: Any, per_host_input: Any, cores: int | None) -> None:
    if len(dims) not in (1, 2):
        raise ValueError("input_partition_dims must be a list/tuple with one or two elements.")
    if per_host_input is not InputPipelineConfig.PER_HOST_V2:
        raise ValueError("input_partition_dims is only supported in PER_HOST_V2 mode.")
    if cores is None:
        raise ValueError("input_partition_dims requires setting num_cores_per_replica.")


def _job_name() -> str | None:
    """Returns the job name of the TPU workers in TF_CONFIG's "service", or None."""
    environment = json.loads(os.environ.get(tf_config.VARIABLE) or "{}")
    name = environment.get("service", {}).get("tpu_worker_job_name")
    if name:
        tf1.logging.info("Load TPU job name from TF_CONFIG: %s", name)
    return name
