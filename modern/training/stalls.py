"""Detects a training that makes no more steps, and names the tasks that do not answer.

    watch = Watch(servers_of(strategy), 600.0, interruption.wake, True, 30.0)
    with watch, interruption.wakeable():
        model.fit(data, callbacks=[watch.callback()])
    if watch.error:
        raise watch.error

The watch has its own thread, which never calls TensorFlow: a call to a server that does not
answer would block it, too.

A worker or parameter server that does not answer is named after `REPORT_AFTER_S`. If a coordinator
can do without it, which is true of a worker, the connections to it are ended. TensorFlow then gives
its steps to the other workers, and takes it back when it answers again.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import tensorflow as tf

from modern.cluster import health
from modern.process import cli
from modern.process.chosen_keras import keras
from modern.training import strategies

REPORT_AFTER_S = 30.0
STALL_TIMEOUT_S = 600.0
# The number of checks of a task before it is named. Each may take as long as their distance.
_CHECKS = 6
_MOST_CHECKS_AT_ONCE = 16
_TICK_S = 0.25
# A limit on the time of a step must exceed the longest normal step by far.
_STEPS_IN_A_STALL = 3.0
# Seconds that the main thread has to leave the training before the process is ended.
_TIME_TO_LEAVE_S = 10.0


class StallError(Exception):
    """The training has made no step for a long time."""


def servers_of(strategy: tf.distribute.Strategy) -> dict[str, str]:
    """Returns the addresses of the tasks that the training needs, without this task, by name."""
    config = strategies.cluster_of(strategy)
    if config is None:
        return {}
    places = {
        f"{task_type}-{index}": address
        for task_type, addresses in config.training_cluster.items()
        for index, address in enumerate(addresses)
    }
    return {name: address for name, address in places.items() if name != config.name}


class Watch:
    """Watches a training in a thread, while the `with` block runs.

    A time without steps counts as a stall only while steps are to be expected: after the first step
    of a call of `fit`, and outside of `paused`. So slow compilation, saves and evaluations are no
    stall, unless a task that the training needs does not answer.

    Args:
      servers: The addresses of the other tasks, by name.
      stall_timeout: Seconds without a step after which the training ends. 0 sets no limit.
      end: Ends the main thread's wait. It is called repeatedly, from the watching thread.
      coordinates: Whether this task is a coordinator. It can do without a worker.
      report_after_s: Seconds after which a task that does not answer is named.

    Attributes:
      error: The reason for the end, or None.
    """

    def __init__(
        self,
        servers: Mapping[str, str],
        stall_timeout: float,
        end: Callable[[], None],
        coordinates: bool,
        report_after_s: float,
    ) -> None:
        self.error: StallError | None = None
        self._stall_timeout, self._end, self._coordinates = stall_timeout, end, coordinates
        self._report_after_s = report_after_s
        self._servers = _Servers(servers, coordinates, stall_timeout, report_after_s)
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._step: int | None = None
        self._moved_at = time.monotonic()
        self._longest_s = 0.0
        self._is_running = self._has_begun = False
        self._pauses = 0
        self._is_reported = False
        self._thread = threading.Thread(target=self._run, name="stalls", daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stopping.set()
        self._thread.join()

    def progress(self, step: int) -> None:
        """Notes the current step. Call it from any thread, as often as possible."""
        with self._lock:
            if step == self._step:
                return
            if self._step is not None:
                self._move()
            self._step = step

    def callback(self) -> keras.callbacks.Callback:
        """Returns the callback that tells when steps are to be expected. It is the first of `fit`.

        The time of other callbacks, which may evaluate, is then no stall.
        """
        return _Epochs(self) if self._coordinates else _Executions(self)

    def begin(self) -> None:
        """Notes that a call of `fit` begins, whose first step may take long."""
        with self._lock:
            self._has_begun = False

    def run(self, is_running: bool) -> None:
        """Notes whether steps are to be expected from now on."""
        with self._lock:
            if self._is_running and not is_running:
                self._move()
            self._is_running, self._moved_at = is_running, time.monotonic()

    def _move(self) -> None:
        """Notes that a step was made."""
        now = time.monotonic()
        if self._is_running:
            self._longest_s = max(self._longest_s, now - self._moved_at)
        self._moved_at, self._has_begun, self._is_reported = now, True, False

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Does not expect steps while the block runs."""
        with self._lock:
            self._pauses += 1
        start = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1
                # Not the present: a coordinator's thread pauses briefly several times a second.
                self._moved_at += time.monotonic() - start

    def can_call_all(self) -> bool:
        """Asks all tasks now, and returns whether a call to all of them would not wait.

        The first save makes a function, and so does an evaluation after it. TensorFlow sends each
        new function to all workers, and holds Python's lock meanwhile. So a worker that does not
        answer would stop all threads of this process.
        """
        return self._servers.can_call_all()

    def _run(self) -> None:
        while not self._stopping.wait(_TICK_S):
            now = time.monotonic()
            if self._coordinates or self._is_idle(now):
                self._servers.check(now, self._stopping)
            else:  # Each synchronous step needs all tasks.
                self._servers.presume_answers(now)
            self._report(now)
            if self._stall_timeout and self._stalled_s(now) >= self._limit_s():
                self._give_up(now)
                return

    def _is_idle(self, now: float) -> bool:
        with self._lock:
            return now - self._moved_at >= self._report_after_s / _CHECKS

    def _stalled_s(self, now: float) -> float:
        """Returns the seconds without a step, while steps were to be expected."""
        with self._lock:
            begin = self._moved_at
            if not self._is_running or not self._has_begun or self._pauses:
                blocked_since = self._servers.blocked_since()
                begin = now if blocked_since is None else max(begin, blocked_since)
        return now - begin

    def _limit_s(self) -> float:
        return max(self._stall_timeout, _STEPS_IN_A_STALL * self._longest_s)

    def _report(self, now: float) -> None:
        """Reports once that no step was made, if all tasks answer."""
        least = max(self._report_after_s, _STEPS_IN_A_STALL * self._longest_s)
        if self._is_reported or not self._has_begun or self._servers.silent(now):
            return
        if self._stalled_s(now) >= least:
            self._is_reported = True
            others = "; the other tasks answer" if self._servers else ""
            print(
                f"No step was made for {least:.0f} s after step {self._step:,}{others}."
                + _limit(self._stall_timeout),
                file=sys.stderr,
                flush=True,
            )

    def _give_up(self, now: float) -> None:
        """Ends the training, and the process if the main thread cannot leave it."""
        silent = self._servers.silent(now)
        reason = f": {'; '.join(silent)}" if silent else ", though the other tasks answer"
        self.error = StallError(
            f"No step was made for {self._stalled_s(now):.0f} s after step {self._step or 0:,}"
            + (reason if self._servers else "")
            + f". The training ends (--stall_timeout={self._stall_timeout:g}). Run the same "
            "command again to continue from the last checkpoint."
        )
        deadline = time.monotonic() + _TIME_TO_LEAVE_S
        while time.monotonic() < deadline:
            self._end()
            if self._stopping.wait(_TICK_S):
                return
        # The main thread waits inside TensorFlow, where nothing can reach it.
        cli.report_failure(self.error)
        sys.stdout.flush()
        os._exit(1)


