"""The data of a training, as arguments of the calls of `fit` that read them.

>>> import tensorflow as tf
>>> data = FromStep(lambda step: tf.data.Dataset.range(step, 100), steps_per_epoch=10)
>>> with data.fits(start=4, max_steps=25) as fits:
...     [(call["initial_epoch"], call["epochs"], call["steps_per_epoch"]) for call in fits]
[(0, 1, 6), (1, 2, 10), (2, 3, 5)]
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
import tf_keras

from modern.process import log_filters
from modern.training import batch_limits, seeds, strategies
from modern.training.segments import Plan

# Part of a warning. A save traces its functions once for each variable, which is no mistake of the
# user.
_RETRACING = "triggered tf.function retracing"


class FromStep:
    """Data that a training can read from any step on, such as those of the documented jobs.

    Args:
      batches: Makes the data from a global step on, as `fit` takes them.
      steps_per_epoch: Steps in an epoch of Keras.
      is_read_here: Whether this process reads them. If not, a coordinator's workers make them again
        for each call of `fit`.
    """

    def __init__(
        self, batches: Callable[[int], Any], steps_per_epoch: int, is_read_here: bool = True
    ) -> None:
        self._batches, self._steps_per_epoch = batches, steps_per_epoch
        self._is_read_here = is_read_here

    @contextlib.contextmanager
    def fits(self, start: int, max_steps: int | None) -> Iterator[Iterator[dict[str, Any]]]:
        """See `trainer.Input`. The data have no end, so `max_steps` is not None."""
        assert max_steps is not None
        yield self._calls(start, max_steps)

    def _calls(self, start: int, max_steps: int) -> Iterator[dict[str, Any]]:
        step, resumable = start, None
        if self._is_read_here and start < max_steps:
            # One iterator for all calls of `fit`, so that the pipeline is started only once.
            resumable = _Resumable(self._batches(start))
        for initial_epoch, epochs, steps in Plan(max_steps, self._steps_per_epoch).segments(start):
            yield {
                "x": resumable or self._batches(step),
                "initial_epoch": initial_epoch,
                "epochs": epochs,
                "steps_per_epoch": steps,
            }
            step += (epochs - initial_epoch) * steps


class _Resumable(tf.distribute.DistributedDataset):
    """Data that continue where the last call of `fit` stopped reading them."""

    def __init__(self, data: Any) -> None:
        self._data, self._iterator = data, None

    def __iter__(self) -> Any:
        if self._iterator is None:
            self._iterator = iter(self._data)
        return self._iterator

    @property
    def element_spec(self) -> Any:
        """The specs of the batch that a replica gets in a step."""
        return self._data.element_spec


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
        self, make: Callable[[], tf.data.Dataset], model: tf_keras.Model, workers: int
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
            with log_filters.hidden(_RETRACING):
                yield self._coordinated(steps)
            return
        data, steps_per_epoch = batch_limits.limit_data(self.data, self._strategy, steps)
        if steps_per_epoch == 0:
            yield iter(())
            return
        with (
            batch_limits.ended_with_data(self._model, data),
            log_filters.hidden(log_filters.OF_UNKNOWN_LENGTH),
        ):
            yield iter(
                [
                    {
                        "x": strategies.distribute_to_each(self._strategy, lambda: data),
                        "steps_per_epoch": steps_per_epoch or -1,
                    }
                ]
            )

    def _coordinated(self, steps: int | None) -> Iterator[dict[str, Any]]:
        """Yields the calls of a coordinator, whose workers make the data."""
        total = batch_limits.coordinated_steps(self.data, self._workers, steps, self._replicas)
        if total is None:
            raise ValueError(
                "max_steps is None, but with parameter servers the coordinator needs it, because "
                "it cannot see the end of the workers' data: give train_and_evaluate max_steps."
            )
        steps_done = 0
        for first, last, steps_per_epoch in Plan(total, batch_limits.epoch(total)).segments(0):
            yield {
                "x": strategies.distribute_to_each(self._strategy, self._from(steps_done)),
                "initial_epoch": first,
                "epochs": last,
                "steps_per_epoch": steps_per_epoch,
            }
            steps_done += (last - first) * steps_per_epoch

    def _from(self, steps_done: int) -> Callable[[], tf.data.Dataset]:
        """Returns a function that makes the batches of a worker from a step of all workers on.

        A worker may take more or fewer steps than its share. If the data of one worker ended, the
        training would fail on all of them. So the data repeat.
        """
        return lambda: self._make().repeat().skip(steps_done // self._workers * self._replicas)
