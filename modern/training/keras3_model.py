"""Keras 3 model that `fit` trains under every strategy of tf.distribute.

    class MyModel(keras3_model.Model):
        def make_train_function(self, force=False): ...

The `fit` of Keras 3 fails under MultiWorkerMirroredStrategy, where it averages the logs of the
replicas, and under ParameterServerStrategy, which it does not know.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from modern.process.chosen_keras import keras, tf_variable


class Model(keras.Model):
    """Keras 3 model whose `make_train_function` makes the function of an execution.

    The function takes an iterator. It runs `next_steps` steps and returns the logs, or lets a
    coordinator schedule them and returns a RemoteValue of the logs.

    Attributes:
      next_steps: The steps of the next execution. The last one of an epoch may have fewer than
        `steps_per_execution`.
    """

    next_steps = 1

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
        """Trains on data that are distributed already.

        Args:
          x: The data. Under ParameterServerStrategy, those of its workers.
          steps_per_epoch: The steps of an epoch.
          initial_epoch: The number of the first epoch.
          epochs: The number after the last one.
          callbacks: Callbacks. A coordinator calls them at the ends of epochs alone.
          verbose: As for `keras.Model.fit`.

        Returns:
          The logs of the epochs.
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
        run_epoch = self.epoch_runner()
        calls.on_train_begin()
        iterator, logs = iter(x), {}
        for epoch in range(initial_epoch, epochs):
            self.reset_metrics()
            calls.on_epoch_begin(epoch)
            logs = run_epoch(iterator, steps_per_epoch, calls)
            calls.on_epoch_end(epoch, logs)
            if self.stop_training:
                break
        calls.on_train_end(logs)
        return self.history

    def epoch_runner(self) -> Callable[[Any, int, Any], dict[str, float]]:
        """Returns a function that runs an epoch, and returns its logs.

        It takes the iterator of the data, the number of steps, and the callbacks.
        """
        run = self._of_coordinator if self._is_coordinated else self._in_this_task
        return functools.partial(run, self.make_train_function())

    @property
    def _is_coordinated(self) -> bool:
        strategy = self.distribute_strategy
        return isinstance(strategy, tf.distribute.ParameterServerStrategy)

    def _executions(self, steps: int) -> Sequence[int]:
        """Returns the number of steps of each execution of an epoch."""
        most = self.steps_per_execution
        return [min(most, steps - start) for start in range(0, steps, most)]

    def _in_this_task(
        self, execute: Callable[[Any], Any], iterator: Any, steps: int, calls: Any
    ) -> dict[str, float]:
        """Runs an epoch, and returns its logs."""
        logs: dict[str, float] = {}
        done = 0
        for number in self._executions(steps):
            self.next_steps = number
            calls.on_train_batch_begin(done)
            logs = _numbers(execute(iterator))
            done += number
            calls.on_train_batch_end(done - 1, logs)
            if self.stop_training:
                break
        return logs

    def _of_coordinator(
        self, execute: Callable[[Any], Any], iterator: Any, steps: int, calls: Any
    ) -> dict[str, float]:
        """Schedules an epoch, waits for its end, and returns its logs."""
        del calls
        for number in self._executions(steps):
            self.next_steps = number
            logs = execute(iterator)
            if self.stop_training:
                break
        tf.distribute.coordinator.ClusterCoordinator(self.distribute_strategy).join()
        return _numbers(logs.fetch())

    def note_loss(self, loss: tf.Tensor, examples: tf.Tensor) -> None:
        """Adds the mean loss of a replica's batch to the logs. Call it in a replica context."""
        tracker = next(metric for metric in self.metrics if metric.name == "loss")
        # `update_state` would read the sums from a parameter server, and then write them.
        examples = tf.cast(examples, loss.dtype)
        tf_variable(tracker.total).assign_add(loss * examples)
        tf_variable(tracker.count).assign_add(examples)


def _numbers(logs: dict[str, Any]) -> dict[str, float]:
    return {name: float(value) for name, value in logs.items()}
