"""tf.contrib.cluster_resolver: the addresses of a cluster's tasks.

resolver = cluster_resolver.TFConfigClusterResolver()
resolver.cluster_spec()
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from legacy.contrib import _missing

_resolvers = tf.distribute.cluster_resolver

ClusterResolver = _resolvers.ClusterResolver
GCEClusterResolver = _resolvers.GCEClusterResolver
KubernetesClusterResolver = _resolvers.KubernetesClusterResolver
SimpleClusterResolver = _resolvers.SimpleClusterResolver
SlurmClusterResolver = _resolvers.SlurmClusterResolver
TFConfigClusterResolver = _resolvers.TFConfigClusterResolver
UnionClusterResolver = _resolvers.UnionResolver


class TPUClusterResolver(ClusterResolver):
    """A resolver without a TPU, for programs that create one even when they run on CPUs or GPUs.

    It answers like a resolver of this process. If the program then asks for TPUs, by `use_tpu=True`
    or a TPUStrategy, that fails with instructions.

    Args:
      tpu: Name or address of the TPU. Not used, except for a warning.
      zone: Not used.
      project: Not used.
      job_name: Not used.
      coordinator_name: Not used.
      coordinator_address: Not used.
      credentials: Not used.
      service: Not used.
      discovery_url: Not used.
    """

    def __init__(
        self,
        tpu: Any = None,
        zone: str | None = None,
        project: str | None = None,
        job_name: str = "worker",
        coordinator_name: str | None = None,
        coordinator_address: str | None = None,
        credentials: Any = "default",
        service: Any = None,
        discovery_url: str | None = None,
    ) -> None:
        name = tf.compat.as_str_any(tpu[0] if isinstance(tpu, (list, tuple)) and tpu else tpu or "")
        if name not in ("", "local"):
            tf.compat.v1.logging.warning(
                "TPUs are not provided. The program runs on this machine instead of the TPU %r.",
                name,
            )
        self.task_type, self.task_id = None, None
        self._job_name = job_name

    def cluster_spec(self) -> None:
        """Returns None, because no cluster exists."""

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """Returns "", which is this process.

        Args:
          task_type: Not used.
          task_id: Not used.
          rpc_layer: Not used.
        """
        return ""

    def get_master(self) -> str:
        """Returns "", as `master` does."""
        return self.master()

    def get_job_name(self) -> str | None:
        """Returns None, because no job exists without a TPU."""
        return None

    @property
    def environment(self) -> str:
        """The name of the cloud environment: "", for none."""
        return ""

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """Returns a count of 0 TPU cores.

        Args:
          task_type: Not used.
          task_id: Not used.
          config_proto: Not used.
        """
        return {"TPU": 0}


class NamedTPUClusterResolver(TPUClusterResolver):
    """`tf.distribute.cluster_resolver.TPUClusterResolver` of TensorFlow 1.15. It requires a name.

    Programs that look for a TPU rely on the error.

    Args:
      tpu: Name or address of the TPU.
      *args: Arguments of `TPUClusterResolver`.
      **kwargs: Arguments of `TPUClusterResolver`.

    Raises:
      ValueError: `tpu` is None.
    """

    def __init__(self, tpu: Any = None, *args: Any, **kwargs: Any) -> None:
        if tpu is None:
            raise ValueError("Please provide a TPU Name to connect to.")
        super().__init__(tpu, *args, **kwargs)


__getattr__ = _missing.attribute_of("cluster_resolver")
