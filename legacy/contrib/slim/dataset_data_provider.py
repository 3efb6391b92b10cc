"""tf.contrib.slim.dataset_data_provider, which reads a Dataset through queues.

provider = DatasetDataProvider(dataset, shuffle=False)
image, label = provider.get(["image", "label"])
"""

from __future__ import annotations

from typing import Any

from legacy.contrib.slim import data_provider, parallel_reader


class DatasetDataProvider(data_provider.DataProvider):
    """Provider of the items of a dataset. Each evaluation of the tensors reads a new sample."""

    def __init__(
        self,
        dataset: Any,
        num_readers: int = 1,
        reader_kwargs: dict[str, Any] | None = None,
        shuffle: bool = True,
        num_epochs: int | None = None,
        common_queue_capacity: int = 256,
        common_queue_min: int = 128,
        record_key: str = "record_key",
        seed: int | None = None,
        scope: str | None = None,
    ) -> None:
        """Adds the readers and the decoder to the graph.

        Args:
          dataset: `Dataset` to read.
          num_readers: Number of parallel readers.
          reader_kwargs: Keyword arguments of the reader class.
          shuffle: If true, shuffles the files and the samples.
          num_epochs: Number of passes over the dataset. None repeats it without end.
          common_queue_capacity: Capacity of the queue in samples.
          common_queue_min: Number of samples that stay in the queue for shuffling.
          record_key: Name of the item that identifies the source of a sample.
          seed: Random seed.
          scope: Name scope.

        Raises:
          ValueError: The dataset has an item named `record_key`, or no files match.
        """
        key, data = parallel_reader.parallel_read(
            dataset.data_sources,
            reader_class=dataset.reader,
            num_epochs=num_epochs,
            num_readers=num_readers,
            reader_kwargs=reader_kwargs,
            shuffle=shuffle,
            capacity=common_queue_capacity,
            min_after_dequeue=common_queue_min,
            seed=seed,
            scope=scope,
        )
        items = dataset.decoder.list_items()
        tensors = dict(zip(items, dataset.decoder.decode(data, items), strict=True))
        if record_key in tensors:
            raise ValueError(
                "The item name used for `record_key` cannot also be used for a dataset item: "
                f"{record_key}"
            )
        super().__init__({**tensors, record_key: key}, dataset.num_samples)
