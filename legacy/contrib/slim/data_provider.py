"""Base class of tf.contrib.slim's data providers, which have a tensor for each item of a dataset.

image, label = DataProvider({"image": images, "label": labels}, 100).get(["image", "label"])
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping
from typing import Any


class DataProvider(abc.ABC):  # noqa: B024 (As the original: for classes that make the tensors.)
    """Mapping from the items of a dataset to tensors."""

    def __init__(self, items_to_tensors: Mapping[str, Any], num_samples: int | None) -> None:
        """Initializes the provider.

        Args:
          items_to_tensors: Tensors by item.
          num_samples: Number of samples in the dataset.
        """
        self._items_to_tensors = items_to_tensors
        self._num_samples = num_samples

    def get(self, items: Any) -> list[Any]:
        """Returns the tensors of items.

        Args:
          items: List of item names.

        Raises:
          ValueError: `items` is not a list, or an item does not exist.
        """
        self._validate_items(items)
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> Iterable[str]:
        """Returns the names of all items."""
        return self._items_to_tensors.keys()

    def num_samples(self) -> int | None:
        """Returns the number of samples in the dataset."""
        return self._num_samples

    def _validate_items(self, items: Any) -> None:
        if not isinstance(items, (list, tuple)):
            raise ValueError("items must be a list or tuple")
        valid = self.list_items()
        for item in items:
            if item not in valid:
                raise ValueError(f"Item [{item}] is invalid. Valid entries include: {list(valid)}")
