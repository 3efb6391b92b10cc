"""Ends the tasks of a local cluster when their launcher dies, for any reason.

`modern.launcher.local` runs this file as a script, in two forms:

    python -I -S guard.py watch                     # one per cluster, standard input is a pipe
    python -I -S guard.py run FD LAUNCHER COMMAND…  # one per task, FD is the pipe's write end

The launcher alone keeps the write end of that pipe open. When the launcher ends, even by SIGKILL,
the watcher reads end-of-file and ends every session that is still registered. The second form
registers its own session in the pipe and then becomes COMMAND. So the watcher knows a task before
the first instruction of the task runs, and the launcher can die at any moment without leaving an
orphan.

The watcher may be killed, too. So the second form also leaves a process that waits for the death of
the launcher and of the task. If the launcher dies first and the watcher does not end the task, this
process does. `PR_SET_PDEATHSIG` of Linux would be simpler, but its signal reaches only the first
process of a task, not a program that a shell script runs. It would also be a second SIGTERM next to
that of the watcher, which ends a training without a checkpoint.

The script uses only the core of the standard library. It imports neither site-packages nor
TensorFlow, and starts in about 15 ms.
"""

import contextlib
import os
import select
import signal
import sys
import time

TERM_SECONDS = 2.0
_KILL_SECONDS = 5.0
# The watcher has ended a task by then.
_WATCHER_SECONDS = TERM_SECONDS + 1.0
_POLL_SECONDS = 0.5


def members(session: int) -> list[int]:
    """Lists the processes of a session, including descendants in other process groups.

    Args:
      session: The process id of the session's leader, which need not be alive.

    Returns:
      Process ids, including the leader's while it exists. Without /proc: the negated id of the
      leader's process group, if the group has any process.
    """
    if not os.path.isdir("/proc/self"):
        try:
            os.killpg(session, 0)
        except OSError:
            return []
        return [-session]
    pids = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):  # It ended meanwhile.
                if os.getsid(int(entry)) == session and _is_alive(entry):
                    pids.append(int(entry))
    return pids


def _is_alive(pid: str) -> bool:
    """Returns False for a zombie, which the first process of some containers never collects."""
    with open(f"/proc/{pid}/stat", "rb") as stat:
        return stat.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")


def signal_session(session: int, signum: int) -> bool:
    """Sends a signal to every process of a session.

    Args:
      session: The process id of the session's leader.
      signum: The number of the signal.

    Returns:
      True if the session has any process.
    """
    pids = members(session)
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signum)
    return bool(pids)


def end_sessions(sessions: set[int], term_seconds: float = TERM_SECONDS) -> None:
    """Ends all processes of the given sessions by SIGTERM, then the remaining ones by SIGKILL.

    Args:
      sessions: The process ids of the sessions' leaders.
      term_seconds: Seconds that a process may take to end after SIGTERM.
    """
    for session in sessions:
        signal_session(session, signal.SIGTERM)
    killing_from = time.monotonic() + term_seconds
    # A process may fork while it is being killed, so signals are sent until the session is empty.
    # Signal 0 only checks that it exists.
    while sessions and time.monotonic() < killing_from + _KILL_SECONDS:
        signum = signal.SIGKILL if time.monotonic() >= killing_from else 0
        sessions = {session for session in sessions if signal_session(session, signum)}
        time.sleep(0.02)


def watch(stream: int) -> None:
    """Reads "+SESSION" and "-SESSION" lines until end-of-file, then ends the registered sessions.

    Args:
      stream: The file descriptor of the pipe's read end.
    """
    # The watcher must outlive its launcher.
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)
    sessions: set[int] = set()
    with os.fdopen(stream, "r") as lines:
        for line in lines:
            change = sessions.add if line[0] == "+" else sessions.discard
            change(int(line[1:]))
    end_sessions(sessions)


def run(stream: int, launcher: int, command: list[str]) -> None:
    """Registers the session of this process with the watcher and becomes `command`.

    Args:
      stream: The file descriptor of the pipe's write end. It is closed before the command runs.
      launcher: The process id of the launcher, the parent of this process.
      command: The program and its arguments. If it cannot be run, this process reports that on
        standard error and exits with 127, as a shell does.
    """
    # Python ignores SIGPIPE and SIGXFSZ, and a launcher started in the background ignores SIGINT. A
    # program inherits ignored signals, so they are reset here.
    for signum in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
        signal.signal(signum, signal.SIG_DFL)
    os.write(stream, b"+%d\n" % os.getpid())
    os.close(stream)
    _stand_by(launcher)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot run {command[0]!r}: {error.strerror}\n".encode())
        os._exit(127)


class _Process:
    """A process that need not be a child of this one."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        try:
            self.handle: int | None = os.pidfd_open(pid)
        except (AttributeError, OSError):  # An old Linux, or another system.
            self.handle = None

    def is_dead(self) -> bool:
        """Returns whether the process has ended. It may be a zombie."""
        if self.handle is not None:
            return bool(select.select([self.handle], [], [], 0)[0])
        try:
            os.kill(self._pid, 0)
            return os.path.isdir("/proc/self") and not _is_alive(str(self._pid))
        except PermissionError:
            return False
        except OSError:
            return True


def _stand_by(launcher_pid: int) -> None:
    """Starts a process that ends this session after the death of the launcher.

    Args:
      launcher_pid: The process id of the launcher. If it is dead already, this process exits.
    """
    session = os.getpid()
    launcher, task = _Process(launcher_pid), _Process(session)
    if os.getppid() != launcher_pid:
        os._exit(128 + signal.SIGKILL)
    # The grandchild has its own session. It is not a child of the task, since the task may wait for
    # all of its children.
    if child := os.fork():
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if not os.fork():
            _end_session_after(launcher, task, session)
    finally:
        os._exit(0)


def _end_session_after(launcher: _Process, task: _Process, session: int) -> None:
    """Waits for the end of the session. Ends it if the launcher dies and the watcher does not."""
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)
    os.chdir("/")
    # A reader of the task's output must not wait for this process.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    if launcher.handle is not None and task.handle is not None:
        select.select([launcher.handle, task.handle], [], [])
    while not launcher.is_dead():
        if task.is_dead() and not members(session):
            return
        time.sleep(_POLL_SECONDS)
    deadline = time.monotonic() + _WATCHER_SECONDS
    while members(session) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS / 5)
    end_sessions({session})


if __name__ == "__main__":
    if sys.argv[1] == "watch":
        watch(0)
    else:
        run(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
