"""A message board on the parameter servers, through which the tasks of a cluster coordinate.

A board is a hash table on every ps. It outlives sessions and trainings and is lost when the ps
process ends. The chief writes the id and the state of the current training. Workers write that they
have joined or finished. A ps reads its own table. The tasks therefore need no shared file system to
end a training together.

>>> import tensorflow as tf
>>> server = tf.compat.v1.train.Server({"ps": ["localhost:0"]}, "ps", 0)
>>> board = Board(server.target, num_ps=1, task="/job:ps/task:0", own_ps=0)
>>> board.put("training", "open")
>>> board.read()
{'training': 'open'}
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable

import tensorflow as tf

tf1 = tf.compat.v1

_CONTAINER = "legacy.estimator.board"  # TensorFlow allows no underscore in it.
# Errors of a session whose ps has restarted or is unreachable. A new session may succeed.
_LOST = (tf.errors.AbortedError, tf.errors.UnavailableError, tf.errors.FailedPreconditionError)
_RETRY_SECS = 0.5
_GIVE_UP_SECS = 60.0


class Board:
    """String tables on the ps, read and written through this task's own server.

    A board that loses its ps retries for a minute. The ps may come back with an empty table.

    Args:
      target: The address of this task's server, "grpc://host:port".
      num_ps: The number of ps.
      task: The device of this task, such as "/job:worker/task:1".
      own_ps: The index of this process's ps. None on a trainer.
      before_connecting: A function that is called before each connection and waits until all ps
        are up. Without it, TensorFlow would wait for a missing ps forever, with no message.
    """

    def __init__(
        self,
        target: str,
        num_ps: int,
        task: str,
        own_ps: int | None = None,
        before_connecting: Callable[[], None] = lambda: None,
    ) -> None:
        self._target = target
        self._before_connecting = before_connecting
        # The filters keep the session from connecting to other tasks, which may be down.
        self._config = tf1.ConfigProto(
            device_filters=[task] if own_ps is not None else ["/job:ps", task]
        )
        self._graph = tf.Graph()
        self._session: tf1.Session | None = None
        with self._graph.as_default():
            self._key = tf1.placeholder(tf.int64, [])
            self._value = tf1.placeholder(tf.string, [])
            tables = [_table(index) for index in (range(num_ps) if own_ps is None else [own_ps])]
            self._put_op = tf.group(
                *[
                    tf.raw_ops.LookupTableInsertV2(
                        table_handle=table, keys=self._key, values=self._value
                    )
                    for table in tables
                ]
            )
            self._read_op = tf.raw_ops.LookupTableExportV2(
                table_handle=tables[0], Tkeys=tf.int64, Tvalues=tf.string
            )

    def put(self, key: str, value: str) -> None:
        """Writes a message to every ps. A ps writes only to its own table.

        Args:
          key: The message's key. A later message with the same key replaces this one.
          value: The message.

        Raises:
          tf.errors.OpError: A ps has been unreachable for a minute.
        """
        self._run(self._put_op, {self._key: _number(key), self._value: json.dumps([key, value])})

    def read(self) -> dict[str, str]:
        """Returns the messages on ps 0. A ps returns the messages of its own table.

        Returns:
          The messages by key.

        Raises:
          tf.errors.OpError: The ps has been unreachable for a minute.
        """
        _, values = self._run(self._read_op, {})
        return dict(json.loads(value) for value in values)

    def close(self) -> None:
        """Closes the session. The messages stay on the ps."""
        if self._session is not None:
            self._session.close()
            self._session = None

    def _run(self, fetches: object, feeds: dict[tf.Tensor, int | str]) -> list:
        deadline = time.monotonic() + _GIVE_UP_SECS
        while True:
            try:
                if self._session is None:
                    self._before_connecting()
                    self._session = tf1.Session(
                        self._target, graph=self._graph, config=self._config
                    )
                return self._session.run(fetches, feeds)
            except _LOST:
                self._session = None
                if time.monotonic() > deadline:
                    raise
                time.sleep(_RETRY_SECS)


def _table(ps: int) -> tf.Tensor:
    with tf.device(f"/job:ps/task:{ps}/device:CPU:0"):
        return tf.raw_ops.MutableHashTableV2(
            container=_CONTAINER,
            shared_name="words",
            # TensorFlow has no kernel for string keys and string values. The key is therefore a
            # hash, and each value is a JSON pair of the original key and the message.
            key_dtype=tf.int64,
            value_dtype=tf.string,
        )


def _number(key: str) -> int:
    digest = hashlib.sha256(key.encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
