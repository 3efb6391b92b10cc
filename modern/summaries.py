"""Scalars for TensorBoard, written with TensorFlow alone.

`tf.summary.scalar` needs the package tensorboard, which TensorFlow no longer brings along; the file
that it writes does not.
"""

from __future__ import annotations

from collections.abc import Mapping

import tensorflow as tf


def write_scalars(folder: str, step: int, values: Mapping[str, float]) -> None:
    """Appends scalars to an event file in `folder`.

    Args:
      folder: made if it is not there.
      step: the global step that they belong to.
      values: tag to value.
    """
    metadata = tf.compat.v1.SummaryMetadata(
        plugin_data=tf.compat.v1.SummaryMetadata.PluginData(plugin_name="scalars")
    )
    writer = tf.summary.create_file_writer(folder)
    with writer.as_default():
        for tag, value in values.items():
            tf.summary.write(tag, tf.constant(value, tf.float32), step, metadata)
    writer.close()
