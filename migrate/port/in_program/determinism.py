"""Makes two runs of a program comparable: the same seeds, order of data and no dropout.

A rewritten program makes its random operations in another order, so that the seed of a graph gives
them other numbers. Here every random operation has the same seeds in all runs. Data are not
shuffled, because TensorFlow's queues and `tf.data` shuffle in different orders. Dropout returns its
input, and its rates are recorded instead.
"""

from __future__ import annotations

import functools
import random
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from migrate.same_run import recording

SEED = 87654321
DROPOUT = "dropout"  # Kind of the events with the rates.
_OWN = 20260
_records: list[str] = []


def begin(record: str) -> None:
    """Seeds Python and NumPy. A program that seeds them itself does so later.

    Args:
      record: Folder of the recording, which gets the rates of dropout.
    """
    _records[:] = [record]
    random.seed(SEED)
    np.random.seed(SEED)


def patches() -> dict[str, Callable[[types.ModuleType], None]]:
    """Returns the functions that patch TensorFlow, by module."""
    return {
        "tensorflow.python.framework.random_seed": _fix_seeds,
        "tensorflow.python.data.ops.dataset_ops": _keep_order,
        "legacy.estimator.inputs.numpy_io": functools.partial(_without_shuffle, "numpy_input_fn"),
        "legacy.estimator.inputs.pandas_io": functools.partial(_without_shuffle, "pandas_input_fn"),
        "tensorflow": _switch_dropout_off,
    }


def rates(record: str) -> set[float]:
    """Returns the rates of dropout that a program used, as far as they are known.

    Args:
      record: Folder of the recording.
    """
    return {
        round(event["rate"], 6)
        for process in recording.processes(record)
        for event in recording.read_events(record, process)
        if event["kind"] == DROPOUT and event["rate"] is not None
    }


def _fix_seeds(module: Any) -> None:
    def get_seed(op_seed: int | None) -> tuple[int, int]:
        return SEED, _OWN if op_seed is None else op_seed % (2**31 - 1)

    module.get_seed = get_seed


def _keep_order(module: types.ModuleType) -> None:
    def shuffle(self: Any, *args: Any, **kwargs: Any) -> Any:
        del args, kwargs
        return self

    for name in ("DatasetV1", "DatasetV2"):
        getattr(module, name).shuffle = shuffle


def _without_shuffle(name: str, module: types.ModuleType) -> None:
    function = getattr(module, name)

    @functools.wraps(function)
    def without_shuffle(*args: Any, **kwargs: Any) -> Any:
        if kwargs.get("shuffle"):
            kwargs["shuffle"] = False
        return function(*args, **kwargs)

    setattr(module, name, without_shuffle)


def _switch_dropout_off(module: types.ModuleType) -> None:
    del module
    from migrate.verify.sides import randomness  # Imports TensorFlow.

    class Rates(list):
        """Writes the rate of each call to the recording."""

        def append(self, seen: Any) -> None:
            recording.append_event(_records[0], {"kind": DROPOUT, "rate": seen.rate})

    randomness.switch_dropout_off(Rates())
