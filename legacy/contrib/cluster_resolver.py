"""tf.contrib.cluster_resolver: where the tasks of a cluster are.

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
    """No TPU: programs make one of these also where they run without.

    Args:
      tpu: "" or None, or "local"; a TPU's name or address is refused.
      zone: Not used.
      project: Not used.
      job_name: Not used.
      coordinator_name: Not used.
      coordinator_address: Not used.
      credentials: Not used.
      service: Not used.
      discovery_url: Not used.

    Raises:
      NotImplementedError: A TPU is named.
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
        if tf.compat.as_str_any(tpu or "") not in ("", "local"):
            _missing.refuse("cluster_resolver.TPUClusterResolver")
        self.task_type, self.task_id = None, None
        self._job_name = job_name

    def cluster_spec(self) -> None:
        """Returns None: there is no cluster."""

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """Returns "": this process.

        Args:
          task_type: Not used.
          task_id: Not used.
          rpc_layer: Not used.
        """
        return ""

    def get_master(self) -> str:
        """Returns "", as `master`."""
        return self.master()

    def get_job_name(self) -> str | None:
        """Returns None: without a TPU there is no job."""
        return None

    @property
    def environment(self) -> str:
        """No cloud."""
        return ""

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """Returns that there is no TPU core.

        Args:
          task_type: Not used.
          task_id: Not used.
          config_proto: Not used.
        """
        return {"TPU": 0}


__getattr__ = _missing.attribute_of("cluster_resolver")
