"""Tests that deep calls within a large frame need no memory from the system."""

import concurrent.futures
import resource
import sys

import pytest

from modern.process import frame_memory

DEPTHS, CALLS = range(400), 50


def wide():
    """Uses a frame larger than a level of depth, which crosses a chunk's end at some depth."""


wide.__code__ = wide.__code__.replace(co_stacksize=100)


def faults_at(depth):
    """Returns the page faults of this thread while a loop at this depth calls a function."""
    if depth:
        return faults_at(depth - 1)
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _ in range(CALLS):
        wide()
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def most_faults():
    return max(map(faults_at, DEPTHS))


def in_a_new_thread(function):
    """Calls a function on a new stack, because the stack of pytest has a large frame already."""
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        return threads.submit(function).result()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a thread's faults are Linux'")
def test_a_loop_at_any_depth_maps_no_memory():
    if sys.version_info >= (3, 11):
        assert in_a_new_thread(most_faults) >= CALLS  # Without a large frame, each call may fault.
    assert in_a_new_thread(frame_memory.with_room(most_faults)) < CALLS / 2


def test_it_is_the_function_that_it_was():
    @frame_memory.with_room
    def divided(a, *, by):
        """Says a over by."""
        return a / by

    assert divided(6, by=3) == 2
    assert divided.__name__ == "divided"
    assert divided.__doc__ == "Says a over by."
    with pytest.raises(ZeroDivisionError):
        divided(6, by=0)
