"""The lock of a model folder, so that only one run trains in it at a time.

>>> import tempfile
>>> model_dir = tempfile.mkdtemp()
>>> with held(model_dir), held(model_dir):  # Nested in one process.
...     owner(model_dir).pid == os.getpid()
True
>>> owner(model_dir) is None
True

The task that saves holds MODEL_DIR/run.lock during the training. Evaluation, prediction and servers
need no lock. The file names the owner by host, process id and start time.

- If the owner runs on this host, this process sees whether it lives. The lock of a process that was
  killed is taken over at once.
- Otherwise the file itself shows it: the owner rewrites it every ten seconds. If it stays the same
  for a minute, by the clock of the process that waits, then the owner is dead. If it is rewritten
  after that minute, this process is refused. So a pod that replaces another one gets the lock when
  the other one has saved or was killed, although its host name or process namespace differs.
- An owner that was suspended for longer may find another owner in the file. It then exits at once,
  so that it does not write into a folder that it no longer owns.
"""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import os
import threading
import time
from collections.abc import Iterator

from modern.process import cli
from modern.records import lock_file
from modern.records.lock_owner import Owner

FILE = "run.lock"
RENEW_S = 10.0
DEAD_AFTER_S = 60.0
# A process with much memory takes a while to disappear after it was killed.
PATIENCE_S = 2.0
# Some network file systems do not lock between hosts. The first renewal finds a rival early.
_FIRST_RENEWAL_S = 1.0
_POLL_S = 0.2


class LockedError(cli.UsageError):
    """Another run trains in the folder. The message names it and its lock."""


def path_of(model_dir: str) -> str:
    """Returns the path of a folder's lock."""
    return os.path.join(model_dir, FILE)


def owner(model_dir: str) -> Owner | None:
    """Returns the owner of a folder's lock, dead or alive. None without a lock."""
    text = lock_file.of(path_of(model_dir)).read()
    return Owner.parse(text) if text else None


class _Lock:
    """A lock that this process holds, or waits for.

    Args:
      model_dir: The folder.
      dead_after_s: Seconds without a renewal after which an owner on another host is dead.
      renew_s: Seconds between renewals.
      patience_s: Seconds in which an owner on this host may end.
    """

    def __init__(
        self, model_dir: str, dead_after_s: float, renew_s: float, patience_s: float
    ) -> None:
        self._model_dir = model_dir
        self._dead_after_s, self._renew_s, self._patience_s = dead_after_s, renew_s, patience_s
        self._file = lock_file.of(path_of(model_dir))
        self._owner = Owner.of_this_process()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep_renewing, name="run lock", daemon=True)
        self._made_folder = False
        self.holders = 0

    def acquire(self) -> None:
        try:
            self._made_folder = self._file.make_folder()
            while not self._try():
                pass
        except OSError as error:
            raise cli.UsageError(
                f"model_dir={self._model_dir} cannot be written ({error.strerror or error}): name "
                "a folder in which files can be created."
            ) from error
        self._thread.start()

    def _try(self) -> bool:
        """Takes the lock if it is free or its owner is dead. Returns false if a rival took it."""
        content = self._file.read()
        end = None
        if content is not None:
            content, end = self._await_death(content)
        if not self._file.claim(content, self._owner.text()):
            return False
        if end is not None:
            cli.say(f"{self._file.path} is taken over: {end}.")
        return True

    def _await_death(self, text: str) -> tuple[str | None, str]:
        """Waits for the death of an owner.

        Returns:
          The content of the file, and the reason for which the owner is taken to be dead.

        Raises:
          LockedError: The owner lives.
        """
        other = Owner.parse(text)
        deadline = time.monotonic() + self._patience_s
        while other and (lives := other.lives()) is not None:
            if not lives:
                return text, f"{other.description()} has ended without removing it"
            if time.monotonic() > deadline:
                raise LockedError(self._refusal(other))
            time.sleep(_POLL_S)
        return self._await_renewals(text, other)

    def _await_renewals(self, text: str, other: Owner | None) -> tuple[str | None, str]:
        """Waits for the death of an owner whose process cannot be seen, like `_await_death`."""
        owner_text = other.description() if other else "an unknown process"
        cli.say(
            f"{self._file.path} belongs to {owner_text}, which cannot be seen from here. Waiting "
            f"{self._dead_after_s:.0f} s to see whether it ends or renews the file. If you know "
            "that it has ended, delete the file, and the training begins at once."
        )
        # Compared only with this clock. Those of two hosts may differ.
        start = changed_at = time.monotonic()
        while time.monotonic() - changed_at < self._dead_after_s:
            time.sleep(_POLL_S)
            now = self._file.read()
            if now is None:
                return None, f"{owner_text} has ended"
            if now != text:
                text, changed_at = now, time.monotonic()
                # A pod that is being replaced saves first, so that one renewal is no reason yet.
                if (newer := Owner.parse(now)) and changed_at - start > self._dead_after_s:
                    raise LockedError(self._refusal(newer))
        return text, f"{owner_text} has not renewed it for {self._dead_after_s:.0f} s"

    def _refusal(self, other: Owner) -> str:
        return (
            f"model_dir={self._model_dir} is in use: {other.description()} trains there and holds "
            f"{self._file.path}. Wait until it ends, end it, or name another model_dir. Delete the "
            "file only if you know that this process has ended."
        )

    def release(self) -> None:
        self._stopping.set()
        if threading.current_thread() is not self._thread:
            self._thread.join(self._renew_s)
        with contextlib.suppress(OSError):  # The next run takes over a lock that is left.
            self._file.remove(self._owner.text())
            if self._made_folder:
                self._file.remove_empty_folder()

    def _keep_renewing(self) -> None:
        wait = min(_FIRST_RENEWAL_S, self._renew_s)
        while not self._stopping.wait(wait):
            wait = self._renew_s
            # A failed renewal is repeated. The file system may be out of reach for a while.
            with contextlib.suppress(OSError):
                self._renew()

    def _renew(self) -> None:
        newer = dataclasses.replace(self._owner, renewals=self._owner.renewals + 1)
        if self._file.swap(self._owner.text(), newer.text()):
            self._owner = newer
            return
        text = self._file.read()
        if text is None:  # The user has deleted it, and this run is not dead.
            if self._file.swap(None, newer.text()):
                self._owner = newer
            return
        other = Owner.parse(text)
        if other is not None and other.run != self._owner.run and not self._stopping.is_set():
            cli.say(
                f"{self._file.path} belongs to {other.description()} now, since this run did not "
                f"renew it for {self._dead_after_s:.0f} s, or it was deleted. This run ends at "
                "once and saves nothing more, so that the two do not mix."
            )
            cli.exit_at_once(cli.FAILURE)


