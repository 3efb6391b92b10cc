"""tf.contrib.slim's decoders: from serialized data to items.

class MyDecoder(DataDecoder):
"""

from __future__ import annotations

import abc
from typing import Any


class DataDecoder(abc.ABC):
    """What makes items of serialized data."""

    @abc.abstractmethod
    def decode(self, data: Any, items: Any) -> list[Any]:
        """Returns the tensors of items.

        Args:
          data: The serialized data.
          items: Names, in a list.
        """

    @abc.abstractmethod
    def list_items(self) -> list[str]:
        """Returns the names of all items."""
