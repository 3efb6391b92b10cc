"""Room for Python's frames, so that deep calls do not ask the system for memory at every turn.

    from modern.process import frame_memory

    sys.exit(frame_memory.with_room(main)(sys.argv))

Python 3.11 and later keep the frames of calls in pieces of 16 KB. Where a loop stands at the end of
a piece, each call in it maps a new piece and each return unmaps that again, at some ten
microseconds. How deep the stack is there decides, so it is luck: TensorFlow's import has such loops
(45,000 mappings in a bad case, 0.4 s of processor time), and so has the making of graphs.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

# A piece holds a whole frame and is a power of two, so a frame of half a megabyte has a piece of
# one. What is left of it, untouched until it is used, holds as many frames as Python lets calls be
# deep.
_WORDS_OF_A_LARGE_FRAME = 2**16


def with_room(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Returns the function such that all calls below it, in its thread, have their frames together.

    On Python 3.10, which keeps frames otherwise, nothing changes.

    Args:
      function: Any; it is called with the arguments that it gets, as ever.
    """

    @functools.wraps(function)
    def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        return function(*args, **kwargs)

    if sys.version_info >= (3, 11):
        call.__code__ = call.__code__.replace(co_stacksize=_WORDS_OF_A_LARGE_FRAME)
    return call
