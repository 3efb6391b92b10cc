"""Runs any TF_CONFIG program as a cluster of processes on this machine.

    with LocalCluster(
        ["python", "-m", "modern.train", "--strategy=parameter_server"],
        workers=2, ps=1, chief=True, evaluator=True, log_dir="logs", echo=sys.stdout,
    ) as cluster:
        result = cluster.wait()
    print(result.exit_code, result.failed)

Each task gets its own TF_CONFIG, free port, log file and session. The TF_CONFIG of the evaluator
names the cluster and the task `evaluator`, as tf.estimator expects. The clusters of the other tasks
do not name it, because TensorFlow's strategies would wait for it.

The end of a job:

- A task that fails by itself ends the job. The first failure by time is the cause, and all other
  tasks are ended at once. A task that exits early with 0 does not end the job.
- Otherwise the leaders decide: the chief in a cluster with parameter servers, else the chief and
  all workers (without ps no task serves forever). When all leaders have exited with 0, the other
  tasks get time to end by themselves: workers `grace_s`, ps `ps_grace_s` after the last worker, and
  the evaluator `evaluator_grace_s`, since it may have a last checkpoint to evaluate. Then they are
  ended, which does not count as a failure.
- No process outlives the job. The processes that a task started are ended with it. If this process
  is killed, `modern.cluster.guard` ends all tasks.

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
from modern.process import extras

try:
    import psutil

    from modern.cluster import plan
except ModuleNotFoundError as missing:
    raise extras.error("launch", missing.name) from missing

_POLL_SECONDS = 0.1
_SAMPLE_SECONDS = 0.25
_KILL_GRACE_SECONDS = 5.0
_INTERRUPT_GRACE_SECONDS = 30.0
_COLORS = (36, 33, 35, 32, 34, 96, 93, 95, 92, 94)  # ANSI foregrounds.


@dataclasses.dataclass(frozen=True)
class JobResult:
    """The outcome of a job.

    Attributes:
      exit_code: 0, the exit code of the task that failed first, or 128 + N if signal N ended the
        job.
      failed: The task that failed first, or None.
      last_lines: The last lines of that task's log.
      tasks: The report of each task, in the order in which they were started.
    """

    exit_code: int
    failed: TaskReport | None
    last_lines: tuple[str, ...]
    tasks: tuple[TaskReport, ...]


class LocalCluster:
    """The processes of a job on this machine, started and ended by a `with` block.

    Args:
      command: The program and its arguments, the same for every task.
      workers: Number of workers.
      ps: Number of parameter servers.
      chief: Whether the cluster has a chief.
      evaluator: Whether an evaluator is started.
      log_dir: The folder for one log file per task. It is created if it does not exist.
      overwrite_logs: Whether existing log files are replaced.
      chief_name: "chief", or "master" for a program that expects the old name.
      env: Environment variables for every task, in addition to those of this process.
      task_env: Function of type and index that returns additional variables for that task.
      task_args: Function of type and index that returns arguments to append to that task's command.
      echo: The stream to which the tasks' lines are written as they arrive, each after the name of
        its task, such as "[worker-0]".
      color: Whether these names are coloured.
      notes: Called with a line that names the tasks that are ended, and the reason.
      grace_s: Seconds for workers to end after the chief of a cluster with ps has ended.
      ps_grace_s: Seconds for ps to end after all trainers have ended.
      evaluator_grace_s: Seconds for the evaluator to end after the leaders have ended.

    Raises:
      ValueError: The cluster has no trainer, a number is negative, or the command cannot be found.
      FileExistsError: A log file exists already.
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
        # Unbuffered output can be echoed as it arrives.
        environment = {"PYTHONUNBUFFERED": "1", **os.environ, **(env or {})}
        environment |= plan.without_proxy(environment)
        plan.check(command, counts, environment)
        self.tasks: list[Task] = []
        for one in plan.assign(counts, chief_name, evaluator):
            own = dict(task_env(one.task_type, one.index)) if task_env else {}
            arguments = task_args(one.task_type, one.index) if task_args else ()
            variables = {**environment, tf_config.VARIABLE: one.tf_config, **own}
            line = [*command, *arguments]
            self.tasks.append(Task(one.task_type, one.index, one.address, line, variables, log_dir))
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
        """Starts the guard and then every task. On any error, ends the tasks started so far."""
        self.log_dir.mkdir(parents=True, exist_ok=True)
        try:
            # The guard comes first, because each task registers with it before its program runs.
            self._start_guard()
            for task in self.tasks:
                task.start(self._guard_pipe)
                thread = threading.Thread(target=self._await_end, args=(task,), daemon=True)
                thread.start()
                self._threads.append(thread)
        # Also after Ctrl-C, which may come between two starts.
        except BaseException:
            self.terminate()
            raise

    def poll(self) -> JobResult | None:
        """Does one round of work: echoes lines, samples memory, ends overdue tasks.

        Returns:
          The result if every task has ended, or None while the job goes on. The call that ends
          tasks blocks until they are gone, at most a few seconds (or half a minute after an
          interrupt).
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
        # Lines that the tasks printed while they ended have been echoed by now.
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
          timeout_s: The longest time to wait, in seconds.

        Returns:
          The result, also after `interrupt`.

        Raises:
          TimeoutError: The job still runs. The tasks are left running.
        """
        deadline = time.monotonic() + (float("inf") if timeout_s is None else timeout_s)
        while (result := self.poll()) is None:
            if time.monotonic() > deadline:
                names = ", ".join(task.name for task in self._running())
                raise TimeoutError(f"the job still runs after {timeout_s} s: {names}")
            self._pause()
        return result

    def interrupt(self, signum: int) -> None:
        """Makes `poll` and `wait` end the job as after this signal. Safe in a signal handler.

        SIGINT is passed on to the leaders and the evaluator first, so that the program can save.
        The other tasks may hold the variables to be saved, so they are ended later. Any other
        signal, or a second SIGINT, ends all tasks by SIGTERM.

        Args:
          signum: The number of the signal.
        """
        self._interrupts.append(signum)  # No lock here: `wait` may hold it.

    def terminate(self) -> None:
        """Ends every task and the guard. Does nothing if they have been ended before."""
        running = self._running()
        for task in running:
            task.send_signal(signal.SIGTERM)
        guard.end_sessions({task.pid for task in running}, _KILL_GRACE_SECONDS)
        if self._guard is not None:
            # The guard reads end-of-file, ends the registered sessions and exits.
            os.close(self._guard_pipe)
            self._guard.wait()  # Ends the processes that tasks left.
            self._guard = None
        # The tasks are dead by now, so this does not block.
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
        """Waits for a task, in its own thread, so that the order of the exits is known."""
        assert task.process is not None
        task.returncode = task.process.wait()
        # `ended` is set before the task is listed, because the main thread reads it from then on.
        # The list needs no lock: appending is atomic.
        task.ended = time.monotonic()
        self._ended.append(task)
        self._wake.set()

    def _running(self) -> list[Task]:
        return [task for task in self.tasks if task.process and task not in self._ended]

    def _pause(self) -> None:
        # The end of a task wakes this at once. A signal handler must not: setting an event takes a
        # lock that the interrupted code may hold. So interrupts are noticed in the next round.
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
        """Ends the surviving children of ended tasks, or removes their sessions from the guard."""
        for task in self._ended[self._seen :]:
            self._seen += 1
            left_any = guard.signal_session(task.pid, signal.SIGTERM)
            if self._guard is not None and not left_any:
                # The system may reuse the id for another process. The guard itself may have been
                # killed.
                with contextlib.suppress(BrokenPipeError):
                    os.write(self._guard_pipe, b"-%d\n" % task.pid)

    def _write_line(self, place: int, task: Task, line: str) -> None:
        assert self._echo is not None
        prefix = f"[{task.name}]"
        if self._color:
            prefix = f"\033[{_COLORS[place % len(_COLORS)]}m{prefix}\033[0m"
        # A log may have characters that the encoding of the stream lacks, as in the C locale.
        encoding = self._echo.encoding or "utf-8"
        self._echo.write(f"{prefix} {line}\n".encode(encoding, "replace").decode(encoding))

    def _sample_memory(self) -> None:
        totals = {task.pid: 0 for task in self._running()}
        for pid in psutil.pids():
            try:
                # By session, so that the processes that a task has started count, too.
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
        """Returns the tasks whose end decides that the job is over."""
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
            else:  # Running workers may need their ps, so both get the workers' time.
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
            # Ctrl-C in a terminal reaches only this process, because each task has its own session.
            for task in first:
                task.send_signal(signal.SIGINT)
            self._await(first, _INTERRUPT_GRACE_SECONDS, until=lambda: len(self._interrupts) > 1)
        self._end(self._running(), name)
        return 128 + signum

    def _end(self, tasks: list[Task], reason: str) -> None:
        """Ends tasks by SIGTERM, and after a few seconds by SIGKILL."""
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
