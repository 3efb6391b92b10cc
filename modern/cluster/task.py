"""One task of a local cluster: its process, its log file, and what is known of it afterwards.

`modern.cluster.local.LocalCluster` is what a program uses; it makes a `Task` for each process:

    task = Task("worker", 0, "localhost:20001", ["python", "train.py"], {"TF_CONFIG": …}, "logs")
    task.start(guard_pipe)          # Standard output and error go to logs/worker-0.log.
    task.process.wait()
"""

import dataclasses
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence

from modern.cluster import guard

_TAIL_BYTES = 64 * 1024


@dataclasses.dataclass(frozen=True)
class TaskReport:
    """What became of one task.

    Attributes:
      name: Type and index, such as "worker-0".
      task_type: As in TF_CONFIG.
      task_index: As in TF_CONFIG.
      address: "host:port"; None for the evaluator, which has none.
      exit_code: 0 to 255; 128 + N after signal N; None while it runs.
      ended_by_launcher: The launcher ended it: because another task failed, or since it still
        served when the job was done.
      started: When it was started, in seconds since 1970.
      seconds: How long it ran.
      peak_rss_mb: The most resident memory of all its processes together that was sampled, in 10^6
        bytes; None where it ended before the first sample.
      log: The file with its standard output and standard error.
    """

    name: str
    task_type: str
    task_index: int
    address: str | None
    exit_code: int | None
    ended_by_launcher: bool
    started: float
    seconds: float
    peak_rss_mb: float | None
    log: pathlib.Path

    @property
    def outcome(self) -> str:
        """How it ended, in words: "exit code 3", "killed by SIGKILL (9)"."""
        if self.exit_code is None:
            return "running"
        if self.exit_code <= 128:
            return f"exit code {self.exit_code}"
        number = self.exit_code - 128
        try:
            return f"killed by {signal.Signals(number).name} ({number})"
        except ValueError:
            return f"exit code {self.exit_code}"


class Task:
    """A process in its own session, with TF_CONFIG set and its output in a file.

    Args:
      task_type: As in TF_CONFIG.
      index: As in TF_CONFIG.
      address: "host:port", or None for an evaluator.
      command: The program and its arguments.
      env: The whole environment of the process.
      log_dir: The folder for the log file, which exists.
    """

    def __init__(
        self,
        task_type: str,
        index: int,
        address: str | None,
        command: Sequence[str],
        env: Mapping[str, str],
        log_dir: str | os.PathLike[str],
    ) -> None:
        self.name = f"{task_type}-{index}"
        self.task_type = task_type
        self.index = index
        self.address = address
        self.log = pathlib.Path(log_dir, f"{self.name}.log")
        self.process: subprocess.Popen[bytes] | None = None
        self.returncode: int | None = None
        self.ended: float | None = None  # In seconds of time.monotonic().
        self.ended_by_launcher = False
        self.peak_rss = 0
        self._command = list(command)
        self._env = dict(env)
        self._started = (0.0, 0.0)
        self._read = 0
        self._partial = b""

    def start(self, guard_pipe: int) -> None:
        """Starts the process; `guard_pipe` is the write end of the watcher's pipe."""
        shim = [sys.executable, "-I", "-S", guard.__file__, "run", str(guard_pipe)]
        with open(self.log, "wb") as log:
            # A descriptor, not a pipe read by Python: what C++ writes to descriptor 2 is in the
            # file, and so is what a task says after its launcher is gone.
            self.process = subprocess.Popen(
                shim + self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._env,
                pass_fds=(guard_pipe,),
                start_new_session=True,
            )
        self._started = (time.time(), time.monotonic())

    @property
    def pid(self) -> int:
        """The process id, which is also the id of its session."""
        assert self.process is not None
        return self.process.pid

    @property
    def exit_code(self) -> int | None:
        """0 to 255, with 128 + N after signal N, as a shell says it; None while it runs."""
        if self.returncode is None:
            return None
        return self.returncode if self.returncode >= 0 else 128 - self.returncode

    @property
    def failed(self) -> bool:
        """Whether it ended by itself, and not with 0."""
        return bool(self.returncode) and not self.ended_by_launcher

    def send_signal(self, signum: int) -> None:
        """Signals every process of the task, and remembers who ended it."""
        self.ended_by_launcher = self.ended_by_launcher or self.ended is None
        guard.signal_session(self.pid, signum)

    def new_lines(self) -> Iterator[str]:
        """Yields the lines that were written to the log since the last call, without line ends.

        An unfinished last line is kept for later, until the task has ended. Of a line that redraws
        itself with carriage returns, as progress bars do, the last state is given.
        """
        with open(self.log, "rb") as log:
            log.seek(self._read)
            content = log.read()
        self._read += len(content)
        *lines, self._partial = (self._partial + content).split(b"\n")
        if self.ended is not None and self._partial:
            lines.append(self._partial)
            self._partial = b""
        for line in lines:
            yield line.rstrip(b"\r").rpartition(b"\r")[2].decode(errors="replace")

    def last_lines(self, count: int = 20) -> list[str]:
        """Reads the end of the log.

        Args:
          count: The most lines to give.

        Returns:
          Lines without line ends, blank ones left out.
        """
        with open(self.log, "rb") as log:
            log.seek(max(0, self.log.stat().st_size - _TAIL_BYTES))
            text = log.read().decode(errors="replace")
        return [line.rstrip() for line in re.split(r"[\r\n]+", text) if line.strip()][-count:]

    def report(self) -> TaskReport:
        """Says what is known of the task now."""
        started, ticks = self._started
        return TaskReport(
            name=self.name,
            task_type=self.task_type,
            task_index=self.index,
            address=self.address,
            exit_code=self.exit_code,
            ended_by_launcher=self.ended_by_launcher,
            started=started,
            seconds=(time.monotonic() if self.ended is None else self.ended) - ticks,
            peak_rss_mb=self.peak_rss / 1e6 if self.peak_rss else None,
            log=self.log,
        )
