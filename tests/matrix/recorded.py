"""The recorded results of the matrix, docs/evidence/versions.json.

A result is valid for the sources that it was measured with. So an interrupted run continues, and a
change of the package begins a new one.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import pathlib
from collections.abc import Mapping
from typing import Any

from tests.matrix.cells import Cell
from tests.matrix.environment import ROOT

PATH = ROOT / "docs" / "evidence" / "versions.json"
_FLOORS = ("modern", "legacy", "migrate", "benchmarks")
_KEYS = ("python", "tensorflow", "keras")


def read(path: pathlib.Path = PATH) -> dict[Cell, dict[str, Any]]:
    """Returns the results by cell."""
    if not path.exists():
        return {}
    results = json.loads(path.read_text())
    return {Cell(*(result["cell"][key] for key in _KEYS)): result for result in results}


def add(cell: Cell, result: Mapping[str, Any], path: pathlib.Path = PATH) -> None:
    """Records the result of a cell, in the place of an earlier one.

    A cell that could not be tested on this machine keeps its earlier result.

    Args:
      cell: The cell.
      result: "sources", the digest of the tested sources. "versions" and "ways" (the state of
        each), and "reasons" of those that did not pass. Or "not_tested", the reason why the cell
        was not tested.
      path: The file.
    """
    results = read(path)
    if "not_tested" in result and cell in results:
        return
    results[cell] = {
        "cell": {key: getattr(cell, key) for key in _KEYS},
        "date": datetime.date.today().isoformat(),
        **result,
    }
    path.write_text(json.dumps([results[cell] for cell in sorted(results)], indent=1) + "\n")


def is_passed(result: Mapping[str, Any]) -> bool:
    """Returns whether no way of a tested cell failed."""
    return "ways" in result and "failed" not in result["ways"].values()


def is_current(result: Mapping[str, Any]) -> bool:
    """Returns whether a cell passed with the present sources."""
    return is_passed(result) and result["sources"] == sources()


def sources() -> str:
    """Returns a digest of the Python files of the package."""
    digest = hashlib.sha256()
    for floor in _FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]
