"""The log of a ported program: that of TensorFlow, or absl's.

    program_log.info("loss = %s, step = %d", loss, step)

A rewritten program sets the level of absl's log, and others that of TensorFlow's.
"""

from __future__ import annotations

import logging
from typing import Any

import tensorflow as tf
from absl import logging as absl_logging


def shows_info() -> bool:
    """Says whether one of the two logs has the level INFO."""
    return tf.get_logger().isEnabledFor(logging.INFO) or absl_logging.level_info()


def info(message: str, *values: Any) -> None:
    """Logs a message to the log that has the level INFO.

    Args:
      message: Text with places for the values, such as "%d".
      *values: The values.
    """
    if tf.get_logger().isEnabledFor(logging.INFO):
        tf.get_logger().info(message, *values)
    else:
        absl_logging.info(message, *values)
