"""Scalars for TensorBoard, written and read with TensorFlow alone.

>>> import tempfile
>>> folder = tempfile.mkdtemp()
>>> ScalarWriter(folder).write(5, {"loss": 0.5})
>>> read(folder)
{5: {'loss': 0.5}}

`tf.summary.scalar` needs the package tensorboard, which TensorFlow no longer installs. The file
format does not need it.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping

import tensorflow as tf

from modern.records import events


class ScalarWriter:
    """Writes scalars to an event file, which is created with the first scalar.

    Args:
      folder: The folder of the file. It is created if it does not exist.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._writer: tf.summary.SummaryWriter | None = None

    def write(self, step: int, values: Mapping[str, float]) -> None:
        """Writes and flushes scalars.

        Args:
          step: The global step of the values.
          values: Tag to value.
        """
        metadata = tf.compat.v1.SummaryMetadata(
            plugin_data=tf.compat.v1.SummaryMetadata.PluginData(plugin_name="scalars")
        )
        self._writer = self._writer or tf.summary.create_file_writer(self._folder)
        with self._writer.as_default():
            for tag, value in values.items():
                tf.summary.write(tag, tf.constant(value, tf.float32), step, metadata)
        self._writer.flush()


def read(folder: str) -> dict[int, dict[str, float]]:
    """Reads scalars written by `ScalarWriter` or by an Estimator.

    Args:
      folder: The folder of the event files, which need not exist. The rest of a damaged file is
        left out with a warning.

    Returns:
      The values by tag, for each step, in order.
    """
    values: dict[int, dict[str, float]] = collections.defaultdict(dict)
    for event in events.in_folder(folder):
        for value in event.summary.value:
            if value.HasField("simple_value"):
                values[event.step][value.tag] = value.simple_value
            elif value.metadata.plugin_data.plugin_name == "scalars":
                values[event.step][value.tag] = float(tf.make_ndarray(value.tensor))
    return dict(sorted(values.items()))
