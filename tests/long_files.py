"""Marks the tests in the files of `tests/long_files.txt` as long: `make test-fast` leaves them out.

The tests of such a file took more than a second together on two slow cores
(`pytest --durations=0`). A file that is not in the list runs in every target.
"""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

import pytest

_LIST = pathlib.Path(__file__).with_suffix(".txt")


def mark(items: Sequence[pytest.Item], names: Sequence[str] | None = None) -> None:
    """Marks the collected tests of long files.

    Args:
      items: The tests.
      names: The paths of long files. None reads them from the file.

    Raises:
      pytest.UsageError: A file does not exist.
    """
    long = set(_LIST.read_text().splitlines() if names is None else names)
    missing = sorted(name for name in long if not (_LIST.parents[1] / name).exists())
    if missing:
        raise pytest.UsageError(f"{_LIST.name} names a file that does not exist: {missing[0]}")
    for item in items:
        if item.nodeid.split("::")[0] in long:
            item.add_marker("long")
