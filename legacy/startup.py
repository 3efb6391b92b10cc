"""Prepares a new Python interpreter for an old program, as `python -m legacy.run` requires.

    from legacy import startup

    environment = startup.environment(
        {"api": "v1", "engine": "ours", "tf_version": "1.15.5", "folders": ["/jobs"]}
    )

Python calls `begin` before it runs a program. So Python itself runs the program: tracebacks, exit
codes, `__main__`, multiprocessing and the processes that a program starts work as usual.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import types
from typing import Any


def environment(settings: dict[str, object]) -> dict[str, str]:
    """Returns the environment in which Python runs a program as an old one.

    Args:
      settings: `api`, `engine` and `tf_version` as for `legacy.install`, `folders` that count as
        the program's, and `makes_slices` if the program may index arrays by lists of slices.
    """
    from modern.process import at_start

    return at_start.environment(__name__, json.dumps(settings))


def begin(text: str) -> None:
    """Installs old TensorFlow in this interpreter, before its program runs.

    Args:
      text: The settings, as `environment` wrote them.
    """
    from legacy import installing, same_names
    from legacy.reading import callers

    settings = json.loads(text)
    folders = settings.pop("folders")
    makes_slices = settings.pop("makes_slices", False)
    for folder in folders:
        callers.add_program_folder(folder)
    sys.excepthook = _show
    try:
        installation = installing.install(**settings)
    except ImportError as error:
        print(f"legacy.run: {error}", file=sys.stderr)
        os._exit(2)  # An exception here would not stop Python.
    if makes_slices:
        installation.complete("numpy", _accept_lists_of_slices)
    installation.complete("subprocess", functools.partial(_pass_on, text))
    working_folders = [os.getcwd()] if "-m" in sys.orig_argv else []
    same_names.separate([*folders, *working_folders, *filter(callers.may_have_programs, sys.path)])


def _accept_lists_of_slices(numpy: types.ModuleType) -> None:
    from legacy.shim import arrays

    arrays.restore_indexing(numpy)


def _pass_on(text: str, subprocess: types.ModuleType) -> None:
    """Prepares also the processes that the program starts with an environment of its choice.

    For example, a test suite starts its package's scripts with `env={"PYTHONPATH": root}`.

    Args:
      text: The settings, as `environment` wrote them.
      subprocess: The module.
    """
    from modern.process import at_start

    create = subprocess.Popen.__init__

    @functools.wraps(create)
    def create_prepared(self: Any, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("env") is not None:
            kwargs["env"] = at_start.environment(__name__, text, kwargs["env"])
        create(self, *args, **kwargs)

    subprocess.Popen.__init__ = create_prepared


def _show(
    kind: type[BaseException], error: BaseException, trace: types.TracebackType | None
) -> None:
    """Prints an error as Python does, without the frames of legacy.

    A program that fails because a name is not provided ends with exit code 2. If another task of
    the cluster has not come, one line says so, because the program has no error.
    """
    from legacy.names import left_out

    waits = sys.modules.get("legacy.estimator.cluster.waits")
    if waits and isinstance(error, waits.GaveUpError):
        print(f"legacy.run: {error.message}", file=sys.stderr)
        return

    is_provided = not isinstance(
        error, (left_out.NotProvidedError, left_out.NotProvidedImportError)
    )
    if not is_provided:
        error.__traceback__ = trace = _without_ours(trace)
    sys.__excepthook__(kind, error, trace)
    if not is_provided:
        raise SystemExit(2)


def _without_ours(trace: types.TracebackType | None) -> types.TracebackType | None:
    """Removes the frames after the last one that belongs to the program."""
    from legacy.reading import callers

    frames = []
    while trace is not None:
        frames.append(trace)
        trace = trace.tb_next
    while frames and not callers.in_program(frames[-1].tb_frame):
        frames.pop()
    program_trace = None
    for frame in reversed(frames):
        program_trace = types.TracebackType(
            program_trace, frame.tb_frame, frame.tb_lasti, frame.tb_lineno
        )
    return program_trace
