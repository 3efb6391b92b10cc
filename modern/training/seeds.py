"""Random numbers that differ between the trainers of one training.

>>> of_trainer(7, trainer=0), of_trainer(7, trainer=1) == of_trainer(7, trainer=2)
(7, False)

All processes of a cluster run the same program, so they set the same seed. With the same seed, an
unseeded `shuffle` draws the same batches in each of them, and dropout has the same masks. N
machines would do the work of one. An Estimator without `tf_random_seed` had different batches and
masks in each process.

Seeded operations in the input pipeline keep their seed. For example, after `shuffle(n, seed=3)`
each trainer can take its share of one common order.
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
      draw: Any number. Each number gives another seed.

    Returns:
      The seed itself for trainer 0, so that a single trainer uses it unchanged.
    """
    if not trainer:
        return seed
    digest = hashlib.sha256(f"{seed} {trainer} {draw}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % _SEEDS


def seed_python(strategy: tf.distribute.Strategy, seed: int) -> None:
    """Seeds the random numbers of Python and NumPy for this trainer. Trainer 0 keeps its seed.

    Args:
      strategy: The strategy of the training.
      seed: The seed that was set in all processes.
    """
    own_seed = of_trainer(seed, strategies.first_replica(strategy))
    if own_seed != seed:
        random.seed(own_seed)
        np.random.seed(own_seed)


@contextlib.contextmanager
def of_this_trainer(strategy: tf.distribute.Strategy) -> Iterator[None]:
    """Gives this trainer its own random numbers while the block makes input and traces steps.

    Enter it after the initial weights are created, which must be the same on all trainers. It does
    nothing without a global seed, in the first trainer, in a process that trains alone, and when it
    is entered a second time.

    Under ParameterServerStrategy the workers run one traced function, so all of them have the same
    seeds. There the block has no global seed, and each worker draws its own seed. The assignment of
    steps to workers is random in any case.

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
            # Deterministic operations refuse to run without a seed.
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

    For data that TensorFlow divides among the trainers, which must have one order for all.
    """
    return _rings[-1].common() if _rings else contextlib.nullcontext()


def global_seed() -> int | None:
    """Returns the global seed of TensorFlow, or None if it is not set."""
    seeds = []

    @tf.function
    def look() -> None:  # In a graph, reading does not advance the seed.
        with contextlib.suppress(RuntimeError):  # Determinism is on without a seed.
            seeds.append(tf.compat.v1.get_seed(None)[0])

    look.get_concrete_function()
    return seeds[0] if seeds else None


def _is_determinism_on() -> bool:
    """Returns whether operations without a seed are refused. Call it without a global seed."""
    try:
        tf.compat.v1.get_seed(None)
    except RuntimeError:
        return True
    return False


def _serves_several(strategy: tf.distribute.Strategy) -> bool:
    if not isinstance(strategy, tf.distribute.ParameterServerStrategy):
        return False
    devices = [
        tf.DeviceSpec.from_string(logical_device.name)
        for logical_device in tf.config.list_logical_devices()
    ]
    return len({device.task for device in devices if device.job == "worker"}) > 1


class _Ring:
    """The seeds of a synchronous worker other than the first.

    Args:
      seed: The seed that all processes have set.
      trainer: The index of this trainer.
    """

    def __init__(self, seed: int, trainer: int) -> None:
        self._seed, self._trainer = seed, trainer
        self._is_common = False

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Sets this worker's global seed, and the common one during seeded shuffles."""
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
        """Sets the common seed while the block runs."""
        if self._is_common:
            yield
            return
        graph = None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
        graph_seed = graph.seed if graph else None
        self._is_common = True
        tf.compat.v1.set_random_seed(self._seed)
        try:
            yield
        finally:
            self._is_common = False
            if graph:
                graph.seed = graph_seed
            else:
                self._set_own()

    def _set_own(self) -> None:
        # Setting a seed restarts its sequence, so each call sets a different seed.
        tf.random.set_seed(of_trainer(self._seed, self._trainer, next(_draws)))


# The active ring, if any. It makes a nested `of_this_trainer` do nothing.
_rings: list[_Ring] = []
_draws = itertools.count()
