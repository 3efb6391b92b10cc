"""Runs several programs at once, of which all but one are paused.

    speeds = turns.run([program, baseline], mnist)

The speed of a shared machine changes by a factor of two within minutes. Programs that run one after
the other meet different speeds, and their ratio is of the machine, not of the programs. Here each
program runs for a second or more, and SIGSTOP holds the others meanwhile. So all of them meet the
same changes. The time for which a program is paused is not counted.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import os
import pathlib
import signal
import tempfile
import time
from collections.abc import Sequence

from benchmarks.programs import Program
from modern.launcher import guard
from modern.launcher.local import JobResult, LocalCluster
from modern.records import progress, task_records

SLICE_S = 3.0
# Synchronous workers give each other up after ten seconds without a heartbeat.
_LONGEST_PAUSE_S = 6.0


class Clock:
    """Counts the seconds for which a program runs."""

    def __init__(self) -> None:
        self._spans: list[tuple[float, float]] = []

    def add(self, start: float, end: float) -> None:
        """Adds a span in which the program ran, in unix seconds. Call it in the order of time."""
        self._spans.append((start, end))

    def seconds_at(self, moment: float) -> float:
        """Returns the seconds for which the program had run at a moment, in unix seconds."""
        return sum(min(end, moment) - start for start, end in self._spans if start < moment)


def run(
    chosen: Sequence[Program], mnist: pathlib.Path | None, slice_s: float = SLICE_S
) -> dict[str, float]:
    """Runs programs in turns to their ends.

    Args:
      chosen: The programs. Memory must suffice for all of them.
      mnist: The path of the data, for programs that read it.
      slice_s: Seconds of a turn. With many programs, turns are shorter.

    Returns:
      Name of each program to the examples per second of its steady part.

    Raises:
      RuntimeError: A task fails.
    """
    slice_s = min(slice_s, _LONGEST_PAUSE_S / max(len(chosen) - 1, 1))
    with contextlib.ExitStack() as stack:
        runs = []
        for program in chosen:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            cluster = stack.enter_context(program.cluster(folder, mnist))
            runs.append(_Run(program, pathlib.Path(folder), cluster))
            runs[-1].pause()
        waiting = [*runs]
        while waiting:
            waiting = [one for one in waiting if not one.is_over_after(slice_s)]
        return {one.program.name: one.examples_per_second() for one in runs}


@dataclasses.dataclass
class _Run:
    """A running program."""

    program: Program
    folder: pathlib.Path
    cluster: LocalCluster
    clock: Clock = dataclasses.field(default_factory=Clock)

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)

    def is_over_after(self, seconds: float) -> bool:
        """Lets the program run, and returns whether it has ended."""
        start = time.time()
        self._signal(signal.SIGCONT)
        result: JobResult | None = None
        with contextlib.suppress(TimeoutError):
            result = self.cluster.wait(seconds)
        self.pause()
        self.clock.add(start, time.time())
        if result and result.failed:
            lines = "\n".join(result.last_lines)
            raise RuntimeError(f"{self.program.name}: {result.failed.name} failed:\n{lines}")
        return result is not None

    def _signal(self, signum: int) -> None:
        for task in self.cluster.tasks:
            guard.signal_session(task.pid, signum)

    def examples_per_second(self) -> float:
        if self.program.result:
            figures = json.loads((self.folder / self.program.result).read_text())
            start, end = (self.clock.seconds_at(figures[name]) for name in ("start", "end"))
            return figures["examples"] / (end - start)
        trainers = [
            [
                dataclasses.replace(sample, time=self.clock.seconds_at(sample.time))
                for sample in task_records.samples_of(record)
            ]
            for _, record in sorted(task_records.read_all(os.fspath(self.folder)).items())
        ]
        counted = [samples for samples in trainers if samples]
        speed = progress.examples_per_second(counted, self.program.warmup_steps)
        if math.isnan(speed):
            raise RuntimeError(f"{self.program.name} has too few steps for a speed.")
        return speed
