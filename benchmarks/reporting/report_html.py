"""Renders a report as one self-contained page, without scripts or external resources.

    import json
    import pathlib

    from benchmarks.reporting import report_html

    whole = json.loads(pathlib.Path("report/report.json").read_text())
    report_html.write(whole, "report/report.html")

The charts are drawn here, as shares of their boxes (bars, timeline) or as small SVG figures (loss
curves), so that the page can also be read on a phone.
"""

import math
import os
import pathlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.reporting import axes
from benchmarks.reporting import report as report_lib
from migrate import equivalence, html_pages
from modern.process import files

_TEMPLATE = pathlib.Path(__file__).with_name("report.html.j2")
_WAYS = ("single", "mirrored", "legacy", "parameter_server", "multi_worker_mirrored")
_TIERS = {
    equivalence.EXACT: (
        "Exact",
        "The same initial weights and examples in the same order: after the same steps, all weights"
        " agree. The statistic is the largest deviation of any variable, as a part of how far"
        " training moved it.",
    ),
    equivalence.STATISTICAL: (
        "Statistical",
        "Asynchronous training has no fixed order, so results are compared over seeds. The"
        " statistic is the far end of the confidence interval of the difference, the limit is the"
        " margin (two one-sided tests). “Not significantly different” would not be enough.",
    ),
    equivalence.TRAJECTORY: (
        "Trajectory",
        "The loss curve of each run stays within the envelope of the reference’s runs. The"
        " statistic is the farthest that one leaves it, as a part of the reference’s drop in loss.",
    ),
}
_POINTS = 80  # Maximum number of points of a drawn curve.


def write(report: Mapping[str, Any], path: str | os.PathLike[str]) -> pathlib.Path:
    """Writes the page, whole or not at all. Replaces an existing file.

    Args:
      report: A report of `report.build`, or `report.json` read back.
      path: The file. Its directory is created.

    Returns:
      The path.
    """
    files.write_text(path, render(report))
    return pathlib.Path(path)


def render(report: Mapping[str, Any]) -> str:
    """Returns the page as HTML. All text of the report is escaped."""
    filters = {
        "figure": _figure,
        "count": lambda n: f"{n:,.0f}",
        "percent": lambda x: f"{100 * x:.1f} %",
    }
    checks = report["equivalence"]["checks"]
    content = {
        "report": report,
        "summary": report_lib.summary(report),
        "highlights": _highlights(report),
        "open": [check for check in checks if check["outcome"] != equivalence.EQUIVALENT],
        "tiers": _tiers(checks),
        "bars": _bars(report["ways"]),
        "panels": _panels(report["curves"], report["reference"]),
        "timeline": _timeline(report["timeline"]),
        "color": _color,
        "box": axes.BOX,
    }
    return html_pages.rendered(_TEMPLATE, content, filters)


def _color(way: str) -> str:
    """Returns the name of the page's colour for a way."""
    return way if way in _WAYS else "other"


def _figure(value: float | None) -> str:
    """Returns a figure with three digits, without an exponent if it is readable without one."""
    if value is None:
        return "none"
    if value == 0 or 1e-4 <= abs(value) < 1e5:
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:.1e}"


