"""Runs the smoke test of the matrix and records its results.

    python -m tests.matrix                                   # all versions, about two hours
    python -m tests.matrix --python=3.12 --tensorflow=2.18   # some
    python -m tests.matrix --page                            # only writes the tables of the docs

Each environment takes 2 GB of disk below --folder, and there are up to three at a time. A cell that
has passed with the present sources is not tested again, unless --again is given. The exit code is 0
if every selected cell passed, 1 if one failed, and 3 if one could not be tested.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import pathlib
import shutil
import sys
import tempfile
import time
from typing import Any

from tests.matrix import cells, environment, page, recorded, ways

FAILED, NOT_TESTED = 1, 3


def main() -> int:
    """Reads the flags and tests the selected cells."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.matrix",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--python", choices=["3.10", "3.11", "3.12", "3.13"])
    parser.add_argument("--tensorflow", choices=[*cells.PYTHONS])
    parser.add_argument("--keras", help=f"version of Keras 3, or {cells.NEWEST}")
    parser.add_argument("--folder", help="existing folder; default: the one of temporary files")
    parser.add_argument("--again", action="store_true", help="also what has passed already")
    parser.add_argument("--page", action="store_true", help="only write docs/versions.md")
    options = parser.parse_args()
    selected = cells.selected(options.python, options.tensorflow, options.keras)
    if not selected:
        parser.error("no TensorFlow and Keras are tested together on this Python.")
    if not options.page:
        _test([cell for cell in selected if options.again or not _is_done(cell)], options.folder)
    results = recorded.read()
    page.write(results)
    print(page.tables(results))
    if options.page:
        return 0
    chosen = [results.get(cell, {}) for cell in selected]
    if any("ways" in result and not recorded.is_passed(result) for result in chosen):
        return FAILED
    return 0 if all(map(recorded.is_passed, chosen)) else NOT_TESTED


def _is_done(cell: cells.Cell) -> bool:
    result = recorded.read().get(cell)
    return result is not None and recorded.is_current(result)


def _test(selected: list[cells.Cell], folder: str | None) -> None:
    if not selected:
        return
    with (
        tempfile.TemporaryDirectory(prefix="matrix-", dir=folder) as name,
        # One thread installs and one deletes, while the processes of a cell compute.
        concurrent.futures.ThreadPoolExecutor(2) as files,
    ):
        work = pathlib.Path(name)
        sources = recorded.sources()
        wheel = environment.build_wheel(work)
        folders = [work / f"environment-{number}" for number in range(len(selected))]
        ahead = files.submit(environment.install, selected[0], wheel, folders[0])
        for number, cell in enumerate(selected):
            began = time.monotonic()
            installation = ahead
            if number + 1 < len(selected):
                concurrent.futures.wait([installation])
                rest = selected[number + 1], wheel, folders[number + 1]
                ahead = files.submit(environment.install, *rest)
            result = test_cell(installation, work)
            files.submit(shutil.rmtree, folders[number], ignore_errors=True)
            recorded.add(cell, {"sources": sources, **result})
            seconds = time.monotonic() - began
            print(f"{number + 1}/{len(selected)} {cell}: {summary(result)} ({seconds:.0f} s)")
            for way, reason in result.get("reasons", {}).items():
                print(f"--- {way}: {reason}")
            sys.stdout.flush()


def test_cell(installation: concurrent.futures.Future[str], work: pathlib.Path) -> dict[str, Any]:
    """Trains in every way, and returns the result.

    Args:
      installation: The interpreter of the environment, when it is installed.
      work: Existing folder for the results.
    """
    try:
        python = installation.result()
    except environment.NotTested as error:
        return {"not_tested": str(error)}
    except environment.InstallError as error:
        return {"ways": {"install": ways.FAILED}, "reasons": {"install": str(error)}}
    versions = environment.versions(python)

    def run(way: ways.Way) -> ways.Outcome:
        return ways.run(way, python, versions, pathlib.Path(folder, way.name))

    with (
        tempfile.TemporaryDirectory(dir=work) as folder,
        # A process that starts uses one core, and that of a cluster often waits for another.
        concurrent.futures.ThreadPoolExecutor(3) as pool,
    ):
        outcomes = dict(zip(ways.NAMES, pool.map(run, ways.NAMES.values()), strict=True))
    reasons = {name: outcome.reason for name, outcome in outcomes.items() if outcome.reason}
    return {
        "versions": versions,
        "ways": {name: outcome.state for name, outcome in outcomes.items()},
        **({"reasons": reasons} if reasons else {}),
    }


def summary(result: dict[str, Any]) -> str:
    """Returns the number of ways in each state, or why there are none."""
    if "not_tested" in result:
        return f"not tested: {result['not_tested']}"
    states = [*result["ways"].values()]
    return ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))


if __name__ == "__main__":
    sys.exit(main())
