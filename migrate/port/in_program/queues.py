"""Lets queues of `tf.train.batch` and `tf.train.shuffle_batch` return elements in one order.

Threads fill such a queue while the program reads it. So the elements among which `shuffle_batch`
draws depend on the speed of the threads, and several threads add elements in any order. Here one
thread fills each queue, and elements leave it in the order in which they were added.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any


def patches(note: Callable[[], None]) -> dict[str, Callable[[Any], None]]:
    """Returns the functions that patch queues, by module.

    Args:
      note: Function without arguments. It is called when a program shuffles by a queue.
    """
    return {"tensorflow.python.training.input": functools.partial(_patch, note)}


def _patch(note: Callable[[], None], module: Any) -> None:
    batch = module._batch
    parameters = inspect.signature(batch).parameters

    @functools.wraps(batch)
    def batch_in_order(tensors: Any, *args: Any, **kwargs: Any) -> Any:
        bound = inspect.signature(batch).bind(tensors, *args, **kwargs)
        bound.arguments["num_threads"] = 1
        return batch(*bound.args, **bound.kwargs)

    shuffle_batch = module._shuffle_batch
    signature = inspect.signature(shuffle_batch)

    @functools.wraps(shuffle_batch)
    def batch_instead(*args: Any, **kwargs: Any) -> Any:
        note()
        arguments = signature.bind(*args, **kwargs).arguments
        return batch_in_order(
            **{name: value for name, value in arguments.items() if name in parameters}
        )

    module._batch, module._shuffle_batch = batch_in_order, batch_instead
