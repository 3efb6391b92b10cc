"""Prepares the process of a program that `migrate port` runs.

    environment = at_start.environment(starting.__name__, starting.argument(work, record))

The processes that the program starts begin in the same way.
"""

from __future__ import annotations

import json
import os

from migrate.port.in_program import (
    determinism,
    folders,
    guard,
    initial_weights,
    places,
    serial,
)
from migrate.same_run import after_import, recorder


def argument(work: str, record: str) -> str:
    """Returns the argument of `begin`.

    Args:
      work: Folder that the program works in.
      record: Folder of the recording.
    """
    return json.dumps([os.path.realpath(work), os.path.realpath(record)])


def begin(argument: str) -> None:
    """Prepares this process.

    Args:
      argument: Result of `argument`.
    """
    work, record = json.loads(argument)
    guard.begin([work, record], os.path.join(record, guard.REFUSED))
    determinism.begin(record)
    for patches in (
        guard.patches(),
        determinism.patches(),
        determinism.patches_of_steps(),
        serial.patches(),
        folders.patches(work),
        initial_weights.begin(work),
        places.patches(work, record),
    ):
        after_import.call(patches)
    recorder.begin(record)
