"""The time of a step on a network. docs/forecast.md derives the formulas.

>>> cost = WayCost(True, 2, 64, 11_000_000, 0.01, 0.01, 0.0, True)
>>> print(f"{Cluster(Network.parse('1Gbit', '0ms')).step(cost, workers=2):.3f} s")
0.113 s
"""

from __future__ import annotations

import dataclasses
import statistics

from benchmarks.forecasting.calibration import WayCost
from benchmarks.forecasting.network import Network


@dataclasses.dataclass(frozen=True)
class Range:
    """A range of figures.

    >>> f"{Range(1200.0, 3456.7):,.0f}", f"{Range(0.251, 0.252):.0%}"
    ('1,200–3,457', '25%')
    """

    low: float
    high: float

    def __format__(self, form: str) -> str:
        """Returns both ends, or one of them if they read the same."""
        ends = f"{self.low:{form}}", f"{self.high:{form}}"
        return ends[0] if ends[0] == ends[1] else "–".join(ends)


@dataclasses.dataclass(frozen=True)
class Cluster:
    """The machines that a forecast is for.

    Attributes:
      network: The network.
      ps: Number of parameter servers. Each holds an equal part of the weights.
      is_shared: Whether all tasks share the cores of one machine, as in a comparison. Otherwise
        each worker and each parameter server has a machine like it.
      model_bytes: Size of the weights. None takes that of the comparison.
      compression: Bytes of a sent gradient, as a fraction of its size.
    """

    network: Network
    ps: int = 1
    is_shared: bool = False
    model_bytes: int | None = None
    compression: float = 1.0

    def step(self, cost: WayCost, workers: int) -> Range:
        """Returns the seconds that each worker needs for a step.

        Args:
          cost: Costs of the way.
          workers: Number of workers.
        """
        software = self.software(cost, workers)
        if cost.synchronous:
            ends = (
                self._synchronous_s(cost, workers, end) for end in (software.low, software.high)
            )
            return Range(*ends)
        return self._on_ps(cost, workers, software)

    def speed(self, cost: WayCost, workers: int) -> Range:
        """Returns the examples per second of all workers together."""
        step, examples = self.step(cost, workers), workers * cost.batch_size
        return Range(examples / step.high, examples / step.low)

    def efficiency(self, cost: WayCost, workers: int) -> Range:
        """Returns the speed as a fraction of that of the same machines without communication."""
        machines = 1 if self.is_shared else workers
        ideal = machines * cost.batch_size / cost.compute_s
        speed = self.speed(cost, workers)
        return Range(speed.low / ideal, speed.high / ideal)

    def software(self, cost: WayCost, workers: int) -> Range:
        """Returns the seconds that the software of a worker's communication takes in a step.

        It is a range if the model has another size than that of the report. The report cannot tell
        a cost per step from one per byte.
        """
        times = self._size(cost) / cost.parameter_bytes if cost.parameter_bytes else 1.0
        growth = _growth(workers, cost.trainers) if cost.synchronous else 1.0
        low, high = sorted([cost.software_s, times * cost.software_s])
        return Range(growth * low, growth * high)

    def read_and_write_s(self, cost: WayCost) -> tuple[float, float]:
        """Returns the seconds in which a free link reads all weights, and sends all gradients."""
        size = self._size(cost)
        return self.network.seconds(size), self.network.seconds(size * self._narrow(cost))

    def _synchronous_s(self, cost: WayCost, workers: int, software_s: float) -> float:
        _, once = self.read_and_write_s(cost)
        machines = workers if self.is_shared else 1
        work = cost.compute_s + software_s
        # 2(n-1) parts of the gradients travel one after the other. The first of them waits for a
        # request, and neighbors begin a step one latency apart, which adds two by measurement.
        messages = 2 * workers if workers > 1 else 0
        network_s = _passes(workers) * once + messages * self.network.latency_s
        # On a shared machine, the trainers of the report already wait for each other. While the
        # gradients of one travel, further workers compute. Measurements are between none and all
        # of that time, so take half.
        further = max(machines - cost.trainers, 0)
        hidden = min(further * work, network_s) / 2
        # On a shared machine, the report's cost has the wait for the slowest trainer.
        wait = 0.0 if self.is_shared else cost.spread_s * slowest_of(workers)
        return machines * work + network_s - hidden + wait

    def _on_ps(self, cost: WayCost, workers: int, software: Range) -> Range:
        read, write = self.read_and_write_s(cost)
        # A request and its answer for the weights, and the same for the gradients. Large variables
        # take more, because a connection waits for a sign that its first bytes have arrived.
        messages, most_messages = (number * self.network.latency_s for number in (4, 12))
        per_ps = workers / self.ps
        machines = workers if self.is_shared else 1
        # A worker computes between its transfers, and reads some weights while it sends the
        # gradients of others. The transfers of all workers keep the links of the ps busy.
        alone = cost.compute_s + max(software.low, read, write) + messages
        all_work = machines * (cost.compute_s + software.low)
        fast = max(alone, per_ps * max(read, write), all_work)
        # A link of a worker carries all bytes once, and that of a ps the part of each worker.
        queue = max(per_ps, 1.0)
        shares = workers if self.is_shared else queue
        slow = (
            machines * cost.compute_s
            + shares * software.high
            + queue * (read + write)
            + most_messages
        )
        return Range(fast, slow)

    def _size(self, cost: WayCost) -> int:
        return cost.parameter_bytes if self.model_bytes is None else self.model_bytes

    def _narrow(self, cost: WayCost) -> float:
        return self.compression if cost.compresses else 1.0


def _passes(workers: int) -> float:
    """Returns how often a worker sends all gradients in a ring all-reduce."""
    return 2 * (workers - 1) / workers


def _growth(workers: int, trainers: int) -> float:
    """Returns how many times as long as in the report the software of a ring takes.

    >>> _growth(2, trainers=2), _growth(4, trainers=2)
    (1.0, 1.25)
    """
    if workers == 1:
        return 0.0
    # One report cannot tell a cost per step, which stays, from one per byte. Take the middle.
    return (1 + _passes(workers) / _passes(trainers)) / 2


def slowest_of(workers: int) -> float:
    """Returns the expected maximum of so many standard normal values, by Blom's approximation."""
    return statistics.NormalDist().inv_cdf((workers - 0.375) / (workers + 0.25))
