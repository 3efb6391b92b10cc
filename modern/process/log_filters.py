"""Filters for log messages of TensorFlow and Keras that a user cannot act on.

>>> import tensorflow as tf
>>> with hidden("is deprecated"):
...     tf.get_logger().warning("This function is deprecated.")
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

# Keras' message about data of unknown length.
OF_UNKNOWN_LENGTH = "set `steps_per_epoch=-1`"
_LOGGERS = ("tensorflow", "absl")


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
