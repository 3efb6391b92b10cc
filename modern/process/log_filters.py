"""What TensorFlow and Keras say that a program's reader need not know, left out where it is known.

>>> import tensorflow as tf
>>> with hidden("is deprecated"):
...     tf.get_logger().warning("This function is deprecated.")
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

# What Keras says of data whose length it is not told.
OF_UNKNOWN_LENGTH = "set `steps_per_epoch=-1`"
_LOGGERS = ("tensorflow", "absl")


@contextlib.contextmanager
def hidden(*texts: str) -> Iterator[None]:
    """Leaves messages out of TensorFlow's and absl's logs while the block runs.

    Args:
      *texts: one of them is in each of these messages.
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
