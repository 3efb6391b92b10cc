"""CrossShardOptimizer that also works where there are no shards.

    optimizer = CrossShardOptimizer(tf.compat.v1.train.AdamOptimizer(1e-4))
    train_op = optimizer.minimize(loss, tf.compat.v1.train.get_global_step())

TensorFlow's own adds up gradients over the cores of a TPU by an operation that CPUs and GPUs do not
have, so that a model which wraps its optimizer in every case does not run on them. Here the wrapped
optimizer does the work alone; variables and slots have the same names.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1


class CrossShardOptimizer(tf1.tpu.CrossShardOptimizer):
    """Wraps an optimizer of `tf.compat.v1.train`, and leaves its gradients as they are.

    Args:
      opt: The optimizer.
      reduction: `tf.compat.v1.losses.Reduction.MEAN` or `SUM`: over one shard, the same.
      name: The optimizer's name.
      group_assignment: For TPUs only.

    Raises:
      ValueError: It is another reduction.
      TypeError: `opt` is another optimizer.
    """

    def compute_gradients(
        self, loss: tf.Tensor, var_list: Iterable[Any] | None = None, **kwargs: Any
    ) -> list[tuple[Any, Any]]:
        """Returns the wrapped optimizer's gradients.

        Args:
          loss: The loss, a scalar tensor.
          var_list: The variables; None is all that are trainable.
          **kwargs: As in the wrapped optimizer's.

        Returns:
          Pairs (gradient, variable).
        """
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Iterable[Any], global_step: Any = None, name: str | None = None
    ) -> Any:
        """Lets the wrapped optimizer apply gradients.

        Args:
          grads_and_vars: Pairs (gradient, variable).
          global_step: A variable to increment, or None.
          name: The operation's name.

        Returns:
          The operation.
        """
        return self._opt.apply_gradients(grads_and_vars, global_step, name)
