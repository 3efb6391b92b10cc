"""How canned models of the v1 API cut their variables for the parameter servers.

>>> from legacy.estimator.run_config import RunConfig
>>> of_input_layer(RunConfig())(shape=tf.TensorShape([1000, 16]), dtype=tf.float32)
[1, 1]
"""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

_INPUT_SLICE = 64 << 20


def of_hidden_layers(config: RunConfig | None) -> Callable[..., list[int]]:
    """Returns the partitioner of hidden layers: slices of 256 KiB or more, one per server at most.

    Args:
      config: Its `num_ps_replicas` is how many servers there are; None: none.
    """
    return tf1.min_max_variable_partitioner(max_partitions=_servers(config))


def of_input_layer(config: RunConfig | None) -> Callable[..., list[int]]:
    """Returns the partitioner of input layers: slices of 64 MiB or more, one per server at most.

    Args:
      config: Its `num_ps_replicas` is how many servers there are; None: none.
    """
    return tf1.min_max_variable_partitioner(
        max_partitions=_servers(config), min_slice_size=_INPUT_SLICE
    )


def _servers(config: RunConfig | None) -> int:
    return config.num_ps_replicas if config else 0
