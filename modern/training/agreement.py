"""Decisions that all workers of a synchronous training make together.

>>> import tensorflow as tf
>>> Agreement(tf.distribute.get_strategy()).any_of([False, True])
[False, True]

If a worker stops or saves by itself, the others wait for it in their next all-reduce.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import tensorflow as tf


class Agreement:
    """Shares the wishes and values of each worker with all workers.

    All workers make the same calls in the same order. Each call is one exchange over the network.

    Args:
      strategy: The strategy of the training. Only the workers of MultiWorkerMirroredStrategy must
        agree. Under other strategies nothing is exchanged.

    Attributes:
      is_needed: Whether the strategy has workers that must agree.
    """

    def __init__(self, strategy: tf.distribute.Strategy) -> None:
        self._strategy = strategy
        self.is_needed = isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy)

    def any_of(self, wishes: Sequence[bool]) -> list[bool]:
        """Returns for each wish whether any worker has it."""
        table = self.of_all([int(wish) for wish in wishes])
        return [bool(column.any()) for column in table.T]

    def of_all(self, values: Sequence[int]) -> np.ndarray:
        """Returns the values of all workers, (replicas, len(values)) int64."""
        own_values = np.array([values], np.int64)
        return self._gather(tf.constant(own_values)).numpy() if self.is_needed else own_values

    @tf.function
    def _gather(self, own_values: tf.Tensor) -> tf.Tensor:
        # `gather` takes the values of replicas, which `run` returns.
        values = self._strategy.run(lambda: tf.identity(own_values))
        return self._strategy.gather(values, axis=0)
