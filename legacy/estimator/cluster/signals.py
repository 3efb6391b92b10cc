"""Signals that end a task of a cluster: trainers stop at a whole step, and servers stop last.

    with signals.watched(Interruption()) as interruption:
        estimator.train(input_fn, hooks=signals.hooks(estimator.config))
    sys.exit(interruption.exit_code)

The chief saves its last step. The training stays open for a restarted chief. A ps serves on while a
trainer is up, at most `interruption.SERVE_S` seconds.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import tensorflow as tf

from legacy.estimator.cluster import servers
from legacy.estimator.loops import distribute
from modern.cluster import health
from modern.process import cli
from modern.training.interruption import SERVE_S, Interruption

if TYPE_CHECKING:
    from legacy.estimator.run_config import RunConfig

tf1 = tf.compat.v1

_POLL_SECS = 0.1

_current: Interruption | None = None


@contextlib.contextmanager
def watched(interruption: Interruption) -> Iterator[Interruption]:
    """Records signals while the block runs. The tasks' waits and hooks in it end on a signal.

    Args:
      interruption: Names the signals. Enter the block in the main thread.
    """
    global _current
    previous = _current
    with interruption.watched():
        _current = interruption
        try:
            yield interruption
        finally:
            _current = previous


@contextlib.contextmanager
def ending_program() -> Iterator[None]:
    """Ends the program with exit code 143 after the block, if SIGTERM arrives in the block.

    Does nothing if an outer block records signals, if the program handles SIGTERM itself, or in
    another thread than the main thread.
    """
    is_handled = signal.getsignal(signal.SIGTERM) != signal.SIG_DFL
    is_main = threading.current_thread() is threading.main_thread()
    if _current is not None or is_handled or not is_main:
        yield
        return
    with watched(Interruption(numbers=(signal.SIGTERM,))):
        yield
        exit_if_interrupted()


def is_interrupted() -> bool:
    """Returns whether a signal has arrived that ends this task."""
    return bool(_current and _current.signum)


def exit_if_interrupted() -> None:
    """Raises SystemExit with the signal's exit code if a signal has arrived."""
    if _current and _current.signum:
        sys.exit(_current.exit_code)


def hooks(config: RunConfig) -> list[tf1.train.SessionRunHook]:
    """Returns the hook that stops a trainer after a signal, or none if no signals are recorded.

    Args:
      config: The RunConfig of a trainer.
    """
    return [_StopHook(config)] if _current is not None else []


class _StopHook(tf1.train.SessionRunHook):
    """Stops a trainer after the step in which a signal arrives.

    Under a synchronous strategy the chief needs the other workers for its last step. They train on
    until the chief has ended, and then end at once.

    Args:
      config: The RunConfig of a trainer.
    """

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._follows = distribute.is_multi_worker(config) and not config.is_chief
        self._leaving: threading.Thread | None = None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Requests the stop, or starts to wait for the chief's end."""
        if not is_interrupted():
            return
        if not self._follows:
            run_context.request_stop()
        elif self._leaving is None:
            self._leaving = threading.Thread(target=self._leave, name="leave", daemon=True)
            self._leaving.start()

    def _leave(self) -> None:
        """Ends the process after the chief. A step without the chief would never end."""
        assert _current is not None
        code = _current.exit_code
        wait_while_up([servers.chief_address(self._config)])
        cli.exit_at_once(code)


def wait_while_up(tasks: list[str]) -> None:
    """Waits until no process listens at any of the addresses, at most `SERVE_S`."""
    deadline = time.monotonic() + SERVE_S
    while time.monotonic() < deadline and any(health.accepts(address) for address in tasks):
        time.sleep(_POLL_SECS)
