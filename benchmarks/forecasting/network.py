"""The network between the machines of a cluster, and the units of its figures.

>>> round(Network.parse("10Gbit", "0.2ms").seconds(1e9), 3)
0.85
"""

from __future__ import annotations

import dataclasses
import math
import re

# An Ethernet frame with 1,448 bytes of a TCP stream takes 1,538 bytes of the link: headers,
# checksum, preamble and gap.
_DATA_IN_A_FRAME = 1448 / 1538
_RATES = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
_TIMES = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


class NetworkError(ValueError):
    """Error of a flag that describes a network. The message names it."""


@dataclasses.dataclass(frozen=True)
class Network:
    """A network in which every machine has one full-duplex link to a switch.

    Attributes:
      bits_per_second: Rate of a link in each direction.
      latency_s: Time that a small message takes from one machine to another, in seconds.
    """

    bits_per_second: float
    latency_s: float

    @classmethod
    def parse(cls, rate: str, latency: str) -> Network:
        """Returns the network that two flags describe.

        Args:
          rate: A number and a unit, such as "10Gbit".
          latency: A number and a unit, such as "0.2ms".

        Raises:
          NetworkError: A number or a unit is wrong. The message names the flag.
        """
        bits = _quantity("--network", rate, _RATES, "10Gbit")
        if bits == 0:
            raise NetworkError(f"--network={rate} sends nothing: give a rate above 0.")
        return cls(bits, _quantity("--latency", latency, _TIMES, "0.2ms"))

    def seconds(self, size: float) -> float:
        """Returns the time in which a link sends so many bytes of data, without the latency."""
        return 8 * size / (_DATA_IN_A_FRAME * self.bits_per_second)


def _quantity(flag: str, text: str, units: dict[str, float], example: str) -> float:
    parts = re.fullmatch(r"([0-9.]+(?:e[+-]?[0-9]+)?)\s*([a-z]*)", text.strip().lower())
    try:
        value = float(parts[1]) * units[parts[2]] if parts else math.nan
    except (ValueError, KeyError):
        value = math.nan
    if not math.isfinite(value):
        raise NetworkError(
            f"{flag}={text} is not a number with a unit: give one with {', '.join(units)}, such as "
            f"{example}."
        )
    return value
