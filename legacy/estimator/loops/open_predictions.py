"""Predictions that a program has begun and does not end are closed before Python shuts down.

>>> @closed_at_exit
... def numbers():
...     yield from range(3)
>>> next(numbers())
0

Python takes modules apart before it closes what a module's variables still hold: an open session
then looks for names that are gone, and a program that only took `next(estimator.predict(...))`
ends with a traceback of an exception that was ignored.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import weakref
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec

_Arguments = ParamSpec("_Arguments")
_begun: weakref.WeakSet[Any] = weakref.WeakSet()


def closed_at_exit(
    function: Callable[_Arguments, Iterator[Any]],
) -> Callable[_Arguments, Iterator[Any]]:
    """Decorates a generator function, so that what it makes is closed at the latest at exit.

    Args:
      function: The generator function.
    """

    @functools.wraps(function)
    def made(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> Iterator[Any]:
        generator = function(*args, **kwargs)
        _begun.add(generator)
        return generator

    return made


@atexit.register
def _close() -> None:
    for generator in list(_begun):
        with contextlib.suppress(Exception):  # Another thread may run it.
            generator.close()
