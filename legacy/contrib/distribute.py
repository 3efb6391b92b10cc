"""tf.contrib.distribute: the strategies of TensorFlow 1, as those of today's TensorFlow.

    strategy = distribute.MirroredStrategy(num_gpus=2)
    config = tf.estimator.RunConfig(train_distribute=strategy)

If the machine has fewer GPUs than requested, the strategy logs a warning and uses the existing
GPUs, or the CPU.
"""

from __future__ import annotations

import collections
import json
import os
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

tf1 = tf.compat.v1

CrossDeviceOps = tf1.distribute.CrossDeviceOps
DistributionStrategy = tf1.distribute.Strategy
ReplicaContext = tf1.distribute.ReplicaContext
get_distribution_strategy = get_strategy = tf1.distribute.get_strategy
get_loss_reduction = tf1.distribute.get_loss_reduction
get_replica_context = tf1.distribute.get_replica_context
has_distribution_strategy = has_strategy = tf1.distribute.has_strategy
in_cross_replica_context = tf1.distribute.in_cross_replica_context

_AUTO = tf1.distribute.experimental.CollectiveCommunication.AUTO


class DistributeConfig(
    collections.namedtuple(
        "DistributeConfig", ["train_distribute", "eval_distribute", "remote_cluster"]
    )
):
    """The argument of `RunConfig(experimental_distribute=...)`.

    Args:
      train_distribute: Strategy for training, or None.
      eval_distribute: Strategy for evaluation, or None.
      remote_cluster: Addresses of servers that run elsewhere, by task type, or None.
    """

    def __new__(
        cls, train_distribute: Any = None, eval_distribute: Any = None, remote_cluster: Any = None
    ) -> DistributeConfig:
        """Creates the configuration. See the class for the arguments."""
        return super().__new__(cls, train_distribute, eval_distribute, remote_cluster)


class MirroredStrategy(tf1.distribute.MirroredStrategy):
    """Copies of all variables on the GPUs of one machine, updated together.

    Args:
      devices: Devices to use. None is all GPUs, or the CPU if the machine has no GPU.
      num_gpus: Number of GPUs to use, instead of `devices`.
      num_gpus_per_worker: Another name of `num_gpus`.
      cross_device_ops: Method that sums gradients. None lets TensorFlow choose.
      auto_shard_dataset: Not used. Each worker reads the data that its input function returns.
      cross_tower_ops: The older name of `cross_device_ops`.

    Raises:
      ValueError: The arguments are mutually exclusive.
      AssertionError: `cross_device_ops` and `cross_tower_ops` are both set.
    """

    def __init__(
        self,
        devices: Sequence[str] | None = None,
        num_gpus: int | None = None,
        num_gpus_per_worker: int | None = None,
        cross_device_ops: Any = None,
        auto_shard_dataset: bool = False,
        cross_tower_ops: Any = None,
    ) -> None:
        if cross_device_ops is not None and cross_tower_ops is not None:
            raise AssertionError(
                "You cannot provide both `cross_tower_ops` and `cross_device_ops` arguments."
            )
        if num_gpus is not None and num_gpus_per_worker is not None:
            raise ValueError("You cannot set both `num_gpus` and `num_gpus_per_worker`.")
        count = num_gpus if num_gpus_per_worker is None else num_gpus_per_worker
        if devices is not None and count is not None:
            raise ValueError("Must only specify one of `devices` and `num_gpus`.")
        if count is not None:
            devices = [f"/gpu:{i}" for i in range(_gpus(count))] or ["/cpu:0"]
        super().__init__(devices, cross_device_ops=cross_device_ops or cross_tower_ops)


class OneDeviceStrategy(tf1.distribute.OneDeviceStrategy):
    """All variables and all computation on one device.

    Args:
      device: The device. A GPU is replaced by the CPU if the machine has no GPU.
    """

    def __init__(self, device: str) -> None:
        if "gpu" in device.lower() and not _gpus(1):
            device = "/cpu:0"
        super().__init__(device)


class CollectiveAllReduceStrategy(tf1.distribute.experimental.MultiWorkerMirroredStrategy):
    """Copies of all variables on all workers, updated together.

    Args:
      num_gpus_per_worker: Number of GPUs that each worker uses. 0 is the CPU.
      communication: Method by which workers sum gradients.
    """

    def __init__(self, num_gpus_per_worker: int = 0, communication: Any = _AUTO) -> None:
        super().__init__(communication, _Resolver(_gpus(num_gpus_per_worker)))


