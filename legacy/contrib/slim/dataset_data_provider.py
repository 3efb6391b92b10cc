"""tf.contrib.slim.dataset_data_provider: the tensors of a Dataset, read by queues.

provider = DatasetDataProvider(dataset, shuffle=False)
image, label = provider.get(["image", "label"])
"""

from __future__ import annotations

from typing import Any

from legacy.contrib.slim import data_provider, parallel_reader


class DatasetDataProvider(data_provider.DataProvider):
    """The items of one sample of a dataset, a new one each time they are computed."""

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
        """Adds readers to the graph.

        Args:
          dataset: A `Dataset`.
          num_readers: How many read at once.
          reader_kwargs: Arguments of the reader's class.
          shuffle: Whether files and samples are shuffled.
          num_epochs: How often all is read; None is without end.
          common_queue_capacity: How many samples wait.
          common_queue_min: How many must wait, so that they are well shuffled.
          record_key: The name of the item that says where a sample comes from.
          seed: The random seed.
          scope: The name scope.

        Raises:
          ValueError: The dataset has an item of that name, or no files.
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
