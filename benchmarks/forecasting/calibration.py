"""The costs of a step of each way, as the report of a comparison has measured them.

    costs = calibration.read("report/report.json")
    costs["multi_worker_mirrored"].compute_s

All processes of a comparison share the cores of one machine. N trainers' steps together take the
time that the report has measured for one of them, so the work of one trainer is an N-th of it.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import statistics
from collections.abc import Mapping
from typing import Any

from benchmarks.reporting import schema
from modern.process import files

_SINGLE = "single"
_SYNCHRONOUS = "multi_worker_mirrored"
_ON_PS = ("legacy", "parameter_server")
# The 90th percentile of a normal distribution, in standard deviations.
_P90 = statistics.NormalDist().inv_cdf(0.9)


class ReportError(ValueError):
    """Error of a report that gives no forecast. The message names the file and the reason."""


@dataclasses.dataclass(frozen=True)
class WayCost:
    """The work of one trainer in one step, without a network.

    Attributes:
      synchronous: Whether trainers sum up their gradients in each step. Otherwise they have
        parameter servers.
      trainers: Number of trainers in the comparison, at least two.
      batch_size: Examples of a batch.
      parameter_bytes: Size of all trainable weights.
      compute_s: Seconds in which a machine of its own computes the gradients of a batch.
      software_s: Seconds of such a machine for the communication of a step: serializing, copying,
        scheduling. The share of the parameter servers is part of it.
      spread_s: Standard deviation of the seconds of a step that only computes.
      compresses: Whether the way has --gradient_compression.
    """

    synchronous: bool
    trainers: int
    batch_size: int
    parameter_bytes: int
    compute_s: float
    software_s: float
    spread_s: float
    compresses: bool


def read(path: str | os.PathLike[str]) -> dict[str, WayCost]:
    """Returns the costs of each way that communicates, by its name.

    Args:
      path: A `report.json` of `benchmarks.compare`.

    Raises:
      ReportError: The file is no report, or nothing in it can be forecast.
    """
    name = os.fspath(path)
    remedy = "give a report.json of `python -m benchmarks.compare`."
    try:
        report = json.loads(files.read_text(name))
        if not isinstance(report, dict):
            raise ValueError("it is not an object")
        schema.validate(report)
    except OSError as error:
        raise ReportError(f"{name} cannot be read ({error.strerror or error}): {remedy}") from error
    except (ValueError, OverflowError, RecursionError) as error:
        raise ReportError(f"{name} is no report of a comparison ({error}): {remedy}") from error
    return of_report(report, name)


def of_report(report: Mapping[str, Any], name: str = "report") -> dict[str, WayCost]:
    """Returns the costs of each way that communicates, by its name.

    Args:
      report: The content of a `report.json`, which `schema.validate` has accepted.
      name: Name of the report, for messages.

    Raises:
      ReportError: Nothing in the report can be forecast.
    """
    ways = report["ways"]
    single = ways.get(_SINGLE)
    if single is None:
        raise ReportError(
            f"{name} lacks the way single, whose speed is that of computing alone: compare with it."
        )
    costs = {way: _of_way(report, way, name) for way in ways if _communicates(way, ways[way])}
    if not costs:
        raise ReportError(
            f"{name} has no way with several trainers ({', '.join(ways)}): compare "
            f"{_ON_PS[1]} or {_SYNCHRONOUS}, too."
        )
    return costs


def _communicates(way: str, entry: Mapping[str, Any]) -> bool:
    return entry["trainers"] > 1 and way.endswith((_SYNCHRONOUS, *_ON_PS))


def _of_way(report: Mapping[str, Any], way: str, name: str) -> WayCost:
    entry, single = report["ways"][way], report["ways"][_SINGLE]
    try:
        cost = report["cost"][way]
        figures = [cost["compute_ms"], cost["cost_ms"], entry["batch_size"]]
        figures.append(entry["parameter_bytes"])
    except (KeyError, TypeError):
        figures = [None]
    if not all(_is_finite(figure) for figure in figures) or figures[0] <= 0 or figures[2] <= 0:
        raise ReportError(
            f"{name}: ways.{way} has no usable cost, batch_size and parameter_bytes: repeat the "
            "comparison with this version, with more --steps if it has no speed."
        )
    compute_ms, cost_ms, batch_size, parameter_bytes = figures
    trainers = entry["trainers"]
    spread_ms = max(single["step_ms"]["p90"] - single["step_ms"]["p50"], 0) / _P90
    return WayCost(
        synchronous=way.endswith(_SYNCHRONOUS),
        trainers=trainers,
        batch_size=batch_size,
        parameter_bytes=parameter_bytes,
        compute_s=compute_ms / trainers / 1e3,
        # Where `single` leaves cores idle, the estimate of the cost can be negative.
        software_s=max(cost_ms, 0) / trainers / 1e3,
        spread_s=spread_ms / 1e3,
        compresses=not way.endswith("legacy"),
    )


def _is_finite(figure: Any) -> bool:
    return (
        isinstance(figure, int | float) and not isinstance(figure, bool) and math.isfinite(figure)
    )
