"""A QueueRunner whose threads feed the results of Python functions.

    runner = FeedingQueueRunner(queue, [queue.enqueue_many([placeholder])], feed_fns=[feed_fn])
    tf.compat.v1.train.add_queue_runner(runner)

A MonitoredSession, like any code that starts the graph's queue runners, starts these threads too.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import tensorflow as tf

tf1 = tf.compat.v1

_CLOSED = (tf.errors.OutOfRangeError, tf.errors.CancelledError)


class FeedingQueueRunner(tf1.train.QueueRunner):
    """Fills a queue from Python functions, each in its own thread.

    Args:
      queue: The queue.
      enqueue_ops: Operations that fill the queue, one per thread.
      close_op: Operation that closes the queue. None creates one.
      cancel_op: Operation that closes the queue and cancels pending operations. None creates one.
      feed_fns: A function for each operation. It returns the feed_dict, and raises
        `tf.errors.OutOfRangeError` at the end of the data. None feeds nothing.
      queue_closed_exception_types: Types of errors that signal a closed queue. Defaults to
        OutOfRangeError and CancelledError.

    Raises:
      ValueError: If the numbers of functions and operations differ.
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Sequence[Any] | None = None,
        close_op: Any = None,
        cancel_op: Any = None,
        feed_fns: Sequence[Callable[[], Any] | None] | None = None,
        queue_closed_exception_types: tuple[type[Exception], ...] | None = None,
    ) -> None:
        super().__init__(
            queue,
            enqueue_ops,
            close_op,
            cancel_op,
            queue_closed_exception_types=queue_closed_exception_types or _CLOSED,
        )
        if feed_fns is not None and len(feed_fns) != len(self.enqueue_ops):
            raise ValueError(
                "If feed_fns is not None, it must have the same length as enqueue_ops; they have "
                f"{len(feed_fns)} and {len(self.enqueue_ops)}."
            )
        self._feed_fns = list(feed_fns or [None] * len(self.enqueue_ops))
        # Guards the two attributes below, which all threads of the runner change.
        self._guard = threading.Lock()
        self._running: Any = weakref.WeakKeyDictionary()  # Number of threads by session.
        self._errors: list[Exception] = []

    @property
    def exceptions_raised(self) -> list[Exception]:
        """Errors of threads that had no coordinator to report to."""
        return self._errors

    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """Creates the threads that fill the queue in a session.

        Args:
          sess: The session.
          coord: A `tf.train.Coordinator`. It receives errors, and when it stops, the queue is
            cancelled.
          daemon: If true, creates daemon threads.
          start: If true, also starts the threads.

        Returns:
          The threads. The list is empty if the threads of this session are still running.
        """
        with self._guard:
            if self._running.get(sess):
                return []
            self._running[sess] = len(self.enqueue_ops)
            self._errors = []
        threads = [
            threading.Thread(target=self._fill, args=(sess, op, feed_fn, coord), daemon=daemon)
            for op, feed_fn in zip(self.enqueue_ops, self._feed_fns, strict=True)
        ]
        if coord is not None:
            threads.append(
                threading.Thread(target=self._cancel_on_stop, args=(sess, coord), daemon=daemon)
            )
        if start:
            for thread in threads:
                thread.start()
        return threads

    def _fill(self, sess: Any, enqueue_op: Any, feed_fn: Any, coord: Any) -> None:
        """Fills the queue until the data ends or the coordinator stops. The last thread closes it.

        The queue is closed only by the last thread, because the others may still have rows to add.
        """
        if coord is not None:
            coord.register_thread(threading.current_thread())
        is_closed = False
        try:
            while coord is None or not coord.should_stop():
                sess.run(enqueue_op, feed_dict=feed_fn() if feed_fn else None)
        except self.queue_closed_exception_types:
            is_closed = True
        except Exception as error:
            if coord is not None:
                coord.request_stop(error)
                return
            tf1.logging.error("Exception in QueueRunner: %s", error)
            with self._guard:
                self._errors.append(error)
            raise
        finally:
            with self._guard:
                self._running[sess] -= 1
                is_last = self._running[sess] == 0
            if is_closed and is_last:
                with contextlib.suppress(Exception):  # The session may be closed already.
                    sess.run(self.close_op)

    def _cancel_on_stop(self, sess: Any, coord: Any) -> None:
        # Threads that wait for room in the queue do not see that the coordinator stops.
        coord.register_thread(threading.current_thread())
        coord.wait_for_stop()
        with contextlib.suppress(Exception):
            sess.run(self.cancel_op)

    def to_proto(self, export_scope: str | None = None) -> NoReturn:
        """Raises NotImplementedError, because a Python function has no proto."""
        raise NotImplementedError(f"{type(self).__name__} does not support serialization to proto.")
