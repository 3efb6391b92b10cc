"""Stores recorded runs, from which verdicts are drawn to measure their error rates.

A pool holds the results of many seeds of every way, without a defect and with each planted defect.
`python -m tests.benchmarks.record_pool` records it. The file is JSON, compressed by gzip:

    {"setting": {"job": "mnist_cnn", ...},
     "machine": {...}, "versions": {...},
     "equal": {way: [run, ...]},
     "defects": {defect: {way: {"exact": {name of a check: share of seeds in which it shows the
                                          defect}, "runs": [run, ...]}}}}

A run has the keys "seed", "eval" and "loss_curve" of its result.json.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.ways import Setting
from modern.process import files

FOLDER = pathlib.Path(__file__).parent / "pools"
# A comparison has the error rates of a pool if these fields agree. The others do not change
# results.
_COMPARED = (
    "job", "dataset", "batch_size", "learning_rate", "learning_rate_decay", "trainers", "ps",
    "steps", "gradient_compression",
)  # fmt: skip
_DIGITS = 5

Run = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class Pool:
    """The content of a pool's file.

    Attributes:
      setting: The setting that all runs share, by the names of `ways.Setting`.
      machine: The machine that recorded it, see `report.machine`.
      versions: Versions of the libraries.
      equal: Runs without a defect, by way.
      defects: For each defect and way, the share of seeds in which each exact check shows the
        defect ("exact"), and the runs ("runs").
    """

    setting: Mapping[str, Any]
    machine: Mapping[str, Any]
    versions: Mapping[str, str]
    equal: Mapping[str, Sequence[Run]]
    defects: Mapping[str, Mapping[str, Mapping[str, Any]]]


def setting_of(setting: Setting) -> dict[str, Any]:
    """Returns the part of a setting that selects its pool."""
    return {name: getattr(setting, name) for name in _COMPARED}


def run_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the part of a result.json that a pool keeps, with rounded figures."""
    curve = [[round(x), round(y, _DIGITS)] for x, y in result["loss_curve"]]
    scores = {name: round(value, _DIGITS) for name, value in result["eval"].items()}
    return {"seed": result["seed"], "eval": scores, "loss_curve": curve}


def write(pool: Pool, path: pathlib.Path) -> None:
    """Writes a pool, whole or not at all."""
    text = json.dumps(dataclasses.asdict(pool), separators=(",", ":"))
    # mtime=0: equal pools give equal files.
    files.write_bytes(path, gzip.compress(text.encode(), mtime=0))


def read(path: pathlib.Path) -> Pool:
    """Reads the pool of a file."""
    return Pool(**json.loads(gzip.decompress(path.read_bytes())))


def find(setting: Setting) -> Pool | None:
    """Returns the pool of a setting, or None if none was recorded."""
    path = FOLDER / f"{setting.job}.json.gz"
    if not path.exists():
        return None
    pool = read(path)
    return pool if dict(pool.setting) == setting_of(setting) else None
