"""Runs a program in a process and records it.

    before = record(["python", "-m", "legacy.run", "job.py", "--steps=10"], "runs/before")

The recording can be read again with `Recording.load`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

from migrate.same_run import recorder, recording
from migrate.same_run.recording import Recording
from modern.process import at_start

_OUTPUT_KEPT = 20_000
EXPORT = "export "  # Begins the name of an export whose folder is named by its time.
_SAVED_MODELS = ("saved_model.pb", "saved_model.pbtxt")
Run = Callable[
    [Sequence[str], str, str, Mapping[str, str], float | None], tuple[int | None, int, str]
]


def record(
    command: Sequence[str],
    folder: str,
    *,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    first_weights: Recording | None = None,
    timeout: float | None = None,
    run: Run | None = None,
) -> Recording:
    """Runs a program and records it.

    Args:
      command: The program and its arguments. "python" is the Python that runs this.
      folder: Folder of the recording. It must be empty or not exist.
      cwd: Working folder of the program. None creates a folder "work" in the recording. Folders of
        models in it are compared by their relative names.
      env: Further environment variables.
      first_weights: Recording whose initial checkpoints are copied to the folders of the same names
        before the program starts, so that both runs have the same initial weights.
      timeout: Seconds after which the program is killed. None waits.
      run: Function that runs the program. Default: `run_process`, which starts a new process.

    Returns:
      The recording.

    Raises:
      ValueError: `folder` is not empty, or `cwd` has checkpoints already.
    """
    folder = os.path.abspath(folder)
    os.makedirs(folder, exist_ok=True)
    if os.listdir(folder):
        raise ValueError(f"{folder} is not empty: give each recording a new folder.")
    cwd = os.path.abspath(cwd or os.path.join(folder, "work"))
    os.makedirs(cwd, exist_ok=True)
    if first_weights is not None:
        _copy_first_checkpoints(first_weights.first_checkpoints, cwd)
    exit_code, process, output = (run or run_process)(command, folder, cwd, env or {}, timeout)
    notes = [
        f"process {other}, which the program started, did more, and is not recorded"
        for other in recording.processes(folder)
        if other != process
    ]
    if exit_code is None:
        notes.append(f"the program was ended after {timeout:g} s")
    events = recording.read_events(folder, process)
    notes += [f"{event['text']} was not recorded" for event in events if event["kind"] == "failed"]
    if not events:
        notes.append("the recorder did not begin: the program is not run by this Python")
    model_dirs = {e["model_dir"]: None for e in events if e["kind"] == "training"}
    checkpoints = {}
    for number, model_dir in enumerate(name for name in model_dirs if name):
        place = _keep_last(os.path.join(cwd, model_dir), folder, number)
        if place:
            checkpoints[model_dir] = place
    recording.write_result(
        folder,
        process=process,
        exit_code=exit_code,
        output=output[-_OUTPUT_KEPT:],
        not_recorded=notes,
        checkpoints=checkpoints,
        exports=dict(_exports(cwd, folder)),
    )
    return Recording.load(folder)


def run_process(
    command: Sequence[str],
    folder: str,
    cwd: str,
    env: Mapping[str, str],
    timeout: float | None,
) -> tuple[int | None, int, str]:
    """Runs a program as a new process, in which the recorder starts.

    Args:
      command: The program and its arguments.
      folder: Folder of the recording.
      cwd: Working folder of the program.
      env: Further environment variables.
      timeout: Seconds after which the program is killed. None waits.

    Returns:
      (exit code, ID of the process, output). The exit code is None after a timeout.
    """
    environment = at_start.environment(recorder.__name__, folder, {**os.environ, **env})
    program = [sys.executable if command[0] == "python" else command[0], *command[1:]]
    with subprocess.Popen(
        program,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            return None, process.pid, process.communicate()[0]
    return process.returncode, process.pid, output


def _copy_first_checkpoints(checkpoints: Mapping[str, str], cwd: str) -> None:
    """Copies checkpoints into the folders of models, as their latest checkpoints.

    Raises:
      ValueError: A folder has a checkpoint, or is not in the run's folder.
    """
    for model_dir, prefix in checkpoints.items():
        place = os.path.join(cwd, model_dir)
        if os.path.isabs(model_dir):
            raise ValueError(
                f"{model_dir} is not in the folder of the run, so another run cannot begin with "
                "its weights: have the program name a relative folder."
            )
        if os.path.exists(os.path.join(place, "checkpoint")):
            raise ValueError(f"{place} has a checkpoint already: give a new folder.")
        name = os.path.basename(prefix)
        recorder.copy_checkpoint(prefix, os.path.join(place, name))
        # The state file is written as text, so that this process need not import TensorFlow.
        with open(os.path.join(place, "checkpoint"), "w") as file:
            file.write(f'model_checkpoint_path: "{name}"\nall_model_checkpoint_paths: "{name}"\n')


def _keep_last(model_dir: str, folder: str, number: int) -> str:
    """Copies a folder's last checkpoint. Returns the copy's path within the recording, or ""."""
    for place, kind in ((os.path.join(model_dir, "checkpoints"), "keras"), (model_dir, "named")):
        prefix = _latest(place)
        if prefix:
            copy = os.path.join(f"last-{number}", kind, os.path.basename(prefix))
            recorder.copy_checkpoint(prefix, os.path.join(folder, copy))
            return copy
    return ""


def _exports(cwd: str, folder: str) -> Iterator[tuple[str, str]]:
    """Yields the name and path of each SavedModel that a program left in its folder.

    Links are left out, because they are input. The folder of an export is named by its time, which
    differs between runs.

    Args:
      cwd: Working folder of the program.
      folder: The recording's folder, to which the paths are relative.
    """
    timed: dict[str, int] = {}
    for place, names, files in os.walk(cwd):
        names.sort(key=lambda name: (len(name), name))
        names[:] = [name for name in names if not name.startswith("temp-")]
        paths = [os.path.join(place, name) for name in _SAVED_MODELS if name in files]
        if not paths or os.path.islink(paths[0]):
            continue
        parent, name = os.path.split(os.path.relpath(place, cwd))
        if name.isdecimal():
            timed[parent] = timed.get(parent, 0) + 1
            name = f"{EXPORT}{timed[parent]}"
        yield os.path.join(parent, name), os.path.relpath(place, folder)


def _latest(folder: str) -> str:
    """Returns the path that a folder's `checkpoint` file names, or ""."""
    state = os.path.join(folder, "checkpoint")
    if not os.path.exists(state):
        return ""
    with open(state) as file:
        line = file.readline()
    name = os.path.basename(line.partition('"')[2].rpartition('"')[0])
    prefix = os.path.join(folder, name)
    return prefix if os.path.exists(f"{prefix}.index") else ""