# The locks that this process holds, by the path of the file.
_held: dict[str, _Lock] = {}
_mutex = threading.Lock()


@contextlib.contextmanager
def held(
    model_dir: str,
    *,
    dead_after_s: float = DEAD_AFTER_S,
    renew_s: float = RENEW_S,
    patience_s: float = PATIENCE_S,
) -> Iterator[None]:
    """Holds the lock of a folder while the block runs. Blocks of one process may be nested.

    Args:
      model_dir: The folder, which is created if it does not exist. It may be a URL.
      dead_after_s: Seconds without a renewal after which an owner on another host is dead.
      renew_s: Seconds between renewals.
      patience_s: Seconds in which an owner on this host may end.

    Raises:
      LockedError: Another run trains in the folder.
      cli.UsageError: The folder cannot be written.
    """
    key = _acquire(model_dir, dead_after_s, renew_s, patience_s)
    try:
        yield
    finally:
        _release(key)


@contextlib.contextmanager
def held_or_exit(model_dir: str) -> Iterator[None]:
    """Holds the lock in a user's own program, which ends with one line and code 2 if it cannot.

    Args:
      model_dir: The folder.

    Raises:
      SystemExit: Another run trains in the folder, or it cannot be written.
    """
    with cli.refusing(cli.UsageError):
        key = _acquire(model_dir)
    try:
        yield
    finally:
        _release(key)


def hold_until_exit(model_dir: str) -> None:
    """Holds the lock until this process ends. For a task of a cluster, which joins it only once.

    Args:
      model_dir: The folder.

    Raises:
      SystemExit: Another run trains in the folder, or it cannot be written.
    """
    with cli.refusing(cli.UsageError):
        _acquire(model_dir)


def _acquire(
    model_dir: str,
    dead_after_s: float = DEAD_AFTER_S,
    renew_s: float = RENEW_S,
    patience_s: float = PATIENCE_S,
) -> str:
    key = lock_file.of(path_of(model_dir)).path
    with _mutex:
        if key not in _held:
            lock = _Lock(model_dir, dead_after_s, renew_s, patience_s)
            lock.acquire()
            _held[key] = lock
        _held[key].holders += 1
    return key


def _release(key: str) -> None:
    with _mutex:
        lock = _held.get(key)
        if lock is None:  # In a forked process, which does not hold the locks of its parent.
            return
        lock.holders -= 1
        if not lock.holders:
            del _held[key]
            lock.release()


def _release_all() -> None:
    for lock in list(_held.values()):
        lock.release()


def _forget() -> None:
    global _mutex
    _held.clear()
    _mutex = threading.Lock()


os.register_at_fork(after_in_child=_forget)
cli.before_exit_at_once(_release_all)
atexit.register(_release_all)
