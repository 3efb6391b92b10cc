"""Replaces attributes of TensorFlow for a while, and only in the threads that request it.

    patches = Patches(lambda: [(tf.compat.v1, "tables_initializer", function)])
    with patches.active(state):
        tf.compat.v1.tables_initializer()  # function(original, state)

Replicas call a model_fn at the same time, each in a separate thread, while other threads continue.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

# Function that takes the original, the thread's state and the arguments of the call.
Replacement = Callable[..., Any]
Targets = Iterable[tuple[Any, str, Replacement]]


def defining_classes(base: type, method: str) -> Iterator[type]:
    """Yields a class and those of its subclasses that define the method themselves."""
    if method in vars(base):
        yield base
    subclasses: list[type] = base.__subclasses__()
    for sub in subclasses:
        yield from defining_classes(sub, method)


class Patches:
    """Attributes that are replaced while any thread is active.

    Args:
      find: Returns (owner, attribute, replacement), where an owner is a module or class. It is
        called each time, because new classes may exist.
    """

    def __init__(self, find: Callable[[], Targets]) -> None:
        self._find = find
        self._thread = threading.local()
        self._lock = threading.Lock()
        self._users = 0
        self._originals: dict[tuple[Any, str], Any] = {}

    @contextlib.contextmanager
    def active(self, state: Any) -> Iterator[None]:
        """Replaces the attributes for this thread while the block runs.

        Args:
          state: Passed to the replacements in this thread.
        """
        previous = getattr(self._thread, "state", None)
        self._install()
        self._thread.state = state
        try:
            yield
        finally:
            self._thread.state = previous
            self._uninstall()

    def original(self, owner: Any, name: str) -> Any:
        """Returns the original value of an attribute. Some thread must be active."""
        return self._originals[owner, name]

    def _install(self) -> None:
        # The attributes are shared by all threads, so the first one installs the replacements and
        # the last one removes them. Each replacement checks whether its own thread is active.
        with self._lock:
            targets = list(self._find())  # If this fails, nothing has changed yet.
            self._users += 1
            try:
                for owner, name, function in targets:
                    if (owner, name) not in self._originals:
                        self._replace(owner, name, function)
            except BaseException:
                self._release()
                raise

    def _replace(self, owner: Any, name: str, function: Replacement) -> None:
        # None if today's TensorFlow lacks the attribute.
        original = self._originals[owner, name] = vars(owner).get(name)
        try:
            setattr(owner, name, self._replacement(original, function))
        except BaseException:
            del self._originals[owner, name]
            raise

    def _uninstall(self) -> None:
        with self._lock:
            self._release()

    def _release(self) -> None:
        """Ends one use, and restores the attributes after the last. The caller holds the lock."""
        self._users -= 1
        if not self._users:
            for (owner, name), original in self._originals.items():
                if original is None:
                    delattr(owner, name)
                else:
                    setattr(owner, name, original)
            self._originals.clear()

    def _replacement(self, original: Any, function: Replacement) -> Any:
        if isinstance(original, property):
            return property(self._replacement(original.fget, function))

        @functools.wraps(original or function)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            state = getattr(self._thread, "state", None)
            if state is None:
                if original is None:
                    raise AttributeError(function.__name__)
                return original(*args, **kwargs)
            return function(original, state, *args, **kwargs)

        return replacement
