"""Copies the recorded weights into the folder of a model when the program creates the model.

    after_import.call(initial_weights.begin("runs/2-modern/work"))

They are not copied earlier, because programs check whether the folder exists, and delete it or
choose another one. A program that deletes the folder after it has created the model gets the
weights once more.

The name of a folder may contain the date or the time. So a folder without weights gets those of a
folder whose name differs only in digits.
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
      name: Name of the folder.
    """
    return re.sub(r"\d+", "0", name)


def begin(work: str) -> dict[str, Callable[[types.ModuleType], None]]:
    """Wraps `shutil.rmtree`. Returns the functions that patch TensorFlow and models, by module.

    Args:
      work: Folder that the program works in.
    """
    weights = _Weights(work)
    if not weights.unclaimed:
        return {}
    shutil_module: Any = shutil
    shutil_module.rmtree = weights.put_back_after(shutil.rmtree)

    def patch_file_io(module: Any) -> None:
        module.DeleteRecursively = weights.put_back_after(module.DeleteRecursively)

    def patch_estimators(module: Any) -> None:
        kind = getattr(module, "Estimator", None) or module.BaseEstimator
        init = kind.__init__

        @functools.wraps(init)
        def init_with_weights(self: Any, *args: Any, **kwargs: Any) -> None:
            init(self, *args, **kwargs)
            weights.copy_into(self.model_dir)

        kind.__init__ = init_with_weights

    def patch_porting(module: Any) -> None:
        restore = module.restore

        @functools.wraps(restore)
        def with_weights(model: Any, model_dir: Any, *args: Any, **kwargs: Any) -> Any:
            weights.copy_into(model_dir)
            return restore(model, model_dir, *args, **kwargs)

        module.restore = with_weights

    return {
        "tensorflow.python.lib.io._pywrap_file_io": patch_file_io,
        "legacy.estimator.estimator": patch_estimators,
        "legacy.contrib.learn.estimators.base_estimator": patch_estimators,
        "modern.porting": patch_porting,
        "migrate.bridge.as_estimator": patch_porting,
    }


def _is_of_keras(name: str) -> bool:
    """Returns whether a file belongs to a checkpoint of a Keras model, by its name."""
    return name.startswith("ckpt-")


class _Weights:
    """The recorded weights of a program.

    Attributes:
      unclaimed: Folders with weights that no model has yet, by the folder of the model.
    """

    def __init__(self, work: str) -> None:
        root = os.path.join(os.path.dirname(work), CARRIED)
        self._work = work
        # A Keras model keeps its files in the folder checkpoints of its own folder. The folder of
        # an Estimator may have the name checkpoints itself.
        owners = [
            os.path.dirname(folder) if any(map(_is_of_keras, names)) else folder
            for folder, _, names in os.walk(root)
            if names
        ]
        self.unclaimed = {
            os.path.normpath(os.path.join(work, os.path.relpath(owner, root))): owner
            for owner in owners
        }
        self._placed: dict[str, str] = {}

    def copy_into(self, model_dir: Any) -> None:
        """Copies the weights for a model into its folder, if there are any."""
        if not model_dir:
            return
        place = os.path.realpath(os.path.join(self._work, os.fsdecode(model_dir)))
        matches = [
            folder for folder in self.unclaimed if without_digits(folder) == without_digits(place)
        ]
        if place not in self.unclaimed and not matches:
            return
        weights = self.unclaimed.pop(place if place in self.unclaimed else matches[0])
        shutil.copytree(weights, place, dirs_exist_ok=True)
        self._placed[place] = weights

    def put_back_after(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wraps a function that deletes a folder, so that it restores the weights there once."""

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
