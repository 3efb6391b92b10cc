"""Switch of TensorFlow 2's tensor equality, which all threads share.

    with tensor_equality.disabled():
        assert variable in {variable}

In v1 graphs, `==` compares variables by identity, so that they can be keys and set members.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import tensorflow as tf

tf1 = tf.compat.v1


class _Switch:
    """TensorFlow's switch for the whole process, with a counter of its users."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._was_enabled = False

    @contextlib.contextmanager
    def off(self) -> Iterator[None]:
        """Switches tensor equality off until the last block has ended."""
        with self._lock:
            if not self._users:
                self._was_enabled = _is_enabled()
                tf1.disable_tensor_equality()
            self._users += 1
        # The lock is free during the block, because another replica may enter before this one
        # leaves. Replicas take turns whenever they merge values.
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users and self._was_enabled:
                    tf1.enable_tensor_equality()


def _is_enabled() -> bool:
    # In a v1 graph, == always compares by identity, so only eager tensors show the switch.
    with tf.init_scope():
        return tf.is_tensor(tf.constant(1) == 1)


_switch = _Switch()


def disabled() -> contextlib.AbstractContextManager[None]:
    """Returns a context in which variables are compared by identity, in all threads."""
    return _switch.off()
