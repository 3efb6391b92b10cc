"""tf.contrib.slim.dataset, the description of a dataset.

dataset = Dataset(files, tf.compat.v1.TFRecordReader, decoder, 1000, {"image": "A digit."})
"""

from __future__ import annotations

from typing import Any


class Dataset:
    """Description of the files of a dataset, their reader and their decoder.

    The attributes have the names of the constructor's arguments.
    """

    def __init__(
        self,
        data_sources: Any,
        reader: Any,
        decoder: Any,
        num_samples: int | None,
        items_to_descriptions: dict[str, str],
        **kwargs: Any,
    ) -> None:
        """Initializes the attributes.

        Args:
          data_sources: File names or patterns.
          reader: Reader class, such as `tf.compat.v1.TFRecordReader`.
          decoder: `DataDecoder` of the records.
          num_samples: Number of samples.
          items_to_descriptions: Descriptions by item, such as `{"label": "A digit from 0 to 9."}`.
          **kwargs: Additional attributes.
        """
        self.data_sources = data_sources
        self.reader = reader
        self.decoder = decoder
        self.num_samples = num_samples
        self.items_to_descriptions = items_to_descriptions
        self.__dict__.update(kwargs)
