"""A large first stack frame, so that deep calls do not allocate memory from the system each time.

    from modern.process import frame_memory

    sys.exit(frame_memory.with_room(main)(sys.argv))

Python 3.11 and later keep the frames of calls in chunks of 16 KB. If the stack of a loop ends just
below the end of a chunk, each call in the loop maps a new chunk and each return unmaps it, which
takes some ten microseconds. The depth of the stack decides whether that happens, so it is a matter
of luck. TensorFlow's import has such loops (45,000 mappings in a bad case, 0.4 s of processor
time), and so has the building of graphs.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

# The size of a chunk is a power of two, and a chunk holds a whole frame. So a frame of half a
# megabyte gets a chunk of one megabyte. The rest of the chunk takes no memory until it is used, and
# has room for as many frames as Python's recursion limit allows.
_WORDS_OF_A_LARGE_FRAME = 2**16


def with_room(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Gives a function a large frame, so that the frames of all calls below it share a chunk.

    This holds within the thread of the call. On Python 3.10, which stores frames differently,
    nothing changes.

    Args:
      function: Any function. It is called with the same arguments as before.
    """

    @functools.wraps(function)
    def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        return function(*args, **kwargs)

    if sys.version_info >= (3, 11):
        call.__code__ = call.__code__.replace(co_stacksize=_WORDS_OF_A_LARGE_FRAME)
    return call
