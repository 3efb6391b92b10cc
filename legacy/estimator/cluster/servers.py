"""The TensorFlow server of this process. Trainings of one cluster and task share a server."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.cluster.roles import CHIEF_TYPES
from modern.cluster import health, tf_config
from modern.process import library_pages, malloc

if TYPE_CHECKING:
    from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

_SERVERS: dict[tuple[Any, ...], tf1.train.Server] = {}


def get(config: RunConfig) -> tf1.train.Server:
    """Returns the running server of this task.

    Args:
      config: The RunConfig with the cluster, the task, the protocol and the session config.

    Returns:
      The server. A later call in this process for the same task returns the same server, because
      a port can be bound only once. Successive trainings share it.

    Raises:
      tf_config.TFConfigError: The port is taken.
      tf.errors.OpError: The server cannot start for another reason.
    """
    key = _key(config)
    if key not in _SERVERS:
        tf1.logging.info("Start Tensorflow server.")
        malloc.tune()
        address = config.cluster_spec.task_address(config.task_type, config.task_id)
        with tf_config.server_start(f"{config.task_type}-{config.task_id}", address):
            server = tf1.train.Server(
                config.cluster_spec,
                job_name=config.task_type,
                task_index=config.task_id,
                protocol=config.protocol,
                config=_server_config(config),
                start=False,
            )
            server.start()
        library_pages.release()
        _SERVERS[key] = server
    return _SERVERS[key]


def _server_config(config: RunConfig) -> Any:
    """Returns the server's ConfigProto, with the strategy's settings for collective operations."""
    if config.train_distribute is None:
        return config.session_config
    session_config = tf1.ConfigProto()
    if config.session_config is not None:
        session_config.CopyFrom(config.session_config)
    session_config = config.train_distribute.update_config_proto(session_config)
    # Each session sets its own device filters, because other strategies may use this server.
    del session_config.device_filters[:]
    return session_config


def serve(config: RunConfig) -> None:
    """Starts this task's server, unless a strategy already started one when it was constructed.

    Args:
      config: The RunConfig.

    Raises:
      tf.errors.OpError: The server cannot start.
    """
    own_address = config.cluster_spec.task_address(config.task_type, config.task_id)
    if config.train_distribute is None or is_started(config) or not health.accepts(own_address):
        get(config)


def start_for_training(config: RunConfig) -> None:
    """Starts a trainer's server before it trains, so that other tasks can connect to it.

    Args:
      config: The RunConfig of a trainer.

    Raises:
      RuntimeError: The cluster, the task or the master is missing.
      tf.errors.OpError: The server cannot start.
    """
    if json.loads(os.environ.get(tf_config.VARIABLE) or "{}").get("environment") == "google":
        return  # The platform has already started the server.
    check(config)
    if config.master:
        serve(config)


def check(config: RunConfig) -> None:
    """Checks that a config has all settings that this task needs in its cluster.

    Args:
      config: The RunConfig of a trainer or a ps.

    Raises:
      RuntimeError: The cluster, the task or the master is missing. A trainer that is the only task
        of its cluster needs no master, because it needs no server.
    """
    required = {"cluster_spec": config.cluster_spec, "task_type": config.task_type}
    missing = [name for name, value in required.items() if not value]
    if config.task_id is None:
        missing.append("task_id")
    if not missing and not config.master and not _is_alone(config):
        missing.append("master")
    if missing:
        raise RuntimeError(
            f"Could not start server; be sure to specify {', '.join(missing)} in RunConfig or set "
            "the TF_CONFIG environment variable."
        )


def _is_alone(config: RunConfig) -> bool:
    jobs = config.cluster_spec.as_dict()
    return sum(map(len, jobs.values())) == 1 and config.task_type in (*CHIEF_TYPES, "worker")


def is_started(config: RunConfig) -> bool:
    """Returns whether this process has already started the task's server.

    Args:
      config: The RunConfig.
    """
    return _key(config) in _SERVERS


def chief_job(config: RunConfig) -> str:
    """Returns the task type of the chief: "chief", "master", or "worker" in a cluster without one.

    Under a strategy, a cluster may have no chief. Worker 0 then does the chief's work.

    Args:
      config: The RunConfig of a task of a cluster.
    """
    return next((job for job in CHIEF_TYPES if job in config.cluster_spec.jobs), "worker")


def chief_address(config: RunConfig) -> str:
    """Returns the address of the chief.

    Args:
      config: The RunConfig of a task of a cluster.
    """
    return config.cluster_spec.task_address(chief_job(config), 0)


def addresses_of(config: RunConfig, *jobs: str) -> dict[str, str]:
    """Returns the addresses of tasks by their names, such as "ps-0".

    Args:
      config: The RunConfig of a task of a cluster.
      *jobs: Task types. Types that the cluster does not have are skipped.
    """
    spec = config.cluster_spec
    return {
        f"{job}-{index}": spec.task_address(job, index)
        for job in jobs
        if job in spec.jobs
        for index in spec.task_indices(job)
    }


def trainers(config: RunConfig) -> dict[str, str]:
    """Returns the addresses of the tasks that train, by their names.

    Args:
      config: The RunConfig of a task of a cluster.
    """
    return addresses_of(config, *CHIEF_TYPES, "worker")


def device(config: RunConfig) -> str:
    """Returns the device name of this task, such as "/job:worker/task:1".

    Args:
      config: The RunConfig of a task of a cluster.
    """
    return f"/job:{config.task_type}/task:{config.task_id}"


def required_tasks(config: RunConfig) -> dict[str, str]:
    """Returns the addresses of the tasks without which a trainer makes no step, by their names.

    Args:
      config: The RunConfig of a trainer.
    """
    own_name = f"{config.task_type}-{config.task_id}"
    tasks = addresses_of(config, "ps") if config.num_ps_replicas else trainers(config)
    return {name: address for name, address in tasks.items() if name != own_name}


def _key(config: RunConfig) -> tuple[Any, ...]:
    cluster = config.cluster_spec.as_cluster_def().SerializeToString(deterministic=True)
    task = config.task_type, config.task_id
    # The key includes the class, because test suites replace `tf.compat.v1.train.Server`.
    return tf1.train.Server, cluster, *task, config.protocol or "grpc"
