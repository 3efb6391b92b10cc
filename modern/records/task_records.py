"""Records of the tasks of a run, which other tasks read while it runs.

Every task keeps `MODEL_DIR/tasks/<type>-<index>.json` up to date. The task that saves collects them
for result.json:

>>> import tempfile
>>> from modern.records import task_records
>>> model_dir = tempfile.mkdtemp()
>>> with task_records.Recorder(model_dir, "worker-0"):
...     pass
>>> task_records.read(model_dir, "worker-0")["finished"]
True

All files are written whole or not at all.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from typing import Any

from modern.process import files, process_info
from modern.records.progress import Sample, Samples

_WRITE_EVERY_S = 1.0
# Object stores limit the writes of an object, to one in a second on gs://, and charge for each.
_WRITE_REMOTE_EVERY_S = 30.0
_POLL_S = 0.05
_POLL_REMOTE_S = 1.0


def write_json(path: str | os.PathLike[str], value: Any) -> None:
    """Writes JSON to a temporary file in the same folder and renames it. NaN becomes null."""
    files.write_text(path, json.dumps(_without_nan(value), indent=1, allow_nan=False) + "\n")


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _folder(model_dir: str) -> str:
    return os.path.join(model_dir, "tasks")


def _path(model_dir: str, task: str) -> str:
    return os.path.join(_folder(model_dir), f"{task}.json")


def read(model_dir: str, task: str) -> dict[str, Any] | None:
    """Returns the record of a task, such as "worker-0", or None."""
    try:
        return json.loads(files.read_text(_path(model_dir, task)))
    except FileNotFoundError:
        return None


def end(model_dir: str, task: str) -> str | None:
    """Returns the local time at which a task finished, for a message. None if it did not."""
    record = read(model_dir, task)
    if not record or not record["finished"]:
        return None
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record["ended_at"]))


def read_all(model_dir: str) -> dict[str, dict[str, Any]]:
    """Returns the records of all tasks that have one, by name."""
    entries = files.list_folder(_folder(model_dir))
    names = [name for name in entries if name.endswith(".json") and not name.startswith(".")]
    records = {name: read(model_dir, name) for name in (n.removesuffix(".json") for n in names)}
    return {name: record for name, record in records.items() if record}


def samples_of(record: dict[str, Any]) -> list[Sample]:
    """Returns the samples in a record."""
    return [Sample.from_json(value) for value in record["samples"]]


class Recorder:
    """Keeps a task's record up to date while the `with` block runs.

    Record: {"task", "started_at", "ended_at", "finished", "peak_rss_mb", "samples", ...values of
    `add`}. `finished` is True once the block has ended without an exception. Times are unix
    seconds.
    """

    def __init__(self, model_dir: str, task: str) -> None:
        self._path = _path(model_dir, task)
        self._every_s = _WRITE_REMOTE_EVERY_S if files.is_remote(model_dir) else _WRITE_EVERY_S
        self._record: dict[str, Any] = {
            "task": task,
            "started_at": time.time(),
            "ended_at": None,
            "finished": False,
            "samples": [],
        }
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep_writing, name="record", daemon=True)

    def add(self, samples: Samples = (), **values: Any) -> None:
        """Adds the samples of a training and other values to the record."""
        self._record |= {"samples": [sample.to_json() for sample in samples]} | values

    def __enter__(self) -> Recorder:
        self._write()
        self._thread.start()
        return self

    def __exit__(self, exception_type: type[BaseException] | None, *_: object) -> None:
        self._stopping.set()
        self._thread.join()
        self._record |= {"ended_at": time.time(), "finished": exception_type is None}
        self._write()

    def _write(self) -> None:
        write_json(self._path, self._record | {"peak_rss_mb": round(process_info.peak_rss_mb(), 1)})

    def _keep_writing(self) -> None:
        while not self._stopping.wait(self._every_s):
            self._write()


def wait_for(
    model_dir: str, tasks: list[str], since: float, timeout_s: float = 60.0
) -> dict[str, dict[str, Any]]:
    """Waits for the finished records of tasks, and returns them by name.

    Args:
      model_dir: The folder that all tasks write to.
      tasks: The names of the tasks.
      since: Unix seconds. A record that ended before belongs to an older run.
      timeout_s: Seconds to wait in all.

    Returns:
      The records. A task that has not finished in time, or writes to another disk, is absent, and a
      line on standard error reports it.
    """
    deadline = time.monotonic() + timeout_s
    records: dict[str, dict[str, Any]] = {}
    while True:
        for task in set(tasks) - set(records):
            record = read(model_dir, task)
            if record and record["finished"] and record["ended_at"] >= since:
                records[task] = record
        missing = sorted(set(tasks) - set(records))
        if not missing:
            return records
        if time.monotonic() > deadline:
            print(
                f"No record of {', '.join(missing)} in {model_dir}/tasks after {timeout_s:.0f} s: "
                "result.json leaves them out. (Is --model_dir shared by all tasks?)",
                file=sys.stderr,
            )
            return records
        time.sleep(_POLL_REMOTE_S if files.is_remote(model_dir) else _POLL_S)
