"""The tables of docs/versions.md, made from the recorded results."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

from tests.matrix import cells
from tests.matrix.cells import Cell
from tests.matrix.environment import ROOT

PAGE = ROOT / "docs" / "versions.md"
_BEGIN, _END = "<!-- matrix: begin -->\n", "<!-- matrix: end -->\n"

Results = Mapping[Cell, Mapping[str, Any]]


def tables(results: Results) -> str:
    """Returns two Markdown tables: of each TensorFlow, and of the ends of Keras 3."""
    pythons = sorted({python for versions in cells.PYTHONS.values() for python in versions})
    header = ["TensorFlow", *(f"Python {python}" for python in pythons)]
    rows = [
        [tensorflow, *(_of(results, Cell(python, tensorflow)) for python in pythons)]
        for tensorflow in cells.PYTHONS
    ]
    ends = [
        [_keras(results, cell), cell.tensorflow, cell.python, _state(results.get(cell))]
        for cell in keras_ends(results)
    ]
    return "\n\n".join(
        (_table(header, rows), _table(["Keras 3", "TensorFlow", "Python", "result"], ends))
    )


def keras_ends(results: Results) -> list[Cell]:
    """Returns the cells with the lowest and the newest Keras that were tested."""
    tested = [cell for cell in results if "versions" in results[cell]]
    newest = max(tested, key=lambda cell: (_numbers(_keras(results, cell)), cell), default=None)
    return [Cell(*cells.LOWEST_KERAS), *([newest] if newest else [])]


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def _keras(results: Results, cell: Cell) -> str:
    result = results.get(cell, {})
    return result["versions"]["keras"] if "versions" in result else cell.keras


def _of(results: Results, cell: Cell) -> str:
    """Returns the text of a cell: its result and its Keras 3."""
    if cell.python not in cells.PYTHONS[cell.tensorflow]:
        return "–"
    result = results.get(cell)
    keras = f", Keras {_keras(results, cell)}" if result and "versions" in result else ""
    return f"{_state(result)}{keras}"


def _state(result: Mapping[str, Any] | None) -> str:
    if result is None:
        return "not tested"
    if "not_tested" in result:
        return f"not tested: {result['not_tested']}"
    by_state: dict[str, list[str]] = {}
    for way, state in result["ways"].items():
        by_state.setdefault(state, []).append(way)
    if "failed" in by_state:
        return f"fails: {', '.join(by_state['failed'])}"
    if "refused" in by_state:
        return "tf_keras only"
    return "passes"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def shown(path: pathlib.Path = PAGE) -> str:
    """Returns the tables that the page shows."""
    return path.read_text().partition(_BEGIN)[2].partition(_END)[0].strip()


def write(results: Results, path: pathlib.Path = PAGE) -> None:
    """Replaces the tables of the page."""
    before, begin, rest = path.read_text().partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{path} lacks the line {_BEGIN.strip()} or {_END.strip()}.")
    path.write_text(f"{before}{begin}{tables(results)}\n{end}{after}")
