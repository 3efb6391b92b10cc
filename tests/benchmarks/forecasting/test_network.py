"""Tests of the network and its units."""

import pytest

from benchmarks.forecasting import network
from tests.benchmarks.forecasting import examples


@pytest.mark.parametrize(
    ("rate", "latency", "bits", "seconds"),
    [
        ("10Gbit", "0.2ms", 1e10, 2e-4),
        ("100 Mbit", "50us", 1e8, 5e-5),
        ("500kbit", "1s", 5e5, 1.0),
        ("1.5gbit", "0ms", 1.5e9, 0.0),
    ],
)
def test_units(rate, latency, bits, seconds):
    parsed = network.Network.parse(rate, latency)
    assert parsed.bits_per_second == pytest.approx(bits)
    assert parsed.latency_s == pytest.approx(seconds)


def test_a_link_sends_headers_too():
    assert examples.NETWORK.seconds(3_000_000) == pytest.approx(3.0)
    # 11.08 MB in frames on a link of 100 Mbit/s.
    fast = network.Network.parse("100Mbit", "0ms")
    assert fast.seconds(11_082_536) == pytest.approx(0.9417, abs=1e-4)


@pytest.mark.parametrize("rate", ["10", "10Gb", "10GB", "Gbit", "-1Gbit", "1e999Gbit", "1..2Gbit"])
def test_a_wrong_rate_is_named_with_the_units(rate):
    with pytest.raises(network.NetworkError) as caught:
        network.Network.parse(rate, "0.2ms")
    assert str(caught.value) == (
        f"--network={rate} is not a number with a unit: give one with kbit, mbit, gbit, such as "
        "10Gbit."
    )


def test_a_rate_of_zero_sends_nothing():
    with pytest.raises(network.NetworkError, match="--network=0Gbit sends nothing: give a rate"):
        network.Network.parse("0Gbit", "0.2ms")


@pytest.mark.parametrize("latency", ["0.2", "1min", "-1ms", "nanms"])
def test_a_wrong_latency_is_named_with_the_units(latency):
    with pytest.raises(network.NetworkError, match=f"^--latency={latency} .* us, ms, s, such as"):
        network.Network.parse("1Gbit", latency)
