"""tf.contrib.slim's data providers: one tensor for each item of a dataset.

image, label = DataProvider({"image": images, "label": labels}, 100).get(["image", "label"])
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping
from typing import Any


class DataProvider(abc.ABC):  # noqa: B024 (As the original: for classes that make the tensors.)
    """What has a tensor for each item."""

    def __init__(self, items_to_tensors: Mapping[str, Any], num_samples: int | None) -> None:
        """Sets the tensors.

        Args:
          items_to_tensors: Tensors by item.
          num_samples: How many samples the dataset has.
        """
        self._items_to_tensors = items_to_tensors
        self._num_samples = num_samples

    def get(self, items: Any) -> list[Any]:
        """Returns the tensors of items.

        Args:
          items: Names, in a list.

        Raises:
          ValueError: It is no list, or there is no such item.
        """
        self._validate_items(items)
        return [self._items_to_tensors[item] for item in items]

    def list_items(self) -> Iterable[str]:
        """Returns the names of all items."""
        return self._items_to_tensors.keys()

    def num_samples(self) -> int | None:
        """Returns how many samples the dataset has."""
        return self._num_samples

    def _validate_items(self, items: Any) -> None:
        if not isinstance(items, (list, tuple)):
            raise ValueError("items must be a list or tuple")
        valid = self.list_items()
        for item in items:
            if item not in valid:
                raise ValueError(f"Item [{item}] is invalid. Valid entries include: {list(valid)}")
