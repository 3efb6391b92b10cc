"""Filters for log messages of TensorFlow and Keras that a user cannot act on.

>>> import tensorflow as tf
>>> with hidden("is deprecated"):
...     tf.get_logger().warning("This function is deprecated.")
"""

from __future__ import annotations

import contextlib
import logging
import time
import warnings
from collections.abc import Iterator

# Keras' message about data of unknown length.
OF_UNKNOWN_LENGTH = "set `steps_per_epoch=-1`"
_LOGGERS = ("tensorflow", "absl")
# The module of TensorFlow that logs lost workers, and the length to which its messages are cut.
_COORDINATOR = "cluster_coordinator"
_MOST_LETTERS = 300
_REPEAT_AFTER_S = 60.0


@contextlib.contextmanager
def hidden(*texts: str) -> Iterator[None]:
    """Hides messages in the logs of TensorFlow and absl while the block runs.

    Args:
      *texts: A message is hidden if any of these texts is in it.
    """

    def is_other(record: logging.LogRecord) -> bool:
        return not any(text in record.getMessage() for text in texts)

    for name in _LOGGERS:
        logging.getLogger(name).addFilter(is_other)
    try:
        yield
    finally:
        for name in _LOGGERS:
            logging.getLogger(name).removeFilter(is_other)


def hide_warnings(*beginnings: str) -> None:
    """Hides Python's warnings from now on.

    Not only while a block runs: `warnings.catch_warnings` is for one thread. At its end it restores
    the filters that it found, also while another thread needs the filters that it has added since.

    Args:
      *beginnings: A warning is hidden if one of these regular expressions matches its beginning.
    """
    hidden_now = {item[1].pattern for item in warnings.filters if item[0] == "ignore" and item[1]}
    for beginning in beginnings:
        if beginning not in hidden_now:
            warnings.filterwarnings("ignore", message=beginning)


@contextlib.contextmanager
def lost_workers_briefly() -> Iterator[None]:
    """Shortens the messages of a coordinator about failed calls to workers while the block runs.

    TensorFlow logs the whole error of each attempt, some hundred lines a minute for one worker. The
    filter keeps the first line of a message, and hides it if it comes again within a minute.
    """
    last: dict[object, float] = {}

    def brief(record: logging.LogRecord) -> bool:
        if record.module != _COORDINATOR or record.levelno < logging.WARNING:
            return True
        arguments = record.args if isinstance(record.args, tuple) else ()
        task = arguments[0] if arguments and isinstance(arguments[0], str | int) else None
        key, now = (record.msg, task), time.monotonic()
        if key in last and now - last[key] < _REPEAT_AFTER_S:
            return False
        last[key] = now
        line = record.getMessage().partition("\n")[0]
        cut = line[:_MOST_LETTERS] + " …" if len(line) > _MOST_LETTERS else line
        record.msg, record.args = cut, ()
        return True

    logger = logging.getLogger("tensorflow")
    logger.addFilter(brief)
    try:
        yield
    finally:
        logger.removeFilter(brief)
