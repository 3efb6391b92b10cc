"""The contract of `report.json`, and a check that names the place of an error.

    import json
    import pathlib

    from benchmarks.reporting import schema

    schema.validate(json.loads(pathlib.Path("report/report.json").read_text()))

Keys in addition to those of the contract are allowed everywhere. A missing figure is null where the
table allows it. It is never NaN, which JSON does not have.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

VERSION = 2
TIERS = ("exact", "statistical", "trajectory")
OUTCOMES = ("equivalent", "different", "inconclusive")

_TEXT, _COUNT, _NUMBER, _MAYBE, _SPEED = ("text", "count", "number", "number or null", "speed")
_MAP: dict[str, Any] = {}
_WAY = {
    "cluster": _MAP,
    "trainers": _COUNT,
    "steps": _COUNT,
    "examples": _COUNT,
    "examples_per_second": {"median": _SPEED, "min": _SPEED, "max": _SPEED},
    "ratio_to_single": _MAYBE,
    "step_ms": {"p50": _SPEED, "p90": _SPEED},
    "startup_s": _NUMBER,
    "peak_rss_mb": _MAP,
    "eval": {"loss": _MAYBE, "accuracy": _MAYBE},
    "global_step": _COUNT,
}
_CHECK = {
    "name": _TEXT,
    "tier": _TEXT,
    "a": _TEXT,
    "b": _TEXT,
    "statistic": _MAYBE,
    "limit": _NUMBER,
    "outcome": _TEXT,
    "more_seeds": _MAYBE,
}
_REPORT = {
    "schema": _COUNT,
    "job": _TEXT,
    "dataset": _TEXT,
    "machine": _MAP,
    "versions": _MAP,
    "ways": _MAP,
    "equivalence": {"outcome": _TEXT},
}


def validate(report: Mapping[str, Any]) -> None:
    """Checks a report against the contract.

    Args:
      report: The whole content of `report.json`.

    Raises:
      ValueError: A key is missing, a value has the wrong type or sign, a figure is not finite, or
        the verdict contradicts its checks. The message names the place, such as
        `ways.legacy.step_ms.p50`.
    """
    _check(report, _REPORT, "")
    if report["schema"] != VERSION:
        raise ValueError(f"report: schema is {report['schema']}, this program knows {VERSION}")
    if not report["ways"]:
        raise ValueError("report: ways is empty, so nothing was compared")
    for name, way in report["ways"].items():
        _check(way, _WAY, f"ways.{name}")
        for part, kind in (("cluster", _COUNT), ("peak_rss_mb", _NUMBER)):
            for key, value in way[part].items():
                _check(value, kind, f"ways.{name}.{part}.{key}")
        _check_order(way["examples_per_second"], f"ways.{name}.examples_per_second")
    _check_verdict(report["equivalence"])
    try:
        json.dumps(report, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"report: cannot be written as JSON: {error}") from error


def _check(value: Any, kind: Any, path: str) -> None:
    """Raises ValueError unless `value` is of `kind`: a word, or a mapping of keys to kinds."""
    place = path or "report"
    if isinstance(kind, dict):
        if not isinstance(value, Mapping):
            raise ValueError(f"report: {place} must be an object, not {value!r}")
        for key, inner in kind.items():
            if key not in value:
                raise ValueError(f"report: {place} lacks {key!r}")
            _check(value[key], inner, f"{path}.{key}" if path else key)
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = {
        _TEXT: isinstance(value, str) and bool(value),
        _COUNT: number and isinstance(value, int) and value >= 0,
        _NUMBER: number and math.isfinite(value) and value >= 0,
        _MAYBE: value is None or (number and math.isfinite(value)),
        # Null: the runs were too short to be measured.
        _SPEED: value is None or (number and math.isfinite(value) and value >= 0),
    }
    if not fits[kind]:
        words = {
            _TEXT: "a text that is not empty",
            _COUNT: "a whole number, 0 or more",
            _NUMBER: "a finite number, 0 or more",
            _MAYBE: "a finite number or null",
            _SPEED: "a finite number, 0 or more, or null",
        }
        raise ValueError(f"report: {place} must be {words[kind]}, it is {value!r}")


def _check_order(spread: Mapping[str, Any], path: str) -> None:
    ends = [spread[key] for key in ("min", "median", "max")]
    if ends == [None, None, None]:
        return
    if None in ends or not spread["min"] <= spread["median"] <= spread["max"]:
        raise ValueError(f"report: {path} must have min <= median <= max, it is {dict(spread)}")


def _check_verdict(equivalence: Mapping[str, Any]) -> None:
    checks = equivalence.get("checks")
    if not isinstance(checks, list):
        raise ValueError(f"report: equivalence.checks must be a list, it is {checks!r}")
    for index, check in enumerate(checks):
        path = f"equivalence.checks.{index}"
        _check(check, _CHECK, path)
        if check["tier"] not in TIERS:
            tiers = ", ".join(TIERS)
            raise ValueError(f"report: {path}.tier must be one of {tiers}: it is {check['tier']!r}")
        if check["outcome"] not in OUTCOMES:
            raise ValueError(
                f"report: {path}.outcome must be one of {', '.join(OUTCOMES)}: it is "
                f"{check['outcome']!r}"
            )
        within = check["statistic"] is not None and check["statistic"] <= check["limit"]
        if check["outcome"] == "equivalent" and not within:
            raise ValueError(
                f"report: {path} ({check['name']}) is equivalent with statistic "
                f"{check['statistic']} over its limit {check['limit']}"
            )
    outcomes = {check["outcome"] for check in checks}
    outcome = "equivalent" if outcomes == {"equivalent"} else "inconclusive"
    outcome = "different" if "different" in outcomes else outcome
    if equivalence["outcome"] != outcome:
        raise ValueError(
            f"report: equivalence.outcome is {equivalence['outcome']}, its checks say {outcome}"
        )
