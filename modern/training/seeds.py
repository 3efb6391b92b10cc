"""Random numbers that differ between the trainers of one training.

>>> of_trainer(7, trainer=0), of_trainer(7, trainer=1) == of_trainer(7, trainer=2)
(7, False)

All processes of a cluster run the same program, so they set the same seed. With it an unseeded
`shuffle` draws the same batches in each of them, and dropout has the same masks: N machines do the
work of one. An Estimator without `tf_random_seed` had other batches and masks in each process.

Operations that have a seed themselves are left alone in the input: after `shuffle(n, seed=3)` each
trainer can take its share of one common order.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import tensorflow as tf
from absl import logging

from modern.training import strategies

_SEEDS = 2**31 - 1  # TensorFlow's operations take a seed modulo this.


def of_trainer(seed: int, trainer: int, draw: int = 0) -> int:
    """Returns the seed of one trainer.

    Args:
      seed: The seed of the training.
      trainer: The index of the trainer.
      draw: Any number; another one gives another seed.

    Returns:
      The seed itself for trainer 0, so that training alone has it.
    """
    if not trainer:
        return seed
    digest = hashlib.sha256(f"{seed} {trainer} {draw}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % _SEEDS


def seed_python(strategy: tf.distribute.Strategy, seed: int) -> None:
    """Gives Python's and numpy's random numbers the seed of this trainer; the first keeps its own.

    Args:
      strategy: The strategy of the training.
      seed: The seed that they have been given in all processes.
    """
    own = of_trainer(seed, strategies.first_replica(strategy))
    if own != seed:
        random.seed(own)
        np.random.seed(own)


@contextlib.contextmanager
def of_this_trainer(strategy: tf.distribute.Strategy) -> Iterator[None]:
    """While the block makes input and traces steps, these have random numbers of this trainer.

    Enter it after the initial weights are made, which are the same for all. It does nothing where
    no global seed is set, in the first trainer, in a process that trains alone, and when entered
    again.

    Under ParameterServerStrategy the workers run one traced function, whose seeds are the same for
    all. There the block has no global seed, and each worker draws a seed itself: which worker takes
    which step is left to chance in any case.

    Args:
      strategy: The strategy of the training.
    """
    trainer = 0 if _rings else strategies.first_replica(strategy)
    seed = global_seed() if trainer or _serves_several(strategy) else None
    if seed is None:
        yield
        return
    try:
        if trainer:
            with _Ring(seed, trainer).active():
                yield
        else:
            tf.random.set_seed(None)
            if _is_determinism_on():
                tf.random.set_seed(seed)
                logging.log_first_n(
                    logging.WARNING,
                    "Deterministic operations have a seed, and all workers have the same one under "
                    "ParameterServerStrategy: unseeded shuffles and dropout draw the same numbers "
                    "on each of them. Train with one worker, or without determinism.",
                    1,
                )
            yield
    finally:
        tf.random.set_seed(seed)


def of_all_trainers() -> contextlib.AbstractContextManager[None]:
    """Returns a context in which unseeded operations are the same in all trainers.

    For data of which TensorFlow gives each trainer a share, which must be in one order for all.
    """
    return _rings[-1].common() if _rings else contextlib.nullcontext()


def global_seed() -> int | None:
    """Returns the global seed of TensorFlow; None if none is set."""
    found = []

    @tf.function
    def look() -> None:  # In a graph, where asking does not draw from the seed.
        with contextlib.suppress(RuntimeError):  # Determinism is on, and there is no seed.
            found.append(tf.compat.v1.get_seed(None)[0])

    look.get_concrete_function()
    return found[0] if found else None


def _is_determinism_on() -> bool:
    """Returns whether operations without a seed are refused; where no global seed is set."""
    try:
        tf.compat.v1.get_seed(None)
    except RuntimeError:
        return True
    return False


def _serves_several(strategy: tf.distribute.Strategy) -> bool:
    if not isinstance(strategy, tf.distribute.ParameterServerStrategy):
        return False
    devices = [tf.DeviceSpec.from_string(one.name) for one in tf.config.list_logical_devices()]
    return len({device.task for device in devices if device.job == "worker"}) > 1


class _Ring:
    """The seeds of a process in a ring that is not its first.

    Args:
      seed: The seed that all processes have set.
      trainer: The number of this one.
    """

    def __init__(self, seed: int, trainer: int) -> None:
        self._seed, self._trainer = seed, trainer
        self._is_common = False

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Sets the own global seed, under which seeded shuffles still have the common order."""
        dataset = tf.compat.v2.data.Dataset
        original = dataset.shuffle

        @functools.wraps(original)
        def shuffle(data: Any, buffer_size: Any, seed: Any = None, *args: Any, **kw: Any) -> Any:
            with contextlib.nullcontext() if seed is None else self.common():
                return original(data, buffer_size, seed, *args, **kw)

        self._set_own()
        dataset.shuffle = shuffle
        _rings.append(self)
        try:
            yield
        finally:
            _rings.remove(self)
            dataset.shuffle = original

    @contextlib.contextmanager
    def common(self) -> Iterator[None]:
        """While the block runs, the seed is the common one."""
        if self._is_common:
            yield
            return
        graph = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
        own = graph.seed if graph else None
        self._is_common = True
        tf.compat.v1.set_random_seed(self._seed)
        try:
            yield
        finally:
            self._is_common = False
            if graph:
                graph.seed = own
            else:
                self._set_own()

    def _set_own(self) -> None:
        # Setting a seed begins its sequence again, so each time it is another seed.
        tf.random.set_seed(of_trainer(self._seed, self._trainer, next(_draws)))


_rings: list[_Ring] = []
_draws = itertools.count()
