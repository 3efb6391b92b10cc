"""Keras 3 model that the engine trains on JAX or torch, in one process.

    class MyModel(batchwise_model.Model):
        def train_batch(self, batch): ...

These backends know neither tf.distribute nor the graphs of TensorFlow. So the batches still come
from tf.data, and Keras trains each of them by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras


class Model(keras.Model):
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

    def fit(
        self,
        x: Any,
        *,
        steps_per_epoch: int,
        initial_epoch: int = 0,
        epochs: int = 1,
        callbacks: Sequence[keras.callbacks.Callback] = (),
        verbose: int = 0,
    ) -> keras.callbacks.History:
        """Trains batch by batch.

        Args:
          x: The data. They have a batch for each step.
          steps_per_epoch: The steps of an epoch.
          initial_epoch: The number of the first epoch.
          epochs: The number after the last one.
          callbacks: Callbacks of Keras.
          verbose: As for `keras.Model.fit`.

        Returns:
          The logs of the epochs. The loss is the mean of the epoch.
        """
        calls = keras.callbacks.CallbackList(
            [*callbacks],
            add_history=True,
            add_progbar=verbose != 0,
            model=self,
            verbose=verbose,
            epochs=epochs,
            steps=steps_per_epoch,
        )
        self.stop_training = False
        calls.on_train_begin()
        batches, logs = iter(x), {}
        for epoch in range(initial_epoch, epochs):
            calls.on_epoch_begin(epoch)
            losses = []
            for step in range(steps_per_epoch):
                calls.on_train_batch_begin(step)
                batch = next(batches)
                with self._in_step:
                    losses.append(self.train_batch(batch)["loss"])
                logs = {"loss": sum(losses) / len(losses)}
                calls.on_train_batch_end(step, logs)
                if self.stop_training:
                    break
            calls.on_epoch_end(epoch, logs)
            if self.stop_training:
                break
        calls.on_train_end(logs)
        return self.history