def _highlights(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Returns the numbers next to the verdict: (figure, meaning)."""
    checks, ways = report["equivalence"]["checks"], report["ways"]
    equal = sum(check["outcome"] == equivalence.EQUIVALENT for check in checks)
    highlights = [(f"{equal} of {len(checks)}", "checks show equivalence")]
    for key, scale, form, unit in (("accuracy", 100, "{:.1f}", " %"), ("loss", 1, "{:.3f}", "")):
        values = [way["eval"][key] for way in ways.values() if way["eval"][key] is not None]
        if values:
            figure = _range([scale * value for value in values], form) + unit
            highlights.append((figure, f"evaluation {key} of the ways (medians)"))
    ratios = [
        way["ratio_to_single"]
        for name, way in ways.items()
        if name != report_lib.SINGLE and way["ratio_to_single"] is not None
    ]
    if ratios:
        highlights.append(
            (_range(ratios, "{:.2f}") + " ×", "throughput, where one process alone is 1")
        )
    return highlights


def _range(values: Iterable[float], form: str) -> str:
    ends = sorted(values)
    low, high = form.format(ends[0]), form.format(ends[-1])
    return low if low == high else f"{low} – {high}"


def _tiers(checks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns the checks by tier, each with the used fraction of its limit."""
    tiers = []
    for tier, (title, meaning) in _TIERS.items():
        rows = [dict(check) for check in checks if check["tier"] == tier]
        for row in rows:
            share = _share_of_limit(row["statistic"], row["limit"])
            row["meter"] = round(min(100 * share, 100), 1)
        if rows:
            catches = equivalence.CATCHES[tier]
            tiers.append({"title": title, "meaning": meaning, "catches": catches, "rows": rows})
    return tiers


def _share_of_limit(statistic: float | None, limit: float) -> float:
    """Returns statistic / limit. A limit of zero allows only zero."""
    if statistic is None or (limit == 0 and statistic > 0):
        return math.inf
    return statistic / limit if limit else 0.0


def _bars(ways: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Returns the bars of throughput, in percent of the fastest run."""
    measured = {name: way for name, way in ways.items() if report_lib.speed_of(way) is not None}
    top = max((way["examples_per_second"]["max"] for way in measured.values()), default=0) or 1.0
    rows = []
    for name, way in measured.items():
        speed = way["examples_per_second"]
        share = {key: round(100 * speed[key] / top, 2) for key in speed}
        rows.append({"name": name, "speed": speed, "share": share, "ratio": way["ratio_to_single"]})
    limit = [row["share"]["median"] for row in rows if row["name"] == report_lib.SINGLE]
    return {"rows": rows, "limit": limit[0] if limit else None}


def _panels(curves: Mapping[str, Sequence], reference: str) -> dict[str, Any]:
    """Returns a figure for each way: its runs' curves over the reference's and their envelope."""
    curves_by_way = {way: [_thin(run["points"]) for run in runs] for way, runs in curves.items()}
    curves_by_way = {
        way: [points for points in runs if len(points) > 1] for way, runs in curves_by_way.items()
    }
    all_curves = [points for runs in curves_by_way.values() for points in runs]
    if not all_curves:
        return {"figures": [], "reference": reference}
    points = np.concatenate(all_curves)
    x_ticks = axes.ticks(0.0, float(points[:, 0].max()), 4)
    y_ticks = axes.ticks(min(0.0, float(points[:, 1].min())), float(points[:, 1].max()), 5)
    scale = axes.Scale(x_ticks[-1], y_ticks[0], y_ticks[-1])
    base = curves_by_way.get(reference, [])
    figures = [
        {
            "name": way,
            "runs": [scale.line(run) for run in runs],
            "base": [] if way == reference else [scale.line(run) for run in base],
            "envelope": _envelope(scale, base),
            "ends": _range([float(run[-1, 1]) for run in runs], "{:.3f}"),
        }
        for way, runs in curves_by_way.items()
        if runs and (way != reference or len(curves_by_way) == 1)
    ]
    ticks = {
        "x": [(round(scale.x(t), 1), f"{t:,.0f}") for t in x_ticks],
        "y": [(round(scale.y(t), 1), f"{t:g}") for t in y_ticks],
    }
    return {"figures": figures, "reference": reference, "ticks": ticks}


def _thin(points: Sequence[tuple[float, float | None]]) -> np.ndarray:
    """Returns a curve as means of groups of neighbouring points, shape [at most _POINTS, 2]."""
    points_with_loss = np.array(sorted((x, y) for x, y in points if y is not None), float).reshape(
        -1, 2
    )
    parts = (
        np.array_split(points_with_loss, min(len(points_with_loss), _POINTS))
        if len(points_with_loss)
        else []
    )
    return np.array([part.mean(axis=0) for part in parts]).reshape(-1, 2)


def _envelope(scale: axes.Scale, runs: Sequence[np.ndarray]) -> str:
    """Returns the outline of the area between the lowest and the highest of the runs."""
    if not runs:
        return ""
    grid = np.linspace(max(r[0, 0] for r in runs), min(r[-1, 0] for r in runs), _POINTS)
    heights = np.array([np.interp(grid, run[:, 0], run[:, 1]) for run in runs])
    upper = np.column_stack([grid, heights.max(axis=0)])
    lower = np.column_stack([grid, heights.min(axis=0)])
    return scale.line(np.concatenate([upper, lower[::-1]]))


def _timeline(spans: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns a row for each task of each way, with its processes in percent of the whole time."""
    if not spans:
        return {"rows": [], "ticks": []}
    ticks = axes.ticks(0.0, max(span["end_s"] for span in spans), 4)
    rows: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for span in spans:
        rows.setdefault((span["way"], span["task"]), []).append(span)
    labelled_ways: set[str] = set()
    task_rows = []
    for (way, task), of_task in sorted(rows.items(), key=lambda row: _order(spans, row[0][0])):
        waits = [s["first_step_s"] - s["start_s"] for s in of_task if s["first_step_s"] is not None]
        task_rows.append(
            {
                "way": way,
                "first": way not in labelled_ways,
                "task": task,
                "wait": _range(waits, "{:.1f}") + " s" if waits else "",
                "blocks": [block for span in of_task for block in _blocks(span, ticks[-1])],
            }
        )
        labelled_ways.add(way)
    return {"rows": task_rows, "ticks": [(100 * t / ticks[-1], f"{t:g} s") for t in ticks]}


def _order(spans: Sequence[Mapping[str, Any]], way: str) -> int:
    return next(index for index, span in enumerate(spans) if span["way"] == way)


def _blocks(span: Mapping[str, Any], end_s: float) -> list[dict[str, Any]]:
    """Returns the start-up and the rest of a process as blocks. Without steps it is one block."""
    first = span["first_step_s"]
    parts = [("serves", span["start_s"], span["end_s"])]
    if first is not None:
        parts = [("starts", span["start_s"], first), ("trains", first, span["end_s"])]
    return [
        {
            "kind": kind,
            "left": round(100 * start / end_s, 3),
            "width": round(100 * max(end - start, 0.0) / end_s, 3),
            "title": f"{kind}: {start:.1f} to {end:.1f} s",
        }
        for kind, start, end in parts
    ]
