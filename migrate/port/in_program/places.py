"""Records the lines at which a program creates Estimators, and their folders.

    (estimator,) = places.read(record, "my_job")
    estimator.places, estimator.model_dir  # (("task.py", 30),), "model"

The command line does not create an Estimator whose line is missing. So a run proves nothing about
it.
"""

from __future__ import annotations

import functools
import os
import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from migrate.same_run import recording

CREATED = "made"  # Kind of the events.
# Functions such as add_metrics return an Estimator that continues another one in its folder.
_EXTENDERS = "legacy.estimator.extenders"


def patches(work: str, record: str) -> dict[str, Callable[[types.ModuleType], None]]:
    """Returns the functions that patch Estimators, by module.

    Args:
      work: Folder that the program works in.
      record: Folder of the recording.
    """

    def patch(module: types.ModuleType) -> None:
        kind = getattr(module, "Estimator", None) or module.BaseEstimator
        init = kind.__init__

        @functools.wraps(init)
        def init_and_record(self: Any, *args: Any, **kwargs: Any) -> None:
            places = _places(work)
            init(self, *args, **kwargs)
            if sys._getframe(1).f_globals.get("__name__") == _EXTENDERS:
                return
            folder = os.path.abspath(os.fsdecode(self.model_dir or ""))
            is_inside = os.path.commonpath([folder, work]) == work
            folder = os.path.relpath(folder, work) if is_inside else folder
            name = type(self).__name__.removesuffix("V2")
            if hasattr(module, "BaseEstimator"):
                # A program's own class has the obstacles of the class that it inherits from.
                classes = (c for c in type(self).__mro__ if c.__module__.startswith("legacy."))
                name = f"tf.contrib.learn.{next(classes).__name__}"
            event = {"kind": CREATED, "places": places, "class": name, "model_dir": folder}
            recording.append_event(record, event)

        kind.__init__ = init_and_record

    return {
        "legacy.estimator.estimator": patch,
        "legacy.contrib.learn.estimators.base_estimator": patch,
    }


class CreatedEstimator(NamedTuple):
    """An Estimator that a program created.

    Attributes:
      places: File and line of each call of the program on the stack, the innermost call first.
      name: Name of its class, with the module if that is contrib.learn.
      model_dir: Its folder.
    """

    places: tuple[tuple[str, int], ...]
    name: str
    model_dir: str


def read(record: str, program: str) -> list[CreatedEstimator]:
    """Returns the recorded Estimators, in order.

    Args:
      record: Folder of the recording.
      program: Path of the program in the folder that it works in. The paths are relative to it.
    """
    estimators = []
    for process in recording.processes(record):
        for event in recording.read_events(record, process):
            if event["kind"] == CREATED:
                places = ((os.path.relpath(path, program), line) for path, line in event["places"])
                estimators.append(
                    CreatedEstimator(tuple(places), event["class"], event["model_dir"])
                )
    return estimators


def _places(work: str) -> list[tuple[str, int]]:
    """Returns the lines of the program on the stack, with paths relative to its folder."""
    places = []
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None:
        path = os.path.realpath(os.path.join(work, frame.f_code.co_filename))
        if path.startswith(work + os.sep):
            places.append((os.path.relpath(path, work), frame.f_lineno))
        frame = frame.f_back
    return places
