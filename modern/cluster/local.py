"""Runs any TF_CONFIG program as a cluster of processes on this machine.

    with LocalCluster(
        ["python", "-m", "modern.train", "--strategy=parameter_server"],
        workers=2, ps=1, chief=True, evaluator=True, log_dir="logs", echo=sys.stdout,
    ) as cluster:
        result = cluster.wait()
    print(result.exit_code, result.failed)

Each task gets TF_CONFIG, a free port, a log file and a session of its own. The evaluator's
TF_CONFIG names the cluster and the task `evaluator`, as tf.estimator expects it; the others'
clusters do not name it, because TensorFlow's strategies would wait for it.

When the job is over:

- A task that fails by itself ends the job: the first one by time is the cause, and everything else
  is ended at once. A task that ends early with 0 ends nothing.
- Otherwise the leaders decide: the chief where there are parameter servers, else the chief and all
  workers (without ps nothing serves forever). When they have all ended with 0, the rest may only be
  serving: workers get `grace_s` to end by themselves, ps `ps_grace_s` after the last worker, the
  evaluator, which may have a last checkpoint to evaluate, `evaluator_grace_s`. Then they are ended,
  which is no failure.
- No process stays behind. Whatever a task started is ended with it, and should this process be
  killed, `modern.cluster.guard` ends all tasks.

Needs Linux or macOS, and the extra `launch`.
"""

import contextlib
import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from modern.cluster import guard, tf_config
from modern.cluster.task import Task, TaskReport

try:
    import psutil

    from modern.cluster import plan
except ImportError as missing:
    raise ImportError(
        f"running a local cluster needs the package {missing.name!r}, which is not installed: "
        "pip install 'estimator-ladder[launch]'"
    ) from missing

_POLL_SECONDS = 0.1
_SAMPLE_SECONDS = 0.25
_KILL_GRACE_SECONDS = 5.0
_INTERRUPT_GRACE_SECONDS = 30.0
_COLORS = (36, 33, 35, 32, 34, 96, 93, 95, 92, 94)  # ANSI foregrounds.


@dataclasses.dataclass(frozen=True)
class JobResult:
    """How a job ended.

    Attributes:
      exit_code: 0; the exit code of the task that failed first; or 128 + N where signal N ended
        all.
      failed: The task that failed first, or None.
      last_lines: The last lines of that task's log.
      tasks: What became of each task, in the order in which they were started.
    """

    exit_code: int
    failed: TaskReport | None
    last_lines: tuple[str, ...]
    tasks: tuple[TaskReport, ...]


