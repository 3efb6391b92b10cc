"""Tests of the advice, by figures computed by hand."""

import dataclasses

import pytest

from benchmarks.forecasting import advice
from benchmarks.forecasting.step_times import Cluster
from tests.benchmarks.forecasting.examples import LEGACY, NETWORK, ON_PS, SYNCHRONOUS

# A worker's own step takes 1.54 s, of which each direction of a link is busy for one.
CLUSTER = Cluster(NETWORK)


@pytest.mark.parametrize(("ps", "workers"), [(1, 2), (2, 4), (5, 8)])
def test_the_workers_that_fill_the_links(ps, workers):
    assert advice.workers_that_fill(ON_PS, dataclasses.replace(CLUSTER, ps=ps)) == workers


def test_more_workers_than_fill_the_links_are_not_faster():
    full = advice.workers_that_fill(ON_PS, CLUSTER)
    speeds = [CLUSTER.speed(ON_PS, workers).high for workers in (full - 1, full, full + 1)]
    assert speeds[0] < speeds[1] == pytest.approx(speeds[2])


def test_a_model_without_weights_fills_no_link():
    assert advice.workers_that_fill(dataclasses.replace(ON_PS, parameter_bytes=0), CLUSTER) is None


# 10 / 1.54 is 6.5.
@pytest.mark.parametrize(("workers", "ps"), [(1, 1), (2, 2), (10, 7)])
def test_the_ps_that_workers_need(workers, ps):
    assert advice.ps_needed(ON_PS, CLUSTER, workers) == ps


def test_the_gain_of_compression():
    gain = advice.gain_of_compression(SYNCHRONOUS, CLUSTER, 2)
    assert gain.low == gain.high == pytest.approx(1.79 / 1.29)
    # Compression does not help where the reads of weights fill the links.
    on_ps = advice.gain_of_compression(ON_PS, CLUSTER, 4)
    assert (on_ps.low, on_ps.high) == pytest.approx((1.0, 9.62 / 7.62))


def test_sentences():
    cluster = dataclasses.replace(CLUSTER, ps=2)
    text = advice.lines({"legacy": LEGACY, "multi_worker_mirrored": SYNCHRONOUS}, cluster, 4)
    assert text == [
        "legacy: 4 workers fill the links of 2 ps, and more do not train faster. 4 workers need 3 "
        "ps.",
        # 256 examples in 9.62 to 4 s, or in 5.12 to 2 s.
        "legacy: if one variable has nearly all bytes and stays whole on one ps, 27–64 instead of "
        "50–128 examples/s: a partitioner splits it.",
        # 2.3925 s, or 1.6425 s with half of the bytes.
        "multi_worker_mirrored: --gradient_compression=bfloat16 makes 4 workers 1.46 times as "
        "fast.",
    ]


def test_a_compressed_forecast_gives_no_advice_to_compress():
    half = dataclasses.replace(CLUSTER, compression=0.5)
    assert advice.lines({"multi_worker_mirrored": SYNCHRONOUS}, half, 4) == []
    of_ps = advice.lines({"parameter_server": ON_PS}, dataclasses.replace(CLUSTER, ps=2), 4)
    assert "--min_shard_bytes below its size splits it" in of_ps[1]
