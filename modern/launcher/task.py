"""A task of a local cluster: its process, its log file and its report.

Programs use `modern.launcher.local.LocalCluster`, which creates a `Task` for each process:

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

from modern.launcher import guard

_TAIL_BYTES = 64 * 1024


@dataclasses.dataclass(frozen=True)
class TaskReport:
    """The state of a task, or its outcome once it has ended.

    Attributes:
      name: Type and index, such as "worker-0".
      task_type: The type, as in TF_CONFIG.
      task_index: The index, as in TF_CONFIG.
      address: The "host:port" of the task. None for the evaluator, which has no address.
      exit_code: 0 to 255, where 128 + N stands for signal N. None while the task runs.
      ended_by_launcher: Whether the launcher ended it, because another task failed or because it
        still served when the job was done.
      started: The time of the start, in seconds since 1970.
      seconds: The duration of the run.
      peak_rss_mb: The largest sampled resident memory of all its processes together, in 10^6 bytes.
        None if the task ended before the first sample.
      log: The file with its standard output and standard error.
      attempt: The number of restarts before this run of the task.
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
    attempt: int = 0

    @property
    def outcome(self) -> str:
        """The outcome in words: "exit code 3", "killed by SIGKILL (9)"."""
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
      task_type: The type, as in TF_CONFIG.
      index: The index, as in TF_CONFIG.
      address: The "host:port" of the task, or None for an evaluator.
      command: The program and its arguments.
      env: The whole environment of the process.
      log_dir: The folder for the log file, which exists.
      attempt: The number of restarts before this run of the task. Each attempt has its own log.
    """

    def __init__(
        self,
        task_type: str,
        index: int,
        address: str | None,
        command: Sequence[str],
        env: Mapping[str, str],
        log_dir: str | os.PathLike[str],
        attempt: int = 0,
    ) -> None:
        self.name = f"{task_type}-{index}"
        self.task_type = task_type
        self.index = index
        self.attempt = attempt
        self.address = address
        suffix = f".attempt-{attempt}" if attempt else ""
        self.log = pathlib.Path(log_dir, f"{self.name}{suffix}.log")
        self.process: subprocess.Popen[bytes] | None = None
        self.returncode: int | None = None
        self.ended: float | None = None  # In seconds of time.monotonic().
        self.ended_by_launcher = False
        self.peak_rss = 0
        self._command = list(command)
        self._env = dict(env)
        self._started = (0.0, 0.0)
        self._position = 0
        self._partial = b""

    def next_attempt(self) -> "Task":
        """Returns a task that replaces this one after its end. It is not started yet."""
        return Task(
            self.task_type,
            self.index,
            self.address,
            self._command,
            self._env,
            self.log.parent,
            self.attempt + 1,
        )

    def start(self, guard_pipe: int) -> None:
        """Starts the process. `guard_pipe` is the write end of the watcher's pipe."""
        shim = [sys.executable, "-I", "-S", guard.__file__, "run", str(guard_pipe)]
        shim.append(str(os.getpid()))
        with open(self.log, "wb") as log:
            # A file descriptor, not a pipe that Python reads: the file then also has the output
            # that C++ writes to descriptor 2, and the output after the death of the launcher.
            self.process = subprocess.Popen(
                shim + self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self._env,
                pass_fds=(guard_pipe,),
                start_new_session=True,
            )
        # The first is for the report. The second measures the duration, even if the clock is set.
        self._started = (time.time(), time.monotonic())

    @property
    def pid(self) -> int:
        """The process id, which is also the id of its session."""
        assert self.process is not None
        return self.process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code as a shell reports it: 128 + N after signal N. None while the task runs."""
        if self.returncode is None:
            return None
        return self.returncode if self.returncode >= 0 else 128 - self.returncode

    @property
    def failed(self) -> bool:
        """True if the task ended by itself with an exit code other than 0."""
        return bool(self.returncode) and not self.ended_by_launcher

    def send_signal(self, signum: int) -> None:
        """Signals every process of the task, and records that the launcher ended it."""
        # After its end, a task can only get signals for processes that it left. They do not change
        # its outcome.
        self.ended_by_launcher = self.ended_by_launcher or self.ended is None
        guard.signal_session(self.pid, signum)

    def new_lines(self) -> Iterator[str]:
        """Yields the lines that were added to the log since the last call, without line ends.

        An unfinished last line is held back until the task has ended. A progress bar redraws its
        line with carriage returns. Such a line is yielded in its last state.
        """
        with open(self.log, "rb") as log:
            log.seek(self._position)
            content = log.read()
        self._position += len(content)
        *lines, self._partial = (self._partial + content).split(b"\n")
        if self.ended is not None and self._partial:
            lines.append(self._partial)
            self._partial = b""
        for line in lines:
            yield line.rstrip(b"\r").rpartition(b"\r")[2].decode(errors="replace")

    def last_lines(self, count: int = 20) -> list[str]:
        """Returns the last lines of the log.

        Args:
          count: The maximum number of lines.

        Returns:
          Lines without line ends. Blank lines are left out.
        """
        with open(self.log, "rb") as log:
            log.seek(max(0, self.log.stat().st_size - _TAIL_BYTES))
            text = log.read().decode(errors="replace")
        return [line.rstrip() for line in re.split(r"[\r\n]+", text) if line.strip()][-count:]

    def report(self) -> TaskReport:
        """Returns a report on the current state of the task."""
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
            attempt=self.attempt,
        )
