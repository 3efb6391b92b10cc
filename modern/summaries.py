"""Scalars for TensorBoard, written with TensorFlow alone.

`tf.summary.scalar` needs the package tensorboard, which TensorFlow no longer brings along; the file
that it writes does not.
"""

from __future__ import annotations

from collections.abc import Mapping

import tensorflow as tf


class ScalarWriter:
    """Writes scalars to one event file, which is made with the first of them.

    Args:
      folder: where; made if it is not there.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._writer: tf.summary.SummaryWriter | None = None

    def write(self, step: int, values: Mapping[str, float]) -> None:
        """Writes and flushes scalars.

        Args:
          step: the global step that they belong to.
          values: tag to value.
        """
        metadata = tf.compat.v1.SummaryMetadata(
            plugin_data=tf.compat.v1.SummaryMetadata.PluginData(plugin_name="scalars")
        )
        self._writer = self._writer or tf.summary.create_file_writer(self._folder)
        with self._writer.as_default():
            for tag, value in values.items():
                tf.summary.write(tag, tf.constant(value, tf.float32), step, metadata)
        self._writer.flush()
