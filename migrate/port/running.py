"""Runs a user's program in a copy, and records it.

    recording = running.run(["python", "-m", "legacy.run", "task.py"], "step/work", "step/record")

This is the only place of `migrate` that starts a user's program.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence

from migrate import same_run
from migrate.port.in_program import guard, starting
from modern.process import at_start

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_SETTINGS = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",  # The order of sets.
    "KERAS_BACKEND": "tensorflow",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",  # oneDNN adds numbers in another order.
}


def run(
    command: Sequence[str],
    work: str,
    record: str,
    *,
    cwd: str,
    timeout: float | None = None,
) -> same_run.Recording:
    """Runs a program and records it.

    Args:
      command: The program and its arguments. It begins with "python".
      work: The copy. The program may only write there.
      record: Folder of the recording.
      cwd: Working folder of the program in the copy.
      timeout: Seconds after which the program is ended.

    Returns:
      The recording.
    """
    work = os.path.realpath(work)
    temporary = os.path.join(work, "tmp")
    os.makedirs(temporary, exist_ok=True)
    return same_run.record(
        command,
        record,
        cwd=cwd,
        env={**_SETTINGS, "TMPDIR": temporary, "PYTHONPATH": _python_path()},
        timeout=timeout,
        run=lambda *args: _process(work, *args),
    )


def refused_paths(record: str) -> list[str]:
    """Returns the paths outside of the copy that a program tried to write to.

    Args:
      record: Folder of the recording.
    """
    path = os.path.join(record, guard.REFUSED)
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return list(dict.fromkeys(file.read().splitlines()))


def _python_path() -> str:
    """Returns the user's PYTHONPATH, and the folder of this package, which may not be installed."""
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join(dict.fromkeys([*filter(None, paths), _ROOT]))


def _process(
    work: str,
    command: Sequence[str],
    folder: str,
    cwd: str,
    env: Mapping[str, str],
    timeout: float | None,
) -> tuple[int | None, int, str]:
    """Runs a program in a process group, as `same_run.record` requires. Its output is a file."""
    environment = at_start.environment(
        starting.__name__, starting.argument(work, folder), {**os.environ, **env}
    )
    path = os.path.join(folder, "output")
    with open(path, "w") as output:
        process = subprocess.Popen(
            [sys.executable, *command[1:]],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code: int | None = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            # Ends the program and the processes that it left, also after Ctrl-C.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    with open(path, errors="replace") as file:
        return code, process.pid, file.read()
