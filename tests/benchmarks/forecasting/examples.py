"""A network and costs with round figures."""

import dataclasses

from benchmarks.forecasting.calibration import WayCost
from benchmarks.forecasting.network import Network

# Carries 1 MB of data per second: 1,448 of the 1,538 bytes of a frame are data.
NETWORK = Network(bits_per_second=8e6 * 1538 / 1448, latency_s=0.01)
SYNCHRONOUS = WayCost(
    synchronous=True,
    trainers=2,
    batch_size=64,
    parameter_bytes=1_000_000,
    compute_s=0.5,
    software_s=0.25,
    spread_s=0.0,
    compresses=True,
)
ON_PS = dataclasses.replace(SYNCHRONOUS, synchronous=False)
LEGACY = dataclasses.replace(ON_PS, compresses=False)
