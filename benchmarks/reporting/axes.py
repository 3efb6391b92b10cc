"""The axes of the charts on the pages, which are small SVG figures.

>>> ticks(0.0, 7.3, 4)
[0.0, 2.0, 4.0, 6.0, 8.0]
>>> Scale(8.0, 0.0, 1.0).line([(0, 0), (8, 1)])
'40.0,176.0 354.0,8.0'
"""

import math
from collections.abc import Iterable, Sequence

_WIDTH, _HEIGHT = 360, 210  # In pixels on the page.
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 6, 8, 34
# For the templates: the size of a chart, and the edges of the area between its axes.
BOX = {
    "width": _WIDTH,
    "height": _HEIGHT,
    "left": _LEFT,
    "right": _WIDTH - _RIGHT,
    "top": _TOP,
    "bottom": _HEIGHT - _BOTTOM,
}


class Scale:
    """Maps figures to the coordinates of a chart, whose x axis begins at 0."""

    def __init__(self, x_end: float, y_start: float, y_end: float) -> None:
        self._x_end, self._y_start, self._y_end = x_end, y_start, y_end

    def x(self, value: float) -> float:
        """Returns the x coordinate of a value."""
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * value / self._x_end

    def y(self, value: float) -> float:
        """Returns the y coordinate of a value."""
        share = (value - self._y_start) / (self._y_end - self._y_start)
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share

    def line(self, points: Iterable[Sequence[float]]) -> str:
        """Returns points (x, y) as those of an SVG polyline."""
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)


def ticks(start: float, end: float, about: int) -> list[float]:
    """Returns round numbers from at or below `start` to at or above `end`."""
    span = (end - start) or abs(end) or 1.0
    unit = 10.0 ** math.floor(math.log10(span / about))
    step = next(unit * m for m in (1, 2, 2.5, 5, 10) if span / (unit * m) <= about)
    # 1e-9 absorbs the rounding errors of the division.
    first = math.floor(start / step + 1e-9)
    last = max(math.ceil(end / step - 1e-9), first + 1)
    return [index * step for index in range(first, last + 1)]