class _Calls(keras.callbacks.Callback):
    """Notes each call of `fit`. Subclasses tell when steps are to be expected in it."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch

    def on_train_begin(self, logs: Any = None) -> None:
        self._watch.begin()


class _Epochs(_Calls):
    """Expects steps during the epochs of a coordinator, for which Keras has no other callbacks."""

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._watch.run(True)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._watch.run(False)


class _Executions(_Calls):
    """Expects steps during each execution of `steps_per_execution` steps."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self._watch.run(True)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self._watch.run(False)


class _Servers:
    """The other tasks of the cluster, and the time since when each of them has not answered."""

    def __init__(
        self,
        places: Mapping[str, str],
        coordinates: bool,
        stall_timeout: float,
        report_after_s: float,
    ) -> None:
        self._places, self._coordinates = dict(places), coordinates
        self._stall_timeout, self._report_after_s = stall_timeout, report_after_s
        self._answered_at = dict.fromkeys(places, time.monotonic())
        self._silent: dict[str, float] = {}  # By name, the time of the last answer.
        self._reported: set[str] = set()
        self._next_check = 0.0

    def __bool__(self) -> bool:
        return bool(self._places)

    def blocked_since(self) -> float | None:
        """Returns the time since when a task that the training needs has not answered, or None."""
        times = [since for name, since in self._silent.items() if not self._is_spare(name)]
        spare = [name for name in self._places if self._is_spare(name)]
        if spare and all(name in self._silent for name in spare):
            times.append(max(self._silent[name] for name in spare))
        return min(times, default=None)

    def _is_spare(self, name: str) -> bool:
        """Returns whether the training can go on without a task, as long as others are left."""
        return self._coordinates and name.startswith("worker-")

    def can_call_all(self) -> bool:
        """Returns whether all tasks answer now, except those whose connections are ended."""
        names = [name for name in self._places if name not in self._reported]
        with concurrent.futures.ThreadPoolExecutor(_MOST_CHECKS_AT_ONCE) as pool:
            return all(pool.map(self._answers, names))

    def presume_answers(self, now: float) -> None:
        """Notes that all tasks answer, without asking them."""
        self._answered_at = dict.fromkeys(self._places, now)
        self._silent.clear()
        self._reported.clear()

    def silent(self, now: float) -> list[str]:
        """Returns a phrase for each task that does not answer."""
        return [
            f"{name} at {self._places[name]} has not answered for {now - since:.0f} s"
            for name, since in self._silent.items()
        ]

    def check(self, now: float, stopping: threading.Event) -> None:
        """Asks all tasks, if it is time for that. Reports those that have not answered for long."""
        if now < self._next_check or not self._places:
            return
        self._next_check = now + self._report_after_s / _CHECKS
        with concurrent.futures.ThreadPoolExecutor(_MOST_CHECKS_AT_ONCE) as pool:
            answers = dict(zip(self._places, pool.map(self._answers, self._places), strict=True))
        if stopping.is_set():
            return
        now = time.monotonic()
        for name, is_answer in answers.items():
            if is_answer:
                self._answered_at[name] = now
                self._silent.pop(name, None)
                if name in self._reported:
                    self._reported.remove(name)
                    _say(f"{name} at {self._places[name]} answers again.")
            else:
                self._silent[name] = self._answered_at[name]
                if now - self._silent[name] >= self._report_after_s:
                    self._report(name)

    def _answers(self, name: str) -> bool:
        return health.answers(self._places[name], self._report_after_s / _CHECKS)

    def _report(self, name: str) -> None:
        place = self._places[name]
        if name not in self._reported:
            self._reported.add(name)
            consequence = (
                " The other workers get its steps until it answers again."
                if self._is_spare(name)
                else f" The training waits for it.{_limit(self._stall_timeout)}"
            )
            _say(
                f"{name} at {place} has not answered for {self._report_after_s:.0f} s.{consequence}"
            )
        if self._is_spare(name):
            # Each time: gRPC connects again, and waits 20 s for the first answer.
            health.disconnect(place)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _limit(stall_timeout: float) -> str:
    return f" It ends after {stall_timeout:g} s (--stall_timeout)." if stall_timeout else ""
