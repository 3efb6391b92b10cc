"""Steps of a port, each in a folder with a result, so that an interrupted port can continue.

    steps = Steps("ported/runs")
    result, folder, is_recorded = steps.once("1-legacy", lambda folder: {"verdict": "same"})

A step that has a result is not repeated. An interrupted step begins again in a new folder, because
its program may still be running.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from modern.records import task_records

FOLDER = "runs"  # Folder of the steps within the output.
_RESULT = "result.json"


class Steps:
    """The steps in a folder.

    Args:
      folder: The folder.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def once(
        self, name: str, make: Callable[[str], dict[str, Any]]
    ) -> tuple[dict[str, Any], str, bool]:
        """Returns the result of a step, its folder, and true if it was recorded before.

        Args:
          name: Name of the step.
          make: Function that performs the step in a new folder, and returns its result as JSON
            values.
        """
        for folder in self._tries(name):
            if os.path.exists(os.path.join(folder, _RESULT)):
                with open(os.path.join(folder, _RESULT)) as file:
                    return json.load(file), folder, True
        folder = next(path for path in self._tries(name, True) if not os.path.exists(path))
        os.makedirs(folder)
        result = make(folder)
        task_records.write_json(os.path.join(folder, _RESULT), result)
        return result, folder, False

    def _tries(self, name: str, with_new: bool = False) -> list[str]:
        """Returns the folders of a step's tries, and with `with_new` the next folder."""
        folders: list[str] = []
        for number in range(1, 1000):
            path = os.path.join(self._folder, name if number == 1 else f"{name}-try{number}")
            if not os.path.exists(path):
                return [*folders, path] if with_new else folders
            folders.append(path)
        return folders
