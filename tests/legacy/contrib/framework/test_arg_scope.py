"""Tests of argument scopes."""

import threading

import pytest

from legacy.contrib.framework.arg_scope import add_arg_scope, arg_scope, current_arg_scope


@add_arg_scope
def show(value, size=1):
    """The docstring stays."""
    return value, size


def test_a_scope_sets_what_a_call_does_not():
    with arg_scope([show], size=2):
        assert show(0) == (0, 2)
        assert show(0, size=3) == (0, 3)
    assert show(0) == (0, 1)
    assert show.__doc__ == "The docstring stays."


def test_a_scope_closes_when_its_block_fails():
    before = current_arg_scope()
    with pytest.raises(KeyError), arg_scope([show], size=2):
        raise KeyError
    assert current_arg_scope() is before


def test_threads_that_take_turns_do_not_see_what_others_have_opened():
    opened, seen = threading.Event(), []

    def other():
        seen.append(show(0))  # The scope that the main thread had open when this thread started.
        with arg_scope([show], size=5):
            opened.set()
            main_is_done.wait()
            seen.append(show(0))

    main_is_done = threading.Event()
    thread = threading.Thread(target=other)
    with arg_scope([show], size=2):
        thread.start()
        opened.wait()
        assert show(0) == (0, 2)
    assert show(0) == (0, 1)
    main_is_done.set()
    thread.join()
    assert seen == [(0, 2), (0, 5)]


def test_what_is_not_decorated_is_an_error():
    with pytest.raises(ValueError, match="len is not decorated"), arg_scope([len], size=2):
        pass
