"""Data that each call of `fit` reads on from where the call before it stopped.

>>> import tensorflow as tf
>>> with resumable(tf.data.Dataset.range(5), tf.distribute.get_strategy()) as data:
...     first, second = iter(data), iter(data)
...     int(next(first)), int(next(second))
(0, 1)

Keras makes the iterators again in each call. The pipelines would start again, on a coordinator
those of all workers, and read a second time all that the calls before have read.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from modern.training.strategies import OnEachWorker


class Resumable(tf.distribute.DistributedDataset):
    """Data with one iterator for all readers.

    Args:
      data: Data of this process, or the data of a coordinator's workers.
    """

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


@contextlib.contextmanager
def resumable(data: Any, strategy: tf.distribute.Strategy) -> Iterator[Resumable]:
    """Makes data resumable while the block runs.

    Args:
      data: Data as `fit` takes them under the strategy.
      strategy: The strategy of the model.
    """
    if not isinstance(strategy, tf.distribute.ParameterServerStrategy):
        yield Resumable(data)
        return
    # A strategy has only one coordinator, so this is the one that `fit` uses.
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
    make = coordinator.create_per_worker_dataset
    if isinstance(data, OnEachWorker):
        data = functools.partial(strategy.distribute_datasets_from_function, data)
    on_workers = Resumable(make(data))

    def make_once(data: Any) -> Any:
        return on_workers if data is on_workers else make(data)

    # `fit` passes its data to this method. No public way lets it use workers' data that exist.
    vars(coordinator)["create_per_worker_dataset"] = make_once
    try:
        yield on_workers
    finally:
        del vars(coordinator)["create_per_worker_dataset"]