class ParameterServerStrategy(tf1.distribute.experimental.ParameterServerStrategy):
    """Variables on ps tasks, updated by each worker independently.

    Args:
      num_gpus_per_worker: Number of GPUs that each worker uses. 0 is the CPU.
    """

    def __init__(self, num_gpus_per_worker: int = 0) -> None:
        super().__init__(_Resolver(_gpus(num_gpus_per_worker)))


class TPUStrategy(tf1.distribute.Strategy):
    """Placeholder whose constructor raises an error: TPUs of that era required another TensorFlow.

    Args:
      tpu_cluster_resolver: Not used.
      steps_per_run: Not used.
      device_assignment: Not used.

    Raises:
      NotImplementedError: Always.
    """

    def __init__(
        self,
        tpu_cluster_resolver: Any = None,
        steps_per_run: int | None = None,
        device_assignment: Any = None,
    ) -> None:
        _missing.refuse("distribute.TPUStrategy")


def initialize_tpu_system(cluster_resolver: Any = None) -> None:
    """Raises an error, as `TPUStrategy` does.

    Args:
      cluster_resolver: Not used.

    Raises:
      NotImplementedError: Always.
    """
    _missing.refuse("distribute.initialize_tpu_system")


def AllReduceCrossDeviceOps(  # noqa: N802
    all_reduce_alg: str = "nccl",
    num_packs: int = 1,
    agg_small_grads_max_bytes: int = 0,
    agg_small_grads_max_group: int = 10,
) -> tf1.distribute.CrossDeviceOps:
    """Returns the cross-device ops that sum gradients among the devices of a machine.

    Args:
      all_reduce_alg: "nccl" or "hierarchical_copy".
      num_packs: Number of packs into which gradients are split for the transfer.
      agg_small_grads_max_bytes: Not used.
      agg_small_grads_max_group: Not used.

    Returns:
      `NcclAllReduce` or `HierarchicalCopyAllReduce`. Without a GPU, `ReductionToOneDevice`.
    """
    if not tf.config.list_physical_devices("GPU"):
        return tf1.distribute.ReductionToOneDevice()
    if all_reduce_alg == "nccl":
        return tf1.distribute.NcclAllReduce(num_packs)
    return tf1.distribute.HierarchicalCopyAllReduce(num_packs)


def run_standard_tensorflow_server(session_config: Any = None) -> tf.distribute.Server:
    """Starts the server of the task that TF_CONFIG names, for a client in another process.

    Args:
      session_config: ConfigProto of the server.

    Returns:
      The started server. `join()` blocks forever.

    Raises:
      ValueError: TF_CONFIG does not name the cluster, the task, or a chief or worker job.
    """
    tf_config = json.loads(os.environ.get("TF_CONFIG") or "{}")
    task = tf_config.get("task", {})
    for part, where, name in (
        (tf_config, "TF_CONFIG", "cluster"),
        (tf_config, "TF_CONFIG", "task"),
        (task, "the `task` part of TF_CONFIG", "type"),
    ):
        if name not in part:
            raise ValueError(f'"{name}" is not found in {where}.')
    cluster = tf.train.ClusterSpec(tf_config["cluster"])
    leader = next((name for name in ("chief", "worker") if name in cluster.jobs), None)
    if leader is None:
        raise ValueError("You must have `chief` or `worker` jobs in the `cluster_spec`.")
    config = tf1.ConfigProto()
    if session_config is not None:
        config.CopyFrom(session_config)
    # The first task of this job coordinates the collective operations.
    config.experimental.collective_group_leader = f"/job:{leader}/replica:0/task:0"
    return tf.distribute.Server(
        cluster,
        job_name=task["type"],
        task_index=int(task.get("index", 0)),
        protocol=tf_config.get("rpc_layer", "grpc"),
        config=config,
    )


class _Resolver(tf.distribute.cluster_resolver.TFConfigClusterResolver):
    """The cluster of TF_CONFIG, with a fixed number of GPUs in each task."""

    def __init__(self, gpus: int) -> None:
        super().__init__()
        self._gpus = gpus

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        return {"GPU": self._gpus} if self._gpus else {}


def _gpus(num_gpus: int) -> int:
    """Returns the number of usable GPUs, and logs a warning if it is below `num_gpus`."""
    num_usable = len(tf.config.list_physical_devices("GPU"))
    if num_gpus > num_usable:
        tf1.logging.warning(
            "%d GPUs are asked for and there are %d: %s.",
            num_gpus,
            num_usable,
            "these are used" if num_usable else "the CPU is used",
        )
    return min(num_gpus, num_usable)


__getattr__ = _missing.attribute_of("distribute")
