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

- A task that fails by itself is restarted if the budget of restarts allows it
  (`modern.launcher.restarts`). Otherwise it ends the job, and all other tasks are ended at once. A
  task that exits early with 0 does not end the job.
- Otherwise the leaders decide: the chief in a cluster with parameter servers, else the chief and
  all workers (without ps no task serves forever). When all leaders have exited with 0, the other
  tasks get time to end by themselves: workers `grace_s`, ps `ps_grace_s` after the last worker, and
  the evaluator `evaluator_grace_s`, since it may have a last checkpoint to evaluate. Then they are
  ended, which does not count as a failure.
- After a signal, the leaders and the evaluator get `save_grace_s` to save. The ps end last, because
  they may hold the variables to be saved (`interrupt`).
- No process outlives the job. The processes that a task started are ended with it. If this process
  is killed, `modern.launcher.guard` ends all tasks.

Needs Linux or macOS, and the extra `launch`.
"""

import dataclasses
import os
import pathlib
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from modern.cluster import tf_config
from modern.launcher import failures, restarts
from modern.launcher.echo import Echo
from modern.launcher.failures import Failure
from modern.launcher.recovery import Recovery
from modern.launcher.supervisor import Supervisor
from modern.launcher.task import Task, TaskReport
from modern.process import extras

try:
    from modern.cluster import plan
    from modern.launcher import memory
except ModuleNotFoundError as missing:
    raise extras.error("launch", missing.name) from missing

# The workers of a cluster with ps are signalled this much later than their chief. Under
# ParameterServerStrategy the chief then saves without losing them. In an Estimator cluster the
# chief waits for their last updates, so they must learn of the end, too.
_WORKERS_LATER_S = 2.0


@dataclasses.dataclass(frozen=True)
class JobResult:
    """The outcome of a job.

    Attributes:
      exit_code: 0, the exit code of the task that failed first, or 128 + N if signal N ended the
        job.
      failed: The task whose failure led to the end of the job, in the attempt that failed. None if
        the job ended otherwise.
      last_lines: The last lines of that task's log.
      tasks: The report of each task's last attempt, in the order in which they were started.
      failures: All failures of all attempts, sorted by time.
      cause: The failure of `failed`.
      restarts: The number of restarts.
      max_restarts: The budget of restarts.
    """

    exit_code: int
    failed: TaskReport | None
    last_lines: tuple[str, ...]
    tasks: tuple[TaskReport, ...]
    failures: tuple[Failure, ...] = ()
    cause: Failure | None = None
    restarts: int = 0
    max_restarts: int = 0


class LocalCluster:
    """The processes of a job on this machine, started and ended by a `with` block.

    Args:
      command: The program and its arguments, the same for every task.
      workers: Number of workers.
      ps: Number of parameter servers.
      chief: Whether the cluster has a chief.
      evaluator: Whether an evaluator is started.
      log_dir: The folder for one log file per task and attempt. It is created if it does not exist.
      overwrite_logs: Whether the files of an earlier job in `log_dir` are replaced.
      chief_name: "chief", or "master" for a program that expects the old name.
      env: Environment variables for every task, in addition to those of this process.
      task_env: Function of type and index that returns additional variables for that task.
      task_args: Function of type and index that returns arguments to append to that task's command.
      echo: The stream to which the tasks' lines are written as they arrive, each after the name of
        its task, such as "[worker-0]".
      color: Whether these names are coloured.
      notes: Called with a line that names the tasks that are ended or restarted, and the reason.
      max_restarts: The largest number of restarts.
      grace_s: Seconds for workers to end after the chief of a cluster with ps has ended.
      ps_grace_s: Seconds for ps to end after all trainers have ended.
      evaluator_grace_s: Seconds for the evaluator to end after the leaders have ended.
      save_grace_s: Seconds for the trainers and the evaluator to end after a signal.

    Attributes:
      log_dir: The folder of the logs.
      tasks: The tasks, in their current attempts.

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
        max_restarts: int = 0,
        grace_s: float = 30.0,
        ps_grace_s: float = 10.0,
        evaluator_grace_s: float = 600.0,
        save_grace_s: float = 20.0,
    ) -> None:
        counts = {chief_name: int(chief), "worker": workers, "ps": ps}
        self.log_dir = pathlib.Path(log_dir)
        self._notes = notes
        self._grace = {"worker": grace_s, "ps": ps_grace_s, "evaluator": evaluator_grace_s}
        self._save_grace_s = save_grace_s
        # Unbuffered output can be echoed as it arrives.
        environment = {"PYTHONUNBUFFERED": "1", **os.environ, **(env or {})}
        environment |= plan.without_proxy(environment)
        plan.check(command, counts, environment)
        self.tasks: list[Task] = []
        for assignment in plan.assign(counts, chief_name, evaluator):
            task_variables = (
                dict(task_env(assignment.task_type, assignment.index)) if task_env else {}
            )
            arguments = task_args(assignment.task_type, assignment.index) if task_args else ()
            variables = {**environment, tf_config.VARIABLE: assignment.tf_config, **task_variables}
            line = [*command, *arguments]
            self.tasks.append(
                Task(
                    assignment.task_type,
                    assignment.index,
                    assignment.address,
                    line,
                    variables,
                    log_dir,
                )
            )
        if not overwrite_logs:
            for path in self._earlier_files():
                raise FileExistsError(f"{path} exists: choose another log folder")
        self._supervisor = Supervisor(self._observe)
        self._chief_name = chief_name
        self._recovery = Recovery(
            self.tasks,
            self._leaders,
            self._supervisor,
            max_restarts=max_restarts,
            note=self._note,
            observe=self._observe,
            is_interrupted=lambda: bool(self._interrupts),
        )
        self._echo, self._memory = Echo(echo, color), memory.Sampler()
        self._interrupts: list[int] = []
        self._is_saving = False
        self._result: JobResult | None = None

    def __enter__(self) -> "LocalCluster":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.terminate()

    def start(self) -> None:
        """Starts the guard and then every task. On any error, ends the tasks started so far."""
        self.log_dir.mkdir(parents=True, exist_ok=True)
        for path in self._earlier_files():
            path.unlink()
        try:
            # The guard comes first, because each task registers with it before its program runs.
            self._supervisor.open()
            for task in self.tasks:
                self._supervisor.start(task)
        # Also after Ctrl-C, which may come between two starts.
        except BaseException:
            self.terminate()
            raise

    def poll(self) -> JobResult | None:
        """Does one round of work: echoes lines, samples memory, restarts and ends tasks.

        Returns:
          The result if every task has ended, or None while the job goes on. The call that ends
          tasks blocks until they are gone, at most a few seconds (or `save_grace_s` and a few
          seconds after an interrupt).
        """
        if self._result is not None:
            return self._result
        self._observe()
        # Before the failures are read, because a task may fail between these lines.
        was_running = bool(self._supervisor.running())
        last = None if self._interrupts else self._recovery.after_failures()
        if self._interrupts:  # Also after a signal that came during a restart.
            self._result = self._end_after_signal()
        elif last is not None:
            self._result = self._end_after_failure(last)
        elif was_running or self._supervisor.running():  # The latter after a restart.
            self._end_overdue(self._supervisor.running())
        else:
            self._result = self._outcome(0, None)
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
                names = ", ".join(task.name for task in self._supervisor.running())
                raise TimeoutError(f"the job still runs after {timeout_s} s: {names}")
            self._supervisor.pause()
        return result

    def interrupt(self, signum: int) -> None:
        """Makes `poll` and `wait` end the job as after this signal. Safe in a signal handler.

        The tasks that train or evaluate get the signal first, so that they can save: SIGINT after
        SIGINT, and SIGTERM after any other signal. In a cluster with ps, the workers get it two
        seconds after the chief. The remaining tasks are ended when the leaders and the evaluator
        have ended, or after `save_grace_s`. A second signal ends all tasks at once.

        Args:
          signum: The number of the signal.
        """
        self._interrupts.append(signum)  # No lock here: `wait` may hold it.

    def terminate(self) -> None:
        """Ends every task and the guard. Does nothing if they have been ended before."""
        self._supervisor.close()

    def _earlier_files(self) -> list[pathlib.Path]:
        """Returns the files of an earlier job in the log folder that this job may write."""
        logs = [path for task in self.tasks for path in self.log_dir.glob(f"{task.name}.*log")]
        return sorted([*logs, *self.log_dir.glob(failures.FILE)])

    def _observe(self) -> None:
        self._memory.sample(self._supervisor.running())
        if not self._is_saving:
            self._supervisor.release_ended()
        self._echo.write(self.tasks)

    def _note(self, text: str) -> None:
        if self._notes is not None:
            self._notes(text)

    def _leaders(self) -> list[Task]:
        return restarts.leaders(self.tasks, self._chief_name)

    def _end_after_failure(self, last: Failure) -> JobResult:
        """Ends the job after a failure without a restart."""
        cause = failures.root_cause(self._recovery.failures, last)
        self._end(self._supervisor.running(), f"{last.report.name} failed ({last.report.outcome})")
        self._recovery.record()
        assert cause.report.exit_code is not None
        return self._outcome(cause.report.exit_code, cause)

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

    def _end_after_signal(self) -> JobResult:
        """Ends the job after a signal."""
        signum = self._interrupts[0]
        # The failures so far. Later ones are consequences of the signal.
        self._recovery.record()
        name = signal.Signals(signum).name
        if len(self._interrupts) == 1:
            self._note(
                f"{name}: the tasks may save for at most {self._save_grace_s:.0f} s; a second "
                "signal ends everything at once"
            )
            self._is_saving = True
            self._let_save(signal.SIGINT if signum == signal.SIGINT else signal.SIGTERM)
            self._is_saving = False
        self._end(self._supervisor.running(), name)
        return self._outcome(128 + signum, None)

    def _let_save(self, signum: int) -> None:
        """Signals the tasks that train or evaluate, and waits for the leaders and the evaluator."""
        deadline = time.monotonic() + self._save_grace_s
        leaders = self._leaders()
        # Ctrl-C in a terminal reaches only this process, because each task has its own session.
        first, later = [], []
        for task in self._supervisor.running():
            if task in leaders or task.task_type == "evaluator":
                first.append(task)
            elif task.task_type == "worker":
                later.append(task)

        def wait(seconds: float) -> bool:
            return self._supervisor.wait(
                first, seconds, lambda: len(self._interrupts) > 1, with_children=True
            )

        for task in first:
            task.send_signal(signum)
        if not wait(min(_WORKERS_LATER_S, self._save_grace_s)) and len(self._interrupts) == 1:
            for task in later:
                task.send_signal(signum)
            wait(deadline - time.monotonic())

    def _end(self, tasks: Sequence[Task], reason: str) -> None:
        if tasks:
            self._note(f"{reason}: ending {', '.join(task.name for task in tasks)}")
        self._supervisor.end(tasks)

    def _outcome(self, exit_code: int, cause: Failure | None) -> JobResult:
        self._observe()  # Echoes the lines that the tasks printed while they ended.
        return JobResult(
            exit_code,
            cause.report if cause else None,
            cause.last_lines if cause else (),
            tuple(task.report() for task in self.tasks),
            tuple(self._recovery.failures),
            cause,
            self._recovery.budget.count,
            self._recovery.budget.max_restarts,
        )


def _last_end(tasks: Sequence[Task]) -> float:
    return max(task.ended for task in tasks if task.ended is not None)
