"""Samples of a running training, the source of the progress line, throughput and loss curve.

A `Sample` is the progress of a trainer at one moment. A thread of `Monitor` takes samples several
times a second. So measuring costs the training step nothing, and works in the same way under every
strategy (ParameterServerStrategy allows no per-step callbacks). The functions below compute figures
from the samples of one or several trainers.

>>> from modern.records import progress
>>> samples = [progress.Sample(10.0 + t, 20 * t, (1280 * t,), 640.0 * t) for t in range(11)]
>>> progress.examples_per_second([samples], warmup_steps=40)
1280.0
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np

_INTERVAL_S = 0.05
_SHORTEST_AVERAGE_S = 0.1
# Below these, the interval between samples and the steps in flight decide the figure.
_LEAST_STEPS = 20
_LEAST_S = 0.5
_LEAST_APART_S = 0.005
_MOST_SAMPLES = 4000
_PRINT_EVERY_S = 5.0
_CURVE_POINTS = 80


@dataclasses.dataclass(frozen=True)
class Sample:
    """The progress of a training at one moment.

    Attributes:
      time: The time in unix seconds.
      step: The global step.
      examples: The number of examples that each trainer has consumed, as far as this task knows (0
        for trainers in other tasks).
      loss_sum: The sum of the losses of all these examples.
      digests: The digest of each trainer's examples (`modern.records.digests`). Empty if examples
        are not counted.
    """

    time: float
    step: int
    examples: tuple[int, ...]
    loss_sum: float
    digests: tuple[float, ...] = ()

    def to_json(self) -> list:
        """Returns the fields as JSON values for `from_json`."""
        return [self.time, self.step, list(self.examples), self.loss_sum, list(self.digests)]

    @classmethod
    def from_json(cls, value: Sequence) -> Sample:
        """Returns the sample with the values of `to_json`. JSON has null for NaN."""
        moment, step, examples, loss_sum, digests = value
        loss_sum = math.nan if loss_sum is None else loss_sum
        return cls(moment, step, tuple(examples), loss_sum, tuple(digests))


Samples = Sequence[Sample]


def take(
    step: int, examples: Iterable[int], loss_sum: float, digests: Iterable[float] = ()
) -> Sample:
    """Returns a sample with the current time."""
    return Sample(
        time.time(),
        int(step),
        tuple(int(n) for n in examples),
        float(loss_sum),
        tuple(float(digest) for digest in digests),
    )


class Monitor:
    """Samples a training from a thread and prints a progress line every few seconds.

    Args:
      read: Takes a sample. It is called from the monitor's thread and must be safe there.
      describe: Returns the progress line for a sample and the sample of the previous line. None
        prints nothing.
      tick: Called with each sample, from the monitor's thread. If it returns False, the thread
        ends.

    An exception in the thread stops the sampling and is raised again at the end of the block. A
    very short training can add samples with `sample`. A long training keeps at most
    `_MOST_SAMPLES`, at growing distances.
    """

    def __init__(
        self,
        read: Callable[[], Sample],
        describe: Callable[[Sample, Sample], str] | None = None,
        tick: Callable[[Sample], bool] | None = None,
    ) -> None:
        self.samples: list[Sample] = []
        self._read, self._describe, self._tick = read, describe, tick
        self._least_apart_s = _LEAST_APART_S
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)

    def __enter__(self) -> Monitor:
        self.samples.append(self._read())
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stopping.set()
        self._thread.join()
        if exception[0] is None:
            if self._error:
                raise self._error
            self.samples.append(self._read())

    def sample(self) -> Sample:
        """Takes a sample and keeps it, unless it is too close to the last one."""
        sample = self._read()
        # The monitor's thread and the training call this method.
        with self._lock:
            if sample.time - self.samples[-1].time >= self._least_apart_s:
                self.samples.append(sample)
            if len(self.samples) > _MOST_SAMPLES:
                # Thins out the samples by half, and keeps the first and the last one.
                del self.samples[1:-1:2]
                self._least_apart_s *= 2
        return sample

    def _run(self) -> None:
        last = self.samples[0]
        try:
            while not self._stopping.wait(_INTERVAL_S):
                sample = self.sample()
                if self._tick and not self._tick(sample):
                    return
                if self._describe and sample.time - last.time >= _PRINT_EVERY_S:
                    print(self._describe(sample, last), file=sys.stderr, flush=True)
                    last = sample
        except BaseException as error:  # noqa: BLE001 - handed to the main thread by __exit__
            self._error = error


def describe(job: str, train_steps: int, tasks: int = 1) -> Callable[[Sample, Sample], str]:
    """Returns the function that writes a progress line.

    Args:
      job: The name of the job, the first word of the line.
      train_steps: The global step at which the training ends.
      tasks: The number of tasks that train in step with this one. Samples count only the examples
        of this task, and the line shows the rate of all.

    Returns:
      A function of a sample and an earlier one. For example, it returns
      "mnist_cnn  step 1,200 of 5,000 (24%)  loss 0.4312  4,120 examples/s  55 s left".
    """

    def line(now: Sample, before: Sample) -> str:
        seconds = max(now.time - before.time, 1e-9)
        examples = sum(now.examples) - sum(before.examples)
        steps = now.step - before.step
        text = f"{job}  step {now.step:,} of {train_steps:,} ({now.step / train_steps:.0%})"
        if examples:
            text += f"  loss {(now.loss_sum - before.loss_sum) / examples:.4f}"
            text += f"  {tasks * examples / seconds:,.0f} examples/s"
        if steps:
            text += f"  {(train_steps - now.step) * seconds / steps:,.0f} s left"
        return text

    return line


def _at(samples: Samples, times: np.ndarray, values: Sequence[float]) -> np.ndarray:
    """Interpolates the totals of a trainer at the given times.

    They are constant before its first and after its last sample.
    """
    return np.interp(times, [s.time for s in samples], values)


def _steady(trainers: Sequence[Samples], warmup_steps: int) -> tuple[float, float] | None:
    """Returns the measured period, in unix seconds: its start and its end.

    It starts when the first task has passed `warmup_steps`, and ends when the last step of all
    tasks is counted. Returns None if it is too short for a figure.
    """
    first = trainers[0]
    first_step = first[0].step + warmup_steps
    start = next((s for s in first if s.step >= first_step), first[-1])
    # Not the last sample: the program may have waited after its last step.
    end = max(next(s.time for s in t if s.examples == t[-1].examples) for t in trainers)
    if first[-1].step - start.step < _LEAST_STEPS or end - start.time < _LEAST_S:
        return None
    return start.time, end


def consumed(trainers: Sequence[Samples]) -> tuple[int, ...]:
    """Returns the number of examples that each trainer had consumed in the end."""
    ends = np.array([samples[-1].examples for samples in trainers], np.int64)
    return tuple(int(n) for n in ends.sum(axis=0))


def digests(trainers: Sequence[Samples]) -> tuple[float, ...]:
    """Returns the digest of the examples that each trainer had consumed in the end."""
    ends = np.array([samples[-1].digests for samples in trainers], np.float64)
    return tuple(float(digest) for digest in ends.sum(axis=0))


def examples_per_second(trainers: Sequence[Samples], warmup_steps: int) -> float:
    """Returns the steady rate of all trainers together, after `warmup_steps`.

    Args:
      trainers: The samples of each task that counts examples. The `step` of the first task is the
        global step.
      warmup_steps: The number of global steps that are left out.

    Returns:
      Examples per second. NaN if fewer than 20 steps or less than half a second remain after the
      warm-up: such a rate would be chance.
    """
    window = _steady(trainers, warmup_steps)
    if window is None:
        return math.nan
    times = np.array(window)
    examples = sum(np.diff(_at(s, times, [sum(x.examples) for x in s]))[0] for s in trainers)
    return float(examples / (window[1] - window[0]))


def step_ms(trainers: Sequence[Samples], warmup_steps: int) -> dict[str, float]:
    """Returns p50 and p90 of the milliseconds per global step, averaged over at least 0.1 s.

    They are NaN where `examples_per_second` is.
    """
    window = _steady(trainers, warmup_steps)
    times: list[float] = []
    previous: Sample | None = None
    for earlier, sample in itertools.pairwise(trainers[0]):
        if window is None or not window[0] <= sample.time <= window[1]:
            continue
        # From the end of a step to that of another. Otherwise a part of a step would count as none.
        if sample.step == earlier.step:
            continue
        if previous is None:
            previous = sample
        elif sample.time - previous.time >= _SHORTEST_AVERAGE_S:
            times.append(1000 * (sample.time - previous.time) / (sample.step - previous.step))
            previous = sample
    if not times:
        return {"p50": math.nan, "p90": math.nan}
    return {"p50": float(np.percentile(times, 50)), "p90": float(np.percentile(times, 90))}


def loss_curve(trainers: Sequence[Samples]) -> list[list[float]]:
    """Returns the mean training loss of consecutive periods: [examples of all at its end, loss].

    A period ends at a sample, so its mean is exact. Rare samples give fewer and longer periods. The
    curve has at most `_CURVE_POINTS` periods.
    """
    grid = np.unique([s.time for samples in trainers for s in samples])
    examples = np.sum([_at(s, grid, [sum(x.examples) for x in s]) for s in trainers], axis=0)
    losses = np.sum([_at(s, grid, [x.loss_sum for x in s]) for s in trainers], axis=0)
    if not examples[-1]:
        return []
    # Equal totals would make the mean below divide by zero.
    increasing = np.concatenate([[True], np.diff(examples) > 0])
    examples, losses = examples[increasing], losses[increasing]
    even_grid = np.linspace(examples[0], examples[-1], _CURVE_POINTS + 1)
    ends = np.unique(np.argmin(np.abs(examples[None, :] - even_grid[:, None]), axis=1))
    means = np.diff(losses[ends]) / np.diff(examples[ends])
    return [[round(float(x), 3), float(y)] for x, y in zip(examples[ends[1:]], means, strict=True)]


def first_step_time(samples: Samples) -> float | None:
    """Returns the time of the first sample with a counted step, or None.

    It is accurate to the sampling interval.
    """
    return next((s.time for s in samples if sum(s.examples) > 0), None)
