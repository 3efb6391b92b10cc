"""Repeated trainings in one process, with different seeds.

>>> trainings = in_turn("/tmp/m", repeats=3, seed=5, distinct_seeds=2)
>>> [(training.folder, training.seed) for training in trainings]
[('/tmp/m/repeat-0', 5), ('/tmp/m/repeat-1', 6), ('/tmp/m/repeat-2', 5)]
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Iterator


@dataclasses.dataclass(frozen=True)
class Repeat:
    """A training with its own folder and seed.

    Attributes:
      folder: The folder of its results.
      seed: Its seed.
    """

    folder: str
    seed: int


def in_turn(
    model_dir: str,
    repeats: int,
    seed: int,
    distinct_seeds: int = 0,
    start_signal: str | None = None,
) -> Iterator[Repeat]:
    """Yields each training when its turn has come.

    Args:
      model_dir: The folder of all trainings. A single training uses it directly.
      repeats: The number of trainings.
      seed: The seed of the first one. The others count up from it.
      distinct_seeds: The number of seeds after which the first one is used again. 0 never repeats a
        seed.
      start_signal: A path. Training K begins when the file START_SIGNAL.K exists, and no training
        begins once START_SIGNAL.end exists. None does not wait.
    """
    for number in range(repeats):
        if not wait_for_start(start_signal, number):
            return
        folder = model_dir if repeats == 1 else os.path.join(model_dir, f"repeat-{number}")
        yield Repeat(folder, seed + (number % distinct_seeds if distinct_seeds else number))


def of_seed(path: str | None, seed: int) -> str | None:
    """Returns a path with "{seed}" replaced by the seed. None stays None."""
    return path.replace("{seed}", str(seed)) if path else None


def wait_for_start(signal: str | None, number: int) -> bool:
    """Waits for the turn of a training. Returns False if the end comes first."""
    while signal and not os.path.exists(f"{signal}.{number}"):
        if os.path.exists(f"{signal}.end"):
            return False
        time.sleep(0.02)
    return True
