"""The bytes that a converted cluster sends, in multiples of the weights.

print(traffic.line(conversion.convert(job, "multi_worker_mirrored")))
"""

from __future__ import annotations

from migrate.cluster.conversion import Conversion

_EXAMPLE_BYTES = 100e6  # Of weights.
_EXAMPLE_RATE = 1e9  # Bits per second of a link.


def line(conversion: Conversion) -> str:
    """Returns a sentence on the traffic of the busiest links in a step.

    docs/forecast.md derives it, and `benchmarks.forecast` translates it to examples per second.

    Args:
      conversion: A conversion of a job.
    """
    workers, servers = conversion.trainers, len(conversion.cluster.get("ps", ()))
    if servers:
        times = workers / servers
        return (
            f"Traffic: in a step of all workers ({workers}), the link of each ps carries "
            f"{times:.3g} times the bytes of the weights in each direction, if the ps "
            f"({servers}) hold equal parts.{_example(times)} More workers need more ps in "
            "proportion."
        )
    times = 2 * (workers - 1) / workers
    return (
        f"Traffic: in a step, the link of each worker carries {times:.3g} times the bytes of the "
        "weights in each direction, and with any number of workers less than twice."
        f"{_example(times)}"
    )


def _example(times: float) -> str:
    """Returns a sentence with an example in seconds, or nothing if nothing is sent."""
    if not times:
        return ""
    seconds = times * 8 * _EXAMPLE_BYTES / _EXAMPLE_RATE
    return f" 100 MB of weights take at least {seconds:.2g} s on 1 Gbit/s."
