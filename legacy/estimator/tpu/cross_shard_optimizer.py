"""CrossShardOptimizer for CPUs and GPUs.

    optimizer = CrossShardOptimizer(tf.compat.v1.train.AdamOptimizer(1e-4))
    train_op = optimizer.minimize(loss, tf.compat.v1.train.get_global_step())

TensorFlow's class sums gradients over the cores of a TPU with an operation that CPUs and GPUs do
not have. Models that always wrap their optimizer in it therefore do not run there. Here the wrapped
optimizer does all the work. Variables and slots keep the same names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class CrossShardOptimizer(tf1.tpu.CrossShardOptimizer):
    """Wraps an optimizer of `tf.compat.v1.train` without changing its gradients.

    Args:
      opt: Optimizer to wrap.
      reduction: `tf.compat.v1.losses.Reduction.MEAN` or `SUM`. With a single shard, both are equal.
      name: Name of the optimizer.
      group_assignment: For TPUs only.

    Raises:
      ValueError: If the reduction is neither of the two.
      TypeError: If `opt` is not an optimizer of `tf.compat.v1.train`.
    """

    def compute_gradients(
        self, loss: tf.Tensor, var_list: Iterable[Any] | None = None, **kwargs: Any
    ) -> list[tuple[Any, Any]]:
        """Returns the gradients of the wrapped optimizer.

        Args:
          loss: Loss, a scalar tensor.
          var_list: Variables. None means all trainable variables.
          **kwargs: Arguments of the wrapped optimizer's method.

        Returns:
          Pairs (gradient, variable).
        """
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Iterable[Any], global_step: Any = None, name: str | None = None
    ) -> Any:
        """Applies gradients with the wrapped optimizer.

        Args:
          grads_and_vars: Pairs (gradient, variable).
          global_step: Variable to increment, or None.
          name: Name of the operation.

        Returns:
          The operation.
        """
        return self._opt.apply_gradients(grads_and_vars, global_step, name)
