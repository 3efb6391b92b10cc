r"""Compares forecasts with trainings on a network of a given rate.

    python -m tests.engines.forecast_trial --model=cnn --workers=2,3,4 --rates=100,1000,10000 \
        --rounds=3
    python -m tests.engines.forecast_trial --model=cnn --workers=2,3,4 --latencies=1,5

Prints a table. All machines share the cores of this computer, so the forecasts are those of
--shared_machine. Before the cases and after each round of them, each way trains once on a fast
network. This calibrates the forecast, and tells whether the speed of the computer has changed.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import os
import pathlib
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.forecasting import calibration
from benchmarks.forecasting.network import Network
from benchmarks.forecasting.step_times import Cluster, Range
from benchmarks.reporting import report
from tests.engines import namespaces, trainings

PROGRAMS = {"cnn": trainings.CNN, "dense": trainings.DENSE}
WAYS = ("multi_worker_mirrored", "parameter_server")
TOLERANCE = 0.15  # Of a synchronous step.
# A message between two namespaces.
_LATENCY_S = 5e-5
_MEASURED_S = 15  # Of a case, about.
# With 200, the speed of short steps varied by a fifth.
_MOST_STEPS = 400
# Trainings on a fast network, repeated, took up to 1.29 times as long on a quiet computer. On one
# that changes its speed by more, no forecast can be checked.
_STEADY = 1.3


@dataclasses.dataclass(frozen=True)
class Case:
    """A training on a network.

    Attributes:
      way: The way.
      workers: Number of workers.
      ps: Number of parameter servers, if the way has them.
      rate: Bits per second of a link. Infinite for the links that the latency is tried with.
      compression: The --gradient_compression.
      latency_s: Seconds from one machine to another.
    """

    way: str
    workers: int
    ps: int
    rate: float
    compression: str = "none"
    latency_s: float | None = None

    @property
    def links(self) -> dict[str, float | None]:
        """The arguments of `trainings.train` that describe the network."""
        if self.latency_s is None:
            return {"rate": self.rate}
        return {"latency_s": self.latency_s}

    def forecast(self, costs: Mapping[str, calibration.WayCost], bytes_factor: float = 1) -> Range:
        """Returns the forecast seconds of a worker's step.

        Args:
          costs: Costs of each way.
          bytes_factor: Multiplies the bytes on the network, for a wrong model.
        """
        cluster = Cluster(
            Network(self.rate / bytes_factor, _LATENCY_S + (self.latency_s or 0)),
            self.ps,
            is_shared=True,
            compression=1.0 if self.compression == "none" else 0.5,
        )
        step = cluster.step(costs[self.way], self.workers)
        if self.latency_s is not None:
            return step
        # Limited links rest while the workers compute, so they are faster than real ones for a
        # moment. They are not faster than without a limit.
        free = dataclasses.replace(cluster, network=Network(math.inf, _LATENCY_S))
        least = free.step(costs[self.way], self.workers)
        rested_s = namespaces.RESTED_S
        return Range(max(step.low - rested_s, least.low), max(step.high - rested_s, least.high))

    def holds(self, forecast: Range, measured_s: float) -> bool:
        """Returns whether a measurement is close to a forecast, or in its range."""
        if self.way == "parameter_server":
            return forecast.low <= measured_s <= forecast.high
        return abs(forecast.low / measured_s - 1) <= TOLERANCE


@dataclasses.dataclass(frozen=True)
class Trial:
    """Measurements.

    Attributes:
      costs: Costs of each way, by the trainings on a fast network.
      measured_s: Median seconds of a worker's step in each case.
      ends_s: The shortest and the longest.
      fast_s: Seconds of a worker's step in each training on a fast network, by the way. Without
        `single`.
    """

    costs: Mapping[str, calibration.WayCost]
    measured_s: Mapping[Case, float]
    ends_s: Mapping[Case, tuple[float, float]]
    fast_s: Mapping[str, Sequence[float]]

    def obstacle(self) -> str | None:
        """Returns the reason why the measurements cannot check a forecast, or None."""
        for way, seconds in self.fast_s.items():
            shortest, longest = min(seconds), max(seconds)
            if longest > _STEADY * shortest:
                return (
                    f"the speed of this computer has changed: steps of {way} on a fast network "
                    f"took {1e3 * shortest:.1f} to {1e3 * longest:.1f} ms"
                )
        return None


def run(program: str, cases: Sequence[Case], rounds: int) -> Trial:
    """Trains.

    Args:
      program: Name of a program of PROGRAMS.
      cases: The cases, all with a latency or none.
      rounds: Trainings of each case. Each way trains once more on a fast network.
    """
    fast = {"latency_s": 0.0} if cases[0].latency_s is not None else {}
    ways = ["single", *dict.fromkeys(case.way for case in cases)]
    runs: dict[str, list[dict[str, Any]]] = {way: [] for way in ways}
    steps_s: dict[Case, list[float]] = {case: [] for case in cases}

    def calibrate() -> None:
        for way in ways:
            steps = 1000 if way == "single" else _MOST_STEPS
            runs[way].append(_train(program, way, steps=steps, **fast))
            _say(f"fast network: {way}: {1e3 * _step_s(runs[way][-1]):.1f} ms")

    calibrate()
    for number in range(rounds):
        for case in cases:
            # The first and the last step are not measured exactly, so few steps are not enough.
            bytes_s = Network(case.rate, 0).seconds(runs[case.way][0]["parameter_bytes"])
            steps = 10 + min(max(round(_MEASURED_S / max(bytes_s, 0.01)), 30), _MOST_STEPS)
            flags = [f"--gradient_compression={case.compression}"]
            flags = flags if case.compression != "none" else []
            result = _train(
                program,
                case.way,
                steps,
                workers=case.workers,
                ps=case.ps,
                flags=flags,
                **case.links,
            )
            steps_s[case].append(_step_s(result))
            _say(f"round {number + 1}: {case}: {1e3 * steps_s[case][-1]:.0f} ms")
        calibrate()
    whole = report.build("forecast", program, runs, [], command=" ".join(sys.argv))
    return Trial(
        calibration.of_report(whole),
        {case: statistics.median(seconds) for case, seconds in steps_s.items()},
        {case: (min(seconds), max(seconds)) for case, seconds in steps_s.items()},
        # Not of `single`: its short steps vary by more, and are a small part of each case.
        {way: [_step_s(result) for result in runs[way]] for way in ways if way != "single"},
    )


def _train(program: str, way: str, steps: int, **options: Any) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="forecast-") as folder:
        return trainings.train(
            pathlib.Path(folder), way, PROGRAMS[program], steps=steps, warmup_steps=10, **options
        )


def _step_s(result: Mapping[str, Any]) -> float:
    """Returns the seconds that a worker needs for a step."""
    return result["trainers"] * result["batch_size"] / result["examples_per_second"]


def _say(text: str) -> None:
    print(f"{text} (load {os.getloadavg()[0]:.1f})", file=sys.stderr, flush=True)


def main() -> int:
    """Measures and prints the table.

    Returns:
      0 if all forecasts hold, 1 if one does not, or 2 if the measurements cannot check them.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=PROGRAMS, default="cnn")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--workers", default="2", help="numbers of workers")
    parser.add_argument("--ps", default="1", help="numbers of parameter servers")
    parser.add_argument("--rates", default="100,1000", help="in Mbit/s")
    parser.add_argument("--latencies", help="in ms, instead of --rates")
    parser.add_argument("--compression", default="none", help="for multi_worker_mirrored")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    workers, ps, rates = (
        [int(number) for number in text.split(",")]
        for text in (options.workers, options.ps, options.rates)
    )
    networks: list[tuple[float, float | None]] = [(1e6 * rate, None) for rate in rates]
    if options.latencies:
        networks = [(math.inf, float(ms) / 1e3) for ms in options.latencies.split(",")]
    cases = [
        Case(way, n, servers, rate, compression, latency_s)
        for way in options.ways.split(",")
        for rate, latency_s in networks
        for n in workers
        for servers in (ps if way == "parameter_server" else [0])
        for compression in (
            ["none"] if way == "parameter_server" else options.compression.split(",")
        )
    ]
    trial = run(options.model, cases, options.rounds)
    print("| way | network | workers | ps | gradients | measured ms | forecast ms | holds |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    results = []
    for case, seconds in trial.measured_s.items():
        forecast = case.forecast(trial.costs)
        results.append(case.holds(forecast, seconds))
        low, high = (1e3 * end for end in trial.ends_s[case])
        speed = (
            f"{case.rate / 1e6:.0f} Mbit/s"
            if case.latency_s is None
            else f"{1e3 * case.latency_s:g} ms"
        )
        in_ms = Range(1e3 * forecast.low, 1e3 * forecast.high)
        deviation = f"{forecast.low / seconds - 1:+.0%}" if forecast.low == forecast.high else ""
        print(
            f"| {case.way} | {speed} | {case.workers} | {case.ps or ''} | "
            f"{case.compression} | {1e3 * seconds:.0f} ({low:.0f}–{high:.0f}) | {in_ms:.0f} "
            f"{deviation} | {'yes' if results[-1] else 'NO'} |"
        )
    if reason := trial.obstacle():
        print(f"cannot check: {reason}", file=sys.stderr)
        return 2
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
