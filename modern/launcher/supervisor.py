"""Processes under a guard: starts them, ends them, and keeps the order in which they ended.

    supervisor = Supervisor(observe=lambda: None)
    supervisor.open()
    supervisor.start(task)
    supervisor.wait([task], seconds=30.0)
    supervisor.end([task])  # By SIGTERM, and after a few seconds by SIGKILL.
    supervisor.close()

A process may outlive its task if the task started it. `clear` and `close` end those, too.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence

from modern.launcher import guard
from modern.launcher.task import Task

KILL_GRACE_S = 5.0
_POLL_S = 0.1


class Supervisor:
    """The processes of a job, which end when the supervisor is closed or its process dies.

    Args:
      observe: Called several times a second while a method waits.

    Attributes:
      ended: The tasks that have ended, in that order.
    """

    def __init__(self, observe: Callable[[], None]) -> None:
        self.ended: list[Task] = []
        self._observe = observe
        self._started: list[Task] = []
        self._released_count = 0
        self._guard: subprocess.Popen[bytes] | None = None
        self._guard_pipe = -1
        self._threads: list[threading.Thread] = []
        self._wake = threading.Event()

    def open(self) -> None:
        """Starts the guard, with which each task registers before its program runs."""
        read_end, self._guard_pipe = os.pipe()
        try:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__, "watch"],
                stdin=read_end,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
            )
        finally:
            os.close(read_end)

    def start(self, task: Task) -> None:
        """Starts a task."""
        task.start(self._guard_pipe)
        self._started.append(task)
        thread = threading.Thread(target=self._await_end, args=(task,), daemon=True)
        thread.start()
        self._threads.append(thread)

    def running(self) -> list[Task]:
        """Returns the tasks that run, in the order in which they were started."""
        return [task for task in self._started if task not in self.ended]

    def pause(self) -> None:
        """Waits a moment, or until a task ends.

        A signal handler must not end this pause: setting an event takes a lock that the interrupted
        code may hold.
        """
        self._wake.wait(_POLL_S)
        self._wake.clear()

    def wait(
        self,
        tasks: Sequence[Task],
        seconds: float,
        until: Callable[[], bool] = lambda: False,
        *,
        with_children: bool = False,
    ) -> bool:
        """Waits until tasks have ended.

        Args:
          tasks: The tasks.
          seconds: The longest time to wait.
          until: A condition that ends the wait early.
          with_children: Whether to wait also for the processes that the tasks have started. For
            example, a shell script may end at a signal before the program that it runs.

        Returns:
          True if all of them have ended.
        """
        deadline = time.monotonic() + seconds
        while any(
            task not in self.ended or (with_children and guard.members(task.pid)) for task in tasks
        ):
            if until() or time.monotonic() >= deadline:
                return False
            self.pause()
            self._observe()
        return True

    def end(self, tasks: Sequence[Task]) -> None:
        """Ends tasks by SIGTERM, and after a few seconds by SIGKILL."""
        for task in tasks:
            task.send_signal(signal.SIGTERM)
        if not self.wait(tasks, KILL_GRACE_S):
            for task in tasks:
                if task not in self.ended:
                    task.send_signal(signal.SIGKILL)
            self.wait(tasks, KILL_GRACE_S)

    def release_ended(self) -> None:
        """Ends the surviving children of ended tasks, or removes their sessions from the guard."""
        for task in self.ended[self._released_count :]:
            self._released_count += 1
            if not guard.signal_session(task.pid, signal.SIGTERM):
                self._unregister(task)

    def clear(self, tasks: Iterable[Task]) -> None:
        """Ends all processes that ended tasks have left, within a few seconds."""
        self.release_ended()
        guard.end_sessions({task.pid for task in tasks})

    def close(self) -> None:
        """Ends every task and the guard. Does nothing if they have been ended before."""
        running = self.running()
        for task in running:
            task.send_signal(signal.SIGTERM)
        guard.end_sessions({task.pid for task in running}, KILL_GRACE_S)
        if self._guard is not None:
            # The guard reads end-of-file, ends the registered sessions and exits.
            os.close(self._guard_pipe)
            self._guard.wait()  # Ends the processes that tasks left.
            self._guard = None
        # The tasks are dead by now, so this does not block.
        for thread in self._threads:
            thread.join()

    def _await_end(self, task: Task) -> None:
        """Waits for a task, in its own thread, so that the order of the exits is known."""
        assert task.process is not None
        task.returncode = task.process.wait()
        # `ended` is set before the task is listed, because the main thread reads it from then on.
        # The list needs no lock: appending is atomic.
        task.ended = time.monotonic()
        self.ended.append(task)
        self._wake.set()

    def _unregister(self, task: Task) -> None:
        """Removes a session from the guard, because the system may reuse its id."""
        if self._guard is not None:
            with contextlib.suppress(BrokenPipeError):  # The guard itself may have been killed.
                os.write(self._guard_pipe, b"-%d\n" % task.pid)
