"""The data of a training, as arguments of the calls of `fit` that read them.

>>> import tensorflow as tf
>>> strategy = tf.distribute.get_strategy()
>>> data = FromStep(lambda step: tf.data.Dataset.range(step, 100), 10, strategy)
>>> with data.fits(start=4, max_steps=25) as fits:
...     [(call["initial_epoch"], call["epochs"], call["steps_per_epoch"]) for call in fits]
[(0, 1, 6), (1, 2, 10), (2, 3, 5)]
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from modern.process import chosen_keras, log_filters
from modern.process.chosen_keras import keras
from modern.training import seeds, strategies
from modern.training.data import batch_limits
from modern.training.data.resumable import Resumable, resumable
from modern.training.data.segments import Plan

# Part of a warning. A save traces its functions once for each variable, which is no mistake of the
# user.
_RETRACING = "triggered tf.function retracing"


class FromStep:
    """Data that a training can read from any step on, such as those of the documented jobs.

    Args:
      batches: Makes the data from a global step on, as `fit` takes them.
      steps_per_epoch: Steps in an epoch of Keras.
      strategy: The strategy of the model.
    """

    def __init__(
        self, batches: Callable[[int], Any], steps_per_epoch: int, strategy: tf.distribute.Strategy
    ) -> None:
        self._batches, self._steps_per_epoch = batches, steps_per_epoch
        self._strategy = strategy

    @contextlib.contextmanager
    def fits(self, start: int, max_steps: int | None) -> Iterator[Iterator[dict[str, Any]]]:
        """See `trainer.Input`. The data have no end, so `max_steps` is not None."""
        assert max_steps is not None
        if start >= max_steps:
            yield iter(())
            return
        plan = Plan(max_steps, self._steps_per_epoch)
        with resumable(self._batches(start), self._strategy) as data:
            yield _calls(data, plan, start)


def _calls(data: Any, plan: Plan, start: int) -> Iterator[dict[str, Any]]:
    """Yields the arguments of the calls of `fit` that follow a plan."""
    for initial_epoch, epochs, steps_per_epoch in plan.segments(start):
        yield {
            "x": data,
            "initial_epoch": initial_epoch,
            "epochs": epochs,
            "steps_per_epoch": steps_per_epoch,
        }


class FromStart:
    """Data that start from the beginning, like an Estimator's input function, and may end.

    A step takes a batch of each replica.

    Args:
      make: Makes the batches of a task.
      model: The model that is trained.
      workers: The number of a coordinator's workers. Each of them makes the batches.

    Attributes:
      data: The batches that this process has made.
    """

    def __init__(
        self, make: Callable[[], tf.data.Dataset], model: keras.Model, workers: int
    ) -> None:
        self._make, self._model, self._workers = make, model, workers
        self._strategy = model.distribute_strategy
        self._replicas = strategies.replicas_of_trainer(self._strategy)
        # With the seed of the process, an unseeded shuffle would draw the same batches on all
        # trainers.
        with seeds.of_this_trainer(self._strategy):
            self.data = make()

    @contextlib.contextmanager
    def fits(self, start: int, max_steps: int | None) -> Iterator[Iterator[dict[str, Any]]]:
        """See `trainer.Input`.

        Raises:
          ValueError: A coordinator has to know the last step, but neither `max_steps` nor the data
            give it.
        """
        steps = None if max_steps is None else max_steps - start
        if isinstance(self._strategy, tf.distribute.ParameterServerStrategy):
            total = self._coordinated_steps(steps)
            with log_filters.hidden(_RETRACING), self._on_workers() as data:
                yield _calls(data, Plan(total, batch_limits.epoch(total)), 0)
            return
        data, steps_per_epoch = batch_limits.limit_data(self.data, self._strategy, steps)
        if steps_per_epoch == 0:
            yield iter(())
            return
        with (
            batch_limits.ended_with_data(self._model, data),
            log_filters.hidden(log_filters.OF_UNKNOWN_LENGTH),
        ):
            share: Any = strategies.distribute_to_each(self._strategy, lambda: data)
            steps_of_fit: int | None = steps_per_epoch or -1
            if chosen_keras.version() == 3:
                # The fit of Keras 3 takes no other classes, and None for data that end.
                share = share() if isinstance(share, strategies.OwnShare) else share
                steps_of_fit = steps_per_epoch
            yield iter([{"x": share, "steps_per_epoch": steps_of_fit}])

    def _coordinated_steps(self, steps: int | None) -> int:
        total = batch_limits.coordinated_steps(self.data, self._workers, steps, self._replicas)
        if total is None:
            raise ValueError(
                "max_steps is None, but with parameter servers the coordinator needs it, because "
                "it cannot see the end of the workers' data: give train_and_evaluate max_steps."
            )
        return total

    def _on_workers(self) -> contextlib.AbstractContextManager[Resumable]:
        """Makes the batches of a coordinator's workers.

        A worker may take more or fewer steps than its share. If the data of one worker ended, the
        training would fail on all of them. So the data repeat.
        """
        data = strategies.distribute_to_each(self._strategy, lambda: self._make().repeat())
        return resumable(data, self._strategy)
