"""Base class of tf.contrib.slim's decoders, which turn serialized data into items.

class MyDecoder(DataDecoder):
"""

from __future__ import annotations

import abc
from typing import Any


class DataDecoder(abc.ABC):
    """Decoder that turns serialized data into items."""

    @abc.abstractmethod
    def decode(self, data: Any, items: Any) -> list[Any]:
        """Returns the tensors of items.

        Args:
          data: Serialized data.
          items: List of item names.
        """

    @abc.abstractmethod
    def list_items(self) -> list[str]:
        """Returns the names of all items."""
