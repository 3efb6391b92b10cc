"""Signals that end a training at a whole step, with a checkpoint.

interruption = Interruption()
with interruption.watched():
while not interruption.signum:
train_a_step()
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import threading
from collections.abc import Iterator
from typing import Any


class _Woken(BaseException):
    """Ends the wait of the main thread. Like KeyboardInterrupt, it is no Exception."""


@dataclasses.dataclass
class Interruption:
    """Notes Ctrl-C and SIGTERM. A second signal acts at once.

    A signal that the process ignores stays ignored: a shell starts background jobs with SIGINT
    ignored, and so does nohup. SIGTERM ends those.

    Attributes:
      signum: The number of the signal that has come, or 0.
    """

    signum: int = 0
    _can_be_woken: bool = dataclasses.field(default=False, init=False)
    _is_waking: bool = dataclasses.field(default=False, init=False)
    _has_woken: bool = dataclasses.field(default=False, init=False)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Notes the signals while the block runs. Enter it in the main thread."""
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

        def handle(number: int, frame: Any) -> None:
            if self._is_waking and number == signal.SIGTERM:
                self._is_waking = False
                if self._can_be_woken:
                    self._can_be_woken, self._has_woken = False, True
                    raise _Woken
            elif before[number] == signal.SIG_IGN:
                pass
            elif not self.signum:
                self.signum = number
            elif callable(before[number]):
                before[number](number, frame)
            else:
                signal.signal(number, before[number])
                os.kill(os.getpid(), number)

        for number in before:
            signal.signal(number, handle)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextlib.contextmanager
    def wakeable(self) -> Iterator[None]:
        """Runs the block in the main thread until its end, or until `wake` ends it."""
        self._can_be_woken = True
        try:
            yield
        except (KeyboardInterrupt, SystemExit):  # A second signal acts at once.
            raise
        except BaseException:
            # An exception that comes between two lines of a lock's code can turn into another one.
            if not self._has_woken:
                raise
        finally:
            self._can_be_woken = False

    def wake(self) -> None:
        """Ends the block of `wakeable`, from another thread. Call it again until it has ended.

        SIGTERM carries it, as a process may ignore SIGINT. Once is not enough: a signal that comes
        just before the main thread begins to wait for a lock does not end that wait.
        """
        self._is_waking = True
        signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)

    @property
    def exit_code(self) -> int:
        """The exit code that shells report: 128 + the number of the signal, or 0 without one."""
        return 128 + self.signum if self.signum else 0
