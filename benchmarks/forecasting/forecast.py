"""A forecast for 1 to N workers, with its assumptions and advice as sentences."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from benchmarks.forecasting import advice
from benchmarks.forecasting.calibration import WayCost
from benchmarks.forecasting.step_times import Cluster


@dataclasses.dataclass(frozen=True)
class Forecast:
    """A forecast.

    Attributes:
      costs: Costs of each way.
      cluster: The cluster.
      workers: Largest number of workers.
    """

    costs: Mapping[str, WayCost]
    cluster: Cluster
    workers: int

    @property
    def numbers(self) -> range:
        """The numbers of workers."""
        return range(1, self.workers + 1)

    @property
    def advice(self) -> list[str]:
        """Sentences of advice for the largest number of workers."""
        return advice.lines(self.costs, self.cluster, self.workers)

    @property
    def assumptions(self) -> list[str]:
        """Sentences that tell the conditions of the forecast."""
        cluster, network = self.cluster, self.cluster.network
        first = next(iter(self.costs.values()))
        size = first.parameter_bytes if cluster.model_bytes is None else cluster.model_bytes
        machines = (
            "All tasks share the cores of the machine of the report."
            if cluster.is_shared
            else "Each worker and each ps has a machine like that of the report."
        )
        return [
            machines,
            f"Each link carries {network.bits_per_second / 1e6:,.6g} Mbit/s in each direction, and "
            f"a message takes {1e3 * network.latency_s:.3g} ms.",
            f"The weights have {size / 1e6:,.4g} MB. {cluster.ps} ps hold equal parts of them.",
            self._form_of_gradients(),
            "A range of a way with ps goes from transfers in series to transfers that overlap.",
            *self._notes_on_size(),
        ]

    def _form_of_gradients(self) -> str:
        if self.cluster.compression == 1:
            return "Gradients travel as float32."
        whole = [way for way, cost in self.costs.items() if not cost.compresses]
        exception = f", but {', '.join(whole)} sends float32" if whole else ""
        return f"Gradients travel in {self.cluster.compression:.0%} of their bytes{exception}."

    def _notes_on_size(self) -> list[str]:
        sizes = {cost.parameter_bytes for cost in self.costs.values()}
        if self.cluster.model_bytes is None or sizes == {self.cluster.model_bytes}:
            return []
        measured = ", ".join(f"{size / 1e6:,.4g}" for size in sorted(sizes))
        return [
            f"The report is of weights of {measured} MB. It cannot tell a cost per step from one "
            "per byte, so the software takes as long as there, or in proportion to the size. A "
            "report of a model of this size gives a narrower range."
        ]
