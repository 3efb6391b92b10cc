"""A decorator that closes unfinished predictions before Python shuts down.

>>> @closed_at_exit
... def numbers():
...     yield from range(3)
>>> next(numbers())
0

At shutdown, Python clears modules before it closes the generators that their variables still hold.
An open session then uses names that no longer exist. For example, a program that only calls
`next(estimator.predict(...))` would end with a traceback of an ignored exception.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import weakref
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec

_Arguments = ParamSpec("_Arguments")
_open_generators: weakref.WeakSet[Any] = weakref.WeakSet()


def closed_at_exit(
    function: Callable[_Arguments, Iterator[Any]],
) -> Callable[_Arguments, Iterator[Any]]:
    """Decorates a generator function, so that its generators are closed at exit at the latest.

    Args:
      function: The generator function.
    """

    @functools.wraps(function)
    def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> Iterator[Any]:
        generator = function(*args, **kwargs)
        _open_generators.add(generator)
        return generator

    return call


@atexit.register
def _close() -> None:
    for generator in list(_open_generators):
        with contextlib.suppress(Exception):  # Closing fails if another thread runs the generator.
            generator.close()
