"""Signals that end a training at a whole step, with a checkpoint.

    interruption = Interruption()
    with interruption.watched():
        while not interruption.signum:
            train_a_step()

A coordinator waits for its workers inside `fit`. `wake` ends such a wait from another thread.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

# A save needs the parameter servers, so they serve for as long after a signal as a trainer is up. A
# trainer without a signal would never end. The files of `migrate cluster` give tasks ten seconds
# more.
SERVE_S = 110.0
_WAKE_EVERY_S = 0.05
# A signal's handler, as `signal.signal` takes it. None stands for one that Python did not set.
_Handler = Callable[[int, Any], Any] | int | None


class _WakeUp(BaseException):
    """Ends the wait of the main thread. Like KeyboardInterrupt, it is not an Exception."""


def _waits(frame: Any) -> bool:
    """Returns whether a frame waits for another thread."""
    return frame is not None and frame.f_code is threading.Condition.wait.__code__


@dataclasses.dataclass
class Interruption:
    """Records Ctrl-C and SIGTERM. A second signal acts at once.

    A signal that the process ignores stays ignored. For example, a shell starts background jobs
    with SIGINT ignored, and so does nohup. SIGTERM ends those.

    Attributes:
      signum: The number of the signal that has arrived, or 0.
      numbers: The numbers of the signals that it records.
    """

    signum: int = 0
    numbers: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM)
    _can_be_woken: bool = dataclasses.field(default=False, init=False)
    _is_waking: bool = dataclasses.field(default=False, init=False)
    _has_woken: bool = dataclasses.field(default=False, init=False)
    _error: BaseException | None = dataclasses.field(default=None, init=False)
    _has_left: threading.Event = dataclasses.field(default_factory=threading.Event, init=False)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Records the signals while the block runs. Enter it in the main thread."""
        handlers: dict[int, _Handler] = {
            number: signal.getsignal(number) for number in self.numbers
        }

        def handle(number: int, frame: Any) -> None:
            earlier = handlers[number]
            # `wake` sent this SIGTERM, not the user.
            if self._is_waking and number == signal.SIGTERM:
                self._is_waking = False
                if self._can_be_woken and _waits(frame):
                    self._can_be_woken, self._has_woken = False, True
                    raise _WakeUp
            elif earlier == signal.SIG_IGN:
                pass
            elif not self.signum:
                self.signum = number
            elif callable(earlier):
                earlier(number, frame)
            else:
                signal.signal(number, earlier)
                # The default action ends the process.
                os.kill(os.getpid(), number)

        for number in handlers:
            signal.signal(number, handle)
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)

    @contextlib.contextmanager
    def wakeable(self) -> Iterator[None]:
        """Runs the block in the main thread until its end, or until `wake` ends a wait in it.

        The frames that `wake` ends are kept with this object. Otherwise their variables would be
        deleted here, such as iterators on workers, while other threads still use TensorFlow.
        """
        self._has_left.clear()
        self._can_be_woken = True
        try:
            yield
        except (KeyboardInterrupt, SystemExit):  # A second signal acts at once.
            raise
        except BaseException as error:
            # The exception may interrupt the code of a lock, which can turn it into another
            # exception.
            if not self._has_woken:
                raise
            self._error = error
        finally:
            self._can_be_woken = False
            self._has_left.set()

    def wake(self) -> None:
        """Ends a wait in the block of `wakeable`, from another thread. Call it until it has ended.

        Only a wait of `threading` ends, such as a coordinator's for its workers. An exception
        elsewhere could hit a Python function that C++ calls, which crashes TensorFlow.

        It sends SIGTERM, because a process may ignore SIGINT. One call is not enough: a signal that
        arrives just before the main thread begins to wait for a lock does not end that wait.
        """
        self._is_waking = True
        thread = threading.main_thread().ident
        assert thread is not None  # The main thread has been started.
        signal.pthread_kill(thread, signal.SIGTERM)

    def wake_until_left(self) -> None:
        """Ends the block of `wakeable`, from another thread, and returns after it has ended."""
        while not self._has_left.wait(_WAKE_EVERY_S):
            self.wake()

    @property
    def exit_code(self) -> int:
        """The exit code that shells report: 128 + the number of the signal, or 0 without one."""
        return 128 + self.signum if self.signum else 0
