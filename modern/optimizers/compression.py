"""Gradient compression: 16-bit floats halve the traffic between tasks, at a loss of precision.

    python -m modern.train --gradient_compression=bfloat16 --strategy=multi_worker_mirrored ...

The weights and the optimizer stay float32. bfloat16 has the range of float32 with 8 significant
bits. float16 has 11 bits but overflows above 65,504. Compression is off by default, because its
results differ from those of an uncompressed run by more than rounding.
"""

from __future__ import annotations

import tensorflow as tf


def all_reduce(gradients: list[tf.Tensor], dtype: str) -> list[tf.Tensor]:
    """Sums gradients over all replicas, sent as `dtype`. Call it in a replica context.

    Args:
      gradients: Dense float32 tensors, the same on every replica.
      dtype: "bfloat16" or "float16".

    Returns:
      The float32 sums, for `apply_gradients(..., experimental_aggregate_gradients=False)`.
    """
    replica = tf.distribute.get_replica_context()
    narrow = [tf.cast(gradient, dtype) for gradient in gradients]
    sums = replica.all_reduce(tf.distribute.ReduceOp.SUM, narrow)
    return [tf.cast(total, tf.float32) for total in sums]


def send_to_variables(
    gradients: list[tf.Tensor], variables: list[tf.Variable], dtype: str
) -> list[tf.Tensor]:
    """Moves each gradient to the device of its variable as `dtype`, and casts it to float32 there.

    For ParameterServerStrategy, under which the parameter server that holds a variable updates it.

    Args:
      gradients: Dense float32 tensors.
      variables: The variable of each gradient.
      dtype: "bfloat16" or "float16".

    Returns:
      float32 gradients, each on the device of its variable.
    """
    outputs = []
    for gradient, variable in zip(gradients, variables, strict=True):
        narrow = tf.cast(gradient, dtype)
        with tf.device(variable.device):
            outputs.append(tf.cast(narrow, tf.float32))
    return outputs
