"""Advice that follows from a forecast: parameter servers, sharding, compression.

for line in advice.lines(costs, cluster, workers=8):
print(line)
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

from benchmarks.forecasting.calibration import WayCost
from benchmarks.forecasting.step_times import Cluster, Range

HALF = 0.5  # Bytes of a gradient in bfloat16 or float16, as a fraction of float32.


def workers_that_fill(cost: WayCost, cluster: Cluster) -> int | None:
    """Returns the number of workers that keep the links of all parameter servers busy.

    More workers cannot make the training faster, however well their transfers overlap.

    Args:
      cost: Costs of a way with parameter servers.
      cluster: The cluster.

    Returns:
      The number, or None for a model without parameters.
    """
    busy = max(cluster.read_and_write_s(cost))
    alone = dataclasses.replace(cluster, is_shared=False).step(cost, 1).low
    return math.ceil(cluster.ps * alone / busy) if busy else None


def ps_needed(cost: WayCost, cluster: Cluster, workers: int) -> int:
    """Returns the smallest number of parameter servers whose links do not limit the workers.

    Args:
      cost: Costs of a way with parameter servers.
      cluster: The cluster. Its number of parameter servers does not matter.
      workers: Number of workers.
    """
    busy = max(cluster.read_and_write_s(cost))
    alone = dataclasses.replace(cluster, is_shared=False, ps=1).step(cost, 1).low
    # 1e-9 absorbs the rounding errors of the division.
    return max(math.ceil(workers * busy / alone - 1e-9), 1)


def gain_of_compression(cost: WayCost, cluster: Cluster, workers: int) -> Range:
    """Returns how many times as fast the workers are with 16-bit gradients."""
    whole = dataclasses.replace(cluster, compression=1.0).step(cost, workers)
    short = dataclasses.replace(cluster, compression=HALF).step(cost, workers)
    ends = sorted([whole.low / short.low, whole.high / short.high])
    return Range(*ends)


def lines(costs: Mapping[str, WayCost], cluster: Cluster, workers: int) -> list[str]:
    """Returns sentences of advice for a cluster.

    Args:
      costs: Costs of each way.
      cluster: The cluster.
      workers: Number of workers.
    """
    sentences = []
    for way, cost in costs.items():
        if not cost.synchronous:
            sentences += _on_ps(way, cost, cluster, workers)
        if cost.compresses and cluster.compression == 1.0:
            gain = gain_of_compression(cost, cluster, workers)
            sentences.append(
                f"{way}: --gradient_compression=bfloat16 makes {workers} workers {gain:.2f} times "
                "as fast."
            )
    return sentences


def _on_ps(way: str, cost: WayCost, cluster: Cluster, workers: int) -> list[str]:
    full = workers_that_fill(cost, cluster)
    if full is None:
        return []
    sentences = [
        f"{way}: {full:,} workers fill the links of {cluster.ps} ps, and more do not train faster. "
        f"{workers} workers need {ps_needed(cost, cluster, workers)} ps."
    ]
    if cluster.ps > 1:
        on_one = dataclasses.replace(cluster, ps=1)
        apart, together = (one.speed(cost, workers) for one in (cluster, on_one))
        remedy = (
            "--min_shard_bytes below its size splits it"
            if cost.compresses
            else "a partitioner splits it"
        )
        sentences.append(
            f"{way}: if one variable has nearly all bytes and stays whole on one ps, "
            f"{together:,.0f} instead of {apart:,.0f} examples/s: {remedy}."
        )
    return sentences
