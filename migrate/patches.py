"""Attributes of TensorFlow's that act otherwise for a while, in the threads that ask for it alone.

    patches = Patches(lambda: [(tf.compat.v1, "tables_initializer", instead)])
    with patches.active(state):
        tf.compat.v1.tables_initializer()  # instead(original, state)

Replicas call a model_fn side by side, each in a thread of its own, and other threads go on.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

# What is called instead: with what was there, the thread's state and the call's arguments.
Instead = Callable[..., Any]
Found = Iterable[tuple[Any, str, Instead]]


def with_own(base: type, method: str) -> Iterator[type]:
    """Yields those of a class and its subclasses that define the method themselves."""
    if method in vars(base):
        yield base
    for sub in base.__subclasses__():
        yield from with_own(sub, method)


class Patches:
    """Some attributes, replaced while any thread wants them to be.

    Args:
      find: Returns the owners (modules or classes), the attributes and what is called instead; it
        is asked each time, since there can be new classes.
    """

    def __init__(self, find: Callable[[], Found]) -> None:
        self._find = find
        self._here = threading.local()
        self._lock = threading.Lock()
        self._users = 0
        self._originals: dict[tuple[Any, str], Any] = {}

    @contextlib.contextmanager
    def active(self, state: Any) -> Iterator[None]:
        """While the block runs, this thread's calls are changed, with this state."""
        before = getattr(self._here, "state", None)
        self._install()
        self._here.state = state
        try:
            yield
        finally:
            self._here.state = before
            self._uninstall()

    def original(self, owner: Any, name: str) -> Any:
        """Returns what an attribute is otherwise; while some thread is active."""
        return self._originals[owner, name]

    def _install(self) -> None:
        with self._lock:
            self._users += 1
            for owner, name, instead in self._find():
                if (owner, name) not in self._originals:
                    # None where today's TensorFlow has it no more.
                    original = self._originals[owner, name] = vars(owner).get(name)
                    setattr(owner, name, self._replacement(original, instead))

    def _uninstall(self) -> None:
        with self._lock:
            self._users -= 1
            if not self._users:
                for (owner, name), original in self._originals.items():
                    if original is None:
                        delattr(owner, name)
                    else:
                        setattr(owner, name, original)
                self._originals.clear()

    def _replacement(self, original: Any, instead: Instead) -> Any:
        if isinstance(original, property):
            return property(self._replacement(original.fget, instead))

        @functools.wraps(original or instead)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            state = getattr(self._here, "state", None)
            if state is None:
                if original is None:
                    raise AttributeError(instead.__name__)
                return original(*args, **kwargs)
            return instead(original, state, *args, **kwargs)

        return replacement
