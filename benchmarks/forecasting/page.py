"""Renders a forecast as a self-contained page with two charts.

page.write(forecast, "forecast.html")
"""

from __future__ import annotations

import os
import pathlib
from typing import Any

from benchmarks.forecasting.forecast import Forecast
from benchmarks.reporting import axes
from migrate import html_pages
from modern.process import files

_TEMPLATE = pathlib.Path(__file__).with_name("page.html.j2")


def write(forecast: Forecast, path: str | os.PathLike[str]) -> pathlib.Path:
    """Writes the page, whole or not at all. Replaces an existing file.

    Args:
      forecast: The forecast.
      path: The file.

    Returns:
      The path.
    """
    files.write_text(path, render(forecast))
    return pathlib.Path(path)


def render(forecast: Forecast) -> str:
    """Returns the page as HTML."""
    cluster = forecast.cluster
    charts = [
        _chart(forecast, "Examples per second", cluster.speed, ",.4g"),
        _chart(forecast, "Efficiency", cluster.efficiency, ".0%"),
    ]
    rows = [
        {
            "workers": n,
            "speeds": [f"{cluster.speed(cost, n):,.0f}" for cost in forecast.costs.values()],
        }
        for n in forecast.numbers
    ]
    content = {"forecast": forecast, "charts": charts, "rows": rows, "box": axes.BOX}
    return html_pages.rendered(_TEMPLATE, content)


def _chart(forecast: Forecast, title: str, figure_of: Any, form: str) -> dict[str, Any]:
    """Returns the areas of the ways, between the lowest and the highest figures."""
    ranges = {
        way: [figure_of(cost, n) for n in forecast.numbers] for way, cost in forecast.costs.items()
    }
    top = max(figure.high for of_way in ranges.values() for figure in of_way)
    x_ticks, y_ticks = axes.ticks(0.0, forecast.workers, 4), axes.ticks(0.0, top, 4)
    scale = axes.Scale(x_ticks[-1], 0.0, y_ticks[-1])
    numbers = forecast.numbers
    return {
        "title": title,
        "areas": {
            way: scale.line(
                [
                    *((n, figure.high) for n, figure in zip(numbers, of_way, strict=True)),
                    *reversed([(n, f.low) for n, f in zip(numbers, of_way, strict=True)]),
                ]
            )
            for way, of_way in ranges.items()
        },
        "x": [(round(scale.x(tick), 1), f"{tick:g}") for tick in x_ticks],
        "y": [(round(scale.y(tick), 1), f"{tick:{form}}") for tick in y_ticks],
    }
