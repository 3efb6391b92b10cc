"""The versions of Python, TensorFlow and Keras that are tested together.

>>> str(Cell("3.12", "2.18", "3.6.0"))
'Python 3.12, TensorFlow 2.18, Keras 3.6.0'
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

NEWEST = "newest"

# The versions of Python that have a package of TensorFlow.
_TO_312 = ("3.10", "3.11", "3.12")
_TO_313 = (*_TO_312, "3.13")
PYTHONS = {
    "2.16": _TO_312,
    "2.17": _TO_312,
    "2.18": _TO_312,
    "2.19": _TO_312,
    "2.20": _TO_313,
    "2.21": _TO_313,
}
# The lowest Keras 3 that is supported, with the TensorFlow of its time.
LOWEST_KERAS = ("3.12", "2.18", "3.6.0")


@dataclasses.dataclass(frozen=True, order=True)
class Cell:
    """One environment of the matrix.

    Attributes:
      python: Minor version of Python.
      tensorflow: Minor version of TensorFlow and of tf-keras.
      keras: Version of Keras 3, or `NEWEST` for the one that pip chooses.
    """

    python: str
    tensorflow: str
    keras: str = NEWEST

    def __str__(self) -> str:
        keras = "" if self.keras == NEWEST else f", Keras {self.keras}"
        return f"Python {self.python}, TensorFlow {self.tensorflow}{keras}"


def all_cells() -> Iterator[Cell]:
    """Yields every cell, the ends first: an interrupted run has tested those.

    Then each TensorFlow comes with its newest Python, and after that with the older ones.
    """
    oldest, newest = next(iter(PYTHONS)), next(reversed(PYTHONS))
    ends = [
        Cell(*LOWEST_KERAS),
        Cell(PYTHONS[oldest][0], oldest),
        Cell(PYTHONS[newest][-1], newest),
    ]
    yield from ends
    for age in range(1, 1 + max(map(len, PYTHONS.values()))):
        for tensorflow, pythons in PYTHONS.items():
            if age <= len(pythons) and Cell(pythons[-age], tensorflow) not in ends:
                yield Cell(pythons[-age], tensorflow)


def selected(python: str | None, tensorflow: str | None, keras: str | None) -> list[Cell]:
    """Returns the cells with these versions. None selects all."""
    return [
        cell
        for cell in all_cells()
        if python in (None, cell.python)
        and tensorflow in (None, cell.tensorflow)
        and keras in (None, cell.keras)
    ]
