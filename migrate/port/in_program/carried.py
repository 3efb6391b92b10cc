"""Keeps the recorded weights in a folder that the program deletes before it trains.

Many programs delete their model_dir at the start. The weights that a run is to start with would be
lost. So the first deletion of each such folder is followed by a copy of its weights.
"""

from __future__ import annotations

import functools
import os
import shutil
import types
from collections.abc import Callable
from typing import Any

CARRIED = "carried"  # Folder next to the copy, with a folder for each model_dir.


def begin(work: str) -> dict[str, Callable[[types.ModuleType], None]]:
    """Wraps `shutil.rmtree`. Returns the functions that patch TensorFlow, by module.

    Args:
      work: Folder that the program works in.
    """
    weights = os.path.join(os.path.dirname(work), CARRIED)
    left = {
        os.path.join(work, os.path.relpath(folder, weights)): folder
        for folder, _, names in os.walk(weights)
        if names
    }

    def put_back(deleted: str) -> None:
        for folder in [*left]:
            if (folder + os.sep).startswith(deleted + os.sep):
                shutil.copytree(left.pop(folder), folder, dirs_exist_ok=True)

    def wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def delete(path: Any, *args: Any, **kwargs: Any) -> Any:
            real = os.path.realpath(os.fsdecode(path))
            try:
                return function(path, *args, **kwargs)
            finally:
                put_back(real)

        return delete

    def patch(module: Any) -> None:
        module.DeleteRecursively = wrapped(module.DeleteRecursively)

    if left:
        python: Any = shutil
        python.rmtree = wrapped(shutil.rmtree)
    return {"tensorflow.python.lib.io._pywrap_file_io": patch} if left else {}
