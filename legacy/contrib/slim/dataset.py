"""tf.contrib.slim.dataset: what describes a dataset.

dataset = Dataset(files, tf.compat.v1.TFRecordReader, decoder, 1000, {"image": "A digit."})
"""

from __future__ import annotations

from typing import Any


class Dataset:
    """Where data is, how it is read and decoded; its attributes are its arguments."""

    def __init__(
        self,
        data_sources: Any,
        reader: Any,
        decoder: Any,
        num_samples: int | None,
        items_to_descriptions: dict[str, str],
        **kwargs: Any,
    ) -> None:
        """Sets the attributes.

        Args:
          data_sources: Files, or patterns of them.
          reader: A class such as `tf.compat.v1.TFRecordReader`.
          decoder: A `DataDecoder`.
          num_samples: How many samples there are.
          items_to_descriptions: What each item is.
          **kwargs: More attributes.
        """
        self.data_sources = data_sources
        self.reader = reader
        self.decoder = decoder
        self.num_samples = num_samples
        self.items_to_descriptions = items_to_descriptions
        self.__dict__.update(kwargs)
