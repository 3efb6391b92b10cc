"""Marks the tests in `tests/slow_tests.txt` as slow, so that only `make test-all` runs them.

The file has one test per line, as pytest prints it. `@pytest.mark.slow` does the same for all cases
of a test.
"""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

import pytest

_LIST = pathlib.Path(__file__).with_suffix(".txt")


def mark(items: Sequence[pytest.Item], names: Sequence[str] | None = None) -> None:
    """Marks the slow tests among those that were collected.

    Args:
      items: The tests.
      names: The names of slow tests. None reads them from the file.

    Raises:
      pytest.UsageError: A test's file does not exist, or was collected without the test.
    """
    slow = set(_LIST.read_text().splitlines() if names is None else names)
    for item in items:
        if item.nodeid in slow:
            slow.remove(item.nodeid)
            item.add_marker("slow")
    # A run that names single tests does not collect the others of their file.
    whole = {_file(item.nodeid) for item in items if not _is_named(item)}
    # A file that was renamed or removed is collected in no run.
    unknown = sorted(name for name in slow if _file(name) in whole or not _exists(_file(name)))
    if unknown:
        raise pytest.UsageError(f"{_LIST.name} names a test that does not exist: {unknown[0]}")


def _is_named(item: pytest.Item) -> bool:
    return any("::" in argument for argument in item.config.args)


def _file(name: str) -> str:
    return name.split("::")[0]


def _exists(file: str) -> bool:
    return (_LIST.parents[1] / file).exists()
