"""Keras 3 model that the engine trains on JAX or torch, in one process.

    class MyModel(batchwise_model.Model):
        def train_batch(self, batch): ...

These backends know neither tf.distribute nor the graphs of TensorFlow. So the batches still come
from tf.data, and Keras trains each of them by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from modern.training import keras3_model


class Model(keras3_model.Model):
    """Keras 3 model whose `fit` calls `train_batch` for each step.

    Args:
      *args: As for `keras.Model`.
      **kwargs: As for `keras.Model`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_step = threading.Lock()

    @property
    def distribute_strategy(self) -> tf.distribute.Strategy:
        """The strategy of one process, for the engine."""
        return tf.distribute.get_strategy()

    def step(self) -> int:
        """Returns the number of steps that the model has been trained for.

        Any thread may call it. A step of JAX deletes the arrays that it replaces, so this waits for
        the end of a step.
        """
        with self._in_step:
            return int(self.optimizer.iterations.numpy())

    def train_batch(self, batch: Any) -> dict[str, float]:
        """Trains on one batch, and returns its logs.

        Args:
          batch: An element of the data, with tensors of TensorFlow.
        """
        raise NotImplementedError

    def epoch_runner(self) -> Callable[[Any, int, Any], dict[str, float]]:
        """Returns a function that trains an epoch batch by batch."""
        return self._batch_by_batch

    def _batch_by_batch(self, batches: Any, steps: int, calls: Any) -> dict[str, float]:
        """Trains an epoch, and returns the mean of its losses."""
        logs: dict[str, float] = {}
        losses = []
        for step in range(steps):
            calls.on_train_batch_begin(step)
            batch = next(batches)
            with self._in_step:
                losses.append(self.train_batch(batch)["loss"])
            logs = {"loss": sum(losses) / len(losses)}
            calls.on_train_batch_end(step, logs)
            if self.stop_training:
                break
        return logs
