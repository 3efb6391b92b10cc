"""Crosses of two or more columns of categories, with either Keras.

ids = crossing.HashedCrossing(1000)([education, occupation, age])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modern.process.chosen_keras import keras


class HashedCrossing(keras.layers.HashedCrossing):
    """Keras' crossing. In Keras 3 it refuses more than two columns, although it can cross them."""

    def compute_output_shape(self, input_shape: Sequence[Any]) -> Any:
        """Returns the shape of the ids, which is that of each column."""
        return super().compute_output_shape(input_shape[:2])
