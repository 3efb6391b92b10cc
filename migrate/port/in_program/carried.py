"""Puts the recorded weights into the folder of a model when the program makes the model.

    after_import.call(carried.begin("runs/2-modern/work"))

Not sooner, because programs look whether the folder exists: they delete it, or choose another one.
A program that deletes the folder after it has made the model gets the weights once more.

The name of a folder may contain the date or the time. So if no weights are for a folder, those of
a folder whose name differs only in digits are.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import types
from collections.abc import Callable
from typing import Any

CARRIED = "carried"  # Folder next to the copy, with a folder for each model_dir.


def without_digits(name: str) -> str:
    """Returns the name of a folder with 0 in place of each number.

    >>> without_digits("models/2026-11-24/run3")
    'models/0-0-0/run0'

    Args:
      name: The name.
    """
    return re.sub(r"\d+", "0", name)


def begin(work: str) -> dict[str, Callable[[types.ModuleType], None]]:
    """Wraps `shutil.rmtree`. Returns the functions that patch TensorFlow and models, by module.

    Args:
      work: Folder that the program works in.
    """
    weights = _Weights(work)
    if not weights.waiting:
        return {}
    python: Any = shutil
    python.rmtree = weights.put_back_after(shutil.rmtree)

    def of_files(module: Any) -> None:
        module.DeleteRecursively = weights.put_back_after(module.DeleteRecursively)

    def of_estimators(module: Any) -> None:
        kind = getattr(module, "Estimator", None) or module.BaseEstimator
        init = kind.__init__

        @functools.wraps(init)
        def made(self: Any, *args: Any, **kwargs: Any) -> None:
            init(self, *args, **kwargs)
            weights.put(self.model_dir)

        kind.__init__ = made

    def of_ported(module: Any) -> None:
        restore = module.restore

        @functools.wraps(restore)
        def with_weights(model: Any, model_dir: Any, *args: Any, **kwargs: Any) -> Any:
            weights.put(model_dir)
            return restore(model, model_dir, *args, **kwargs)

        module.restore = with_weights

    return {
        "tensorflow.python.lib.io._pywrap_file_io": of_files,
        "legacy.estimator.estimator": of_estimators,
        "legacy.contrib.learn.estimators.base_estimator": of_estimators,
        "modern.porting": of_ported,
        "migrate.bridge.as_estimator": of_ported,
    }


class _Weights:
    """The recorded weights of a program.

    Attributes:
      waiting: Folders with weights that no model has yet, by the folder of the model.
    """

    def __init__(self, work: str) -> None:
        carried = os.path.join(os.path.dirname(work), CARRIED)
        self._work = work
        folders = [folder for folder, _, names in os.walk(carried) if names]
        # A Keras model keeps its files in the folder checkpoints of its own folder.
        owners = [folder.removesuffix(f"{os.sep}checkpoints") for folder in folders]
        self.waiting = {os.path.join(work, os.path.relpath(one, carried)): one for one in owners}
        self._placed: dict[str, str] = {}

    def put(self, model_dir: Any) -> None:
        """Puts the weights into the folder of a model, if there are some."""
        if not model_dir:
            return
        place = os.path.realpath(os.path.join(self._work, os.fsdecode(model_dir)))
        alike = [one for one in self.waiting if without_digits(one) == without_digits(place)]
        if place not in self.waiting and not alike:
            return
        weights = self.waiting.pop(place if place in self.waiting else alike[0])
        shutil.copytree(weights, place, dirs_exist_ok=True)
        self._placed[place] = weights

    def put_back_after(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a function that deletes a folder, and that then puts back weights in it once."""

        @functools.wraps(function)
        def delete(path: Any, *args: Any, **kwargs: Any) -> Any:
            deleted = os.path.realpath(os.fsdecode(path))
            try:
                return function(path, *args, **kwargs)
            finally:
                for place in [*self._placed]:
                    if (place + os.sep).startswith(deleted + os.sep):
                        shutil.copytree(self._placed.pop(place), place, dirs_exist_ok=True)

        return delete
