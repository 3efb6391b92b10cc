"""Names the folders of Estimators and models that have none.

An Estimator without `model_dir` trains in a temporary folder with a random name. Here the first one
gets the folder unnamed/1 of the copy, the next one unnamed/2, in all runs. So the recorded weights
reach the model that replaces it. A temporary folder that the program creates itself is tmp/made/1.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import sys
import types
from collections.abc import Callable
from typing import Any

UNNAMED = "unnamed"
_SAVE_SECS = 600  # The default of a RunConfig. Without an interval, a model is not saved.


def patches(work: str) -> dict[str, Callable[[types.ModuleType], None]]:
    """Returns the functions that patch the places that choose a folder, by module.

    Args:
      work: Folder that the program works in.
    """
    numbers = itertools.count(1)

    def next_folder() -> str:
        return os.path.join(work, UNNAMED, str(next(numbers)))

    def patch_construction(module: Any) -> None:
        def mkdtemp(*args: Any, **kwargs: Any) -> str:
            del args, kwargs
            folder = next_folder()
            os.makedirs(folder, exist_ok=True)
            return folder

        module.tempfile = types.SimpleNamespace(mkdtemp=mkdtemp)

    def patch_porting(module: types.ModuleType) -> None:
        def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(function)
            def with_folder(model: Any = None, *args: Any, **kwargs: Any) -> Any:
                if model is not None and not vars(model).get("model_dir"):
                    folder = _folder_of_estimator(model, work) or next_folder()
                    module.restore(model, folder, save_secs=_SAVE_SECS)
                return function(model, *args, **kwargs)

            return with_folder

        for name in ("callbacks", "train", "train_and_evaluate"):
            setattr(module, name, wrap(getattr(module, name)))

    def patch_tempfile(module: Any) -> None:
        mkdtemp = module.mkdtemp
        folder_numbers = itertools.count(1)

        @functools.wraps(mkdtemp)
        def numbered_mkdtemp(*args: Any, **kwargs: Any) -> str:
            frame = sys._getframe(1)
            while frame.f_back is not None and frame.f_code.co_filename == module.__file__:
                frame = frame.f_back  # TemporaryDirectory calls it for the program.
            path = os.path.realpath(os.path.join(work, frame.f_code.co_filename))
            if not path.startswith(work + os.sep):
                return mkdtemp(*args, **kwargs)
            while True:
                folder = os.path.join(work, "tmp", "made", str(next(folder_numbers)))
                with contextlib.suppress(FileExistsError):  # Another process made it.
                    os.makedirs(folder, mode=0o700)
                    return folder

        module.mkdtemp = numbered_mkdtemp

    return {
        "tempfile": patch_tempfile,
        "legacy.estimator.construction": patch_construction,
        "legacy.contrib.learn.estimators.fitting": patch_construction,
        "modern.porting": patch_porting,
        "migrate.bridge.as_estimator": patch_porting,
    }


def _folder_of_estimator(model: Any, work: str) -> str:
    """Returns the folder of the canned Estimator whose model_fn a bridged model trains, or "".

    The Estimator is created for its model_fn only, but it has taken a folder. The model_fn refers
    to it: `bridge.KerasModelFn(DNNClassifier(...).model_fn)`.
    """
    for cell in getattr(getattr(model, "model_fn", None), "__closure__", None) or ():
        folder = getattr(cell.cell_contents, "model_dir", None)
        if isinstance(folder, str) and folder.startswith(os.path.join(work, UNNAMED)):
            return folder
    return ""
