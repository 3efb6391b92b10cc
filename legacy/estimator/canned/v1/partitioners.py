"""Partitioners of the v1 canned models, which split variables over the parameter servers.

>>> from legacy.estimator.run_config import RunConfig
>>> of_input_layer(RunConfig())(shape=tf.TensorShape([1000, 16]), dtype=tf.float32)
[1, 1]
"""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

_INPUT_SLICE = 64 << 20  # 64 MiB.


def of_hidden_layers(config: RunConfig | None) -> Callable[..., list[int]]:
    """Returns the partitioner of hidden layers.

    It creates slices of at least 256 KiB, at most one per parameter server.

    Args:
      config: A `RunConfig` with `num_ps_replicas`, the number of servers. None means no servers.
    """
    return tf1.min_max_variable_partitioner(max_partitions=_servers(config))


def of_input_layer(config: RunConfig | None) -> Callable[..., list[int]]:
    """Returns the partitioner of input layers.

    It creates slices of at least 64 MiB, at most one per parameter server.

    Args:
      config: A `RunConfig` with `num_ps_replicas`, the number of servers. None means no servers.
    """
    return tf1.min_max_variable_partitioner(
        max_partitions=_servers(config), min_slice_size=_INPUT_SLICE
    )


def _servers(config: RunConfig | None) -> int:
    return config.num_ps_replicas if config else 0
