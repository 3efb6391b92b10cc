"""tf.contrib.slim.queues, a context manager that runs the threads of input queues.

with queues.QueueRunners(session):
    images, labels = session.run([images, labels])
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1
_running = threading.Lock()  # Held by the active `QueueRunners` block.


class NestedQueueRunnerError(Exception):
    """Error for a `QueueRunners` block inside of another."""


@contextlib.contextmanager
def QueueRunners(session: Any) -> Iterator[None]:  # noqa: N802
    """Runs the queue runners of the graph in threads until the block ends.

    Args:
      session: Session of the queue runners.

    Raises:
      NestedQueueRunnerError: Another `QueueRunners` block is active in this process.
    """
    if not _running.acquire(blocking=False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    try:
        coordinator = tf1.train.Coordinator()
        threads = [
            thread
            for runner in tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS)
            for thread in runner.create_threads(session, coordinator, daemon=True, start=True)
        ]
        try:
            yield
        finally:
            coordinator.request_stop()
            try:
                coordinator.join(threads, stop_grace_period_secs=120)
            except RuntimeError:
                session.close()  # A thread still waits for a queue. Closing the session ends it.
    finally:
        _running.release()