class LocalCluster:
    """A job's processes on this machine: started on entering the context, gone on leaving it.

    Args:
      command: The program and its arguments, the same for every task.
      workers: How many tasks of type worker.
      ps: How many of type ps.
      chief: Whether there is a chief.
      evaluator: Whether there is an evaluator.
      log_dir: The folder for one log file per task; made if absent.
      overwrite_logs: Replace log files that are there already.
      chief_name: "chief", or "master" for a program that expects the old name.
      env: Variables for every task beside those of this process.
      task_env: Called with type and index, gives more variables for that task.
      task_args: Called with type and index, gives more arguments for that task, put last.
      echo: Where the tasks' lines are written as they arrive, each after "[worker-0] ".
      color: Colour these prefixes.
      notes: Called with a line that says what is ended and why.
      grace_s: Seconds for workers that go on after the chief of a cluster with ps has ended.
      ps_grace_s: Seconds for ps that go on after all trainers have ended.
      evaluator_grace_s: Seconds for the evaluator to go on after the leaders have ended.

    Raises:
      ValueError: No trainer, a negative number, or a command that cannot be found.
      FileExistsError: A log file is there already.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        workers: int = 0,
        ps: int = 0,
        chief: bool = False,
        evaluator: bool = False,
        log_dir: str | os.PathLike[str],
        overwrite_logs: bool = False,
        chief_name: str = "chief",
        env: Mapping[str, str] | None = None,
        task_env: Callable[[str, int], Mapping[str, str]] | None = None,
        task_args: Callable[[str, int], Sequence[str]] | None = None,
        echo: TextIO | None = None,
        color: bool = False,
        notes: Callable[[str], None] | None = None,
        grace_s: float = 30.0,
        ps_grace_s: float = 10.0,
        evaluator_grace_s: float = 600.0,
    ) -> None:
        counts = {chief_name: int(chief), "worker": workers, "ps": ps}
        self.log_dir = pathlib.Path(log_dir)
        self._echo, self._color, self._notes = echo, color, notes
        self._grace = {"worker": grace_s, "ps": ps_grace_s, "evaluator": evaluator_grace_s}
        environment = {"PYTHONUNBUFFERED": "1", **os.environ, **(env or {})}
        environment |= plan.without_proxy(environment)
        plan.check(command, counts, environment)
        self.tasks: list[Task] = []
        for task_type, index, address, text in plan.assign(counts, chief_name, evaluator):
            own = dict(task_env(task_type, index)) if task_env else {}
            arguments = task_args(task_type, index) if task_args else ()
            variables = {**environment, tf_config.VARIABLE: text, **own}
            line = [*command, *arguments]
            self.tasks.append(Task(task_type, index, address, line, variables, log_dir))
        if not overwrite_logs:
            for task in self.tasks:
                if task.log.exists():
                    raise FileExistsError(f"{task.log} exists: choose another log folder")
        self._chief_name = chief_name
        self._guard: subprocess.Popen[bytes] | None = None
        self._guard_pipe = -1
        self._ended: list[Task] = []  # In the order in which they ended.
        self._seen = 0
        self._threads: list[threading.Thread] = []
        self._wake = threading.Event()
        self._interrupts: list[int] = []
        self._next_sample = 0.0
        self._result: JobResult | None = None

    def __enter__(self) -> "LocalCluster":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.terminate()

    def start(self) -> None:
        """Starts the guard and then every task; on any error, ends what was started."""
        self.log_dir.mkdir(parents=True, exist_ok=True)
        try:
            self._start_guard()
            for task in self.tasks:
                task.start(self._guard_pipe)
                thread = threading.Thread(target=self._await_end, args=(task,), daemon=True)
                thread.start()
                self._threads.append(thread)
        except BaseException:
            self.terminate()
            raise

    def poll(self) -> JobResult | None:
        """Looks after the tasks once: echoes lines, samples memory, ends what has to be ended.

        Returns:
          The result when every task has ended; None while the job goes on. The call that ends tasks
          takes as long as they need, at most a few seconds (or half a minute after an interrupt).
        """
        if self._result is not None:
            return self._result
        self._observe()
        running = self._running()
        failed = next((task for task in self._ended if task.failed), None)
        if self._interrupts:
            exit_code = self._interrupted()
        elif failed is not None:
            assert failed.exit_code is not None
            exit_code = failed.exit_code
            self._end(running, f"{failed.name} failed ({failed.report().outcome})")
        elif running:
            self._end_overdue(running)
            return None
        else:
            exit_code = 0
        self._observe()
        self._result = JobResult(
            exit_code,
            failed.report() if failed else None,
            tuple(failed.last_lines()) if failed else (),
            tuple(task.report() for task in self.tasks),
        )
        return self._result

    def wait(self, timeout_s: float | None = None) -> JobResult:
        """Waits until the job is over.

        Args:
          timeout_s: The longest to wait, in seconds.

        Returns:
          The result; also after `interrupt`.

        Raises:
          TimeoutError: The job is still going on; the tasks are left as they are.
        """
        deadline = time.monotonic() + (float("inf") if timeout_s is None else timeout_s)
        while (result := self.poll()) is None:
            if time.monotonic() > deadline:
                names = ", ".join(task.name for task in self._running())
                raise TimeoutError(f"the job still runs after {timeout_s} s: {names}")
            self._pause()
        return result

    def interrupt(self, signum: int) -> None:
        """Asks `poll` and `wait` to end the job as after this signal; safe in a signal handler.

        SIGINT is passed on, so that a program can save: to the leaders and the evaluator first, and
        the others, which may hold the variables to be saved, are ended after them. Any other
        signal, and a second one, ends all tasks by SIGTERM.

        Args:
          signum: The signal's number.
        """
        self._interrupts.append(signum)  # No lock is touched here: `wait` may hold it.

    def terminate(self) -> None:
        """Ends every task and the guard; does nothing where that was done before."""
        running = self._running()
        for task in running:
            task.send_signal(signal.SIGTERM)
        guard.end_sessions({task.pid for task in running}, _KILL_GRACE_SECONDS)
        if self._guard is not None:
            os.close(self._guard_pipe)
            self._guard.wait()  # It ends what ended tasks left behind.
            self._guard = None
        for thread in self._threads:
            thread.join()

    def _start_guard(self) -> None:
        read, self._guard_pipe = os.pipe()
        try:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__, "watch"],
                stdin=read,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
        finally:
            os.close(read)

    def _await_end(self, task: Task) -> None:
        """In a thread per task, so that the order of the ends is known."""
        assert task.process is not None
        task.returncode = task.process.wait()
        task.ended = time.monotonic()
        self._ended.append(task)
        self._wake.set()

    def _running(self) -> list[Task]:
        return [task for task in self.tasks if task.process and task not in self._ended]

    def _pause(self) -> None:
        self._wake.wait(_POLL_SECONDS)
        self._wake.clear()

    def _observe(self) -> None:
        if time.monotonic() >= self._next_sample:
            self._sample_memory()
            self._next_sample = time.monotonic() + _SAMPLE_SECONDS
        self._take_back()
        if self._echo is not None:
            for place, task in enumerate(self.tasks):
                for line in task.new_lines():
                    self._write_line(place, task, line)
            self._echo.flush()

    def _take_back(self) -> None:
        """After a task's end: asks what it left behind to end, or lets the guard forget it."""
        for task in self._ended[self._seen :]:
            self._seen += 1
            left_any = guard.signal_session(task.pid, signal.SIGTERM)
            if self._guard is not None and not left_any:
                # Its number may become another process'. The guard itself may have been killed.
                with contextlib.suppress(BrokenPipeError):
                    os.write(self._guard_pipe, b"-%d\n" % task.pid)

    def _write_line(self, place: int, task: Task, line: str) -> None:
        assert self._echo is not None
        prefix = f"[{task.name}]"
        if self._color:
            prefix = f"\033[{_COLORS[place % len(_COLORS)]}m{prefix}\033[0m"
        encoding = self._echo.encoding or "utf-8"
        self._echo.write(f"{prefix} {line}\n".encode(encoding, "replace").decode(encoding))

    def _sample_memory(self) -> None:
        totals = {task.pid: 0 for task in self._running()}
        for pid in psutil.pids():
            try:
                session = os.getsid(pid)
                if session in totals:
                    totals[session] += psutil.Process(pid).memory_info().rss
            except (OSError, psutil.Error):
                continue  # It ended meanwhile.
        for task in self.tasks:
            if task.process is not None:
                task.peak_rss = max(task.peak_rss, totals.get(task.pid, 0))

    def _note(self, text: str) -> None:
        if self._notes is not None:
            self._notes(text)

    def _leaders(self) -> list[Task]:
        """The tasks whose end decides that the job is over."""
        chiefs = [task for task in self.tasks if task.task_type == self._chief_name]
        if chiefs and any(task.task_type == "ps" for task in self.tasks):
            return chiefs
        return chiefs + [task for task in self.tasks if task.task_type == "worker"]

    def _end_overdue(self, running: list[Task]) -> None:
        leaders = self._leaders()
        if any(task in running for task in leaders):
            return
        trainers = [task for task in self.tasks if task.task_type not in ("ps", "evaluator")]
        workers_run = any(task in running for task in trainers)
        overdue = []
        for task in running:
            if task.task_type == "ps" and not workers_run:
                since, grace = _last_end(trainers), self._grace["ps"]
            elif task.task_type == "evaluator":
                since, grace = _last_end(leaders), self._grace["evaluator"]
            else:  # While workers go on, they may need their ps: both have the workers' time.
                since, grace = _last_end(leaders), self._grace["worker"]
            if time.monotonic() - since > grace:
                overdue.append(task)
        self._end(overdue, "the job is done, and the time for others to end by themselves is over")

    def _interrupted(self) -> int:
        signum = self._interrupts[0]
        name = signal.Signals(signum).name
        if signum == signal.SIGINT and len(self._interrupts) == 1:
            self._note(f"{name}: passed on; a second one ends everything at once")
            first = [*self._leaders(), *(t for t in self.tasks if t.task_type == "evaluator")]
            first = [task for task in self._running() if task in first]
            for task in first:
                task.send_signal(signal.SIGINT)
            self._await(first, _INTERRUPT_GRACE_SECONDS, until=lambda: len(self._interrupts) > 1)
        self._end(self._running(), name)
        return 128 + signum

    def _end(self, tasks: list[Task], reason: str) -> None:
        """Ends tasks: SIGTERM, and SIGKILL for what is left after a few seconds."""
        if tasks:
            self._note(f"{reason}: ending {', '.join(task.name for task in tasks)}")
        for task in tasks:
            task.send_signal(signal.SIGTERM)
        self._await(tasks, _KILL_GRACE_SECONDS)
        for task in tasks:
            if task not in self._ended:
                task.send_signal(signal.SIGKILL)
        self._await(tasks, _KILL_GRACE_SECONDS)

    def _await(
        self, tasks: list[Task], seconds: float, until: Callable[[], bool] = lambda: False
    ) -> None:
        deadline = time.monotonic() + seconds
        while any(task not in self._ended for task in tasks) and time.monotonic() < deadline:
            if until():
                return
            self._pause()
            self._observe()


def _last_end(tasks: Sequence[Task]) -> float:
    return max(task.ended for task in tasks if task.ended is not None)
