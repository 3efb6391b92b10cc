"""Tests of the time of a step, by figures computed by hand."""

import dataclasses

import pytest

from benchmarks.forecasting.network import Network
from benchmarks.forecasting.step_times import Cluster, Range, slowest_of
from tests.benchmarks.forecasting.examples import LEGACY, NETWORK, ON_PS, SYNCHRONOUS

CLUSTER = Cluster(NETWORK)


def ends(figures):
    return (figures.low, figures.high)


@pytest.mark.parametrize(
    ("workers", "seconds"),
    [
        (1, 0.5),  # Nothing to send.
        (2, 0.5 + 0.25 + 1.0 + 4 * 0.01),  # Each worker sends 1 MB.
        # 1.5 MB. The software takes as long, or in proportion: the middle is 1.25 times as long.
        (4, 0.5 + 1.25 * 0.25 + 1.5 + 8 * 0.01),
    ],
)
def test_a_ring(workers, seconds):
    assert ends(CLUSTER.step(SYNCHRONOUS, workers)) == pytest.approx((seconds, seconds))


def test_compression_halves_the_bytes_of_a_ring():
    half = dataclasses.replace(CLUSTER, compression=0.5)
    assert half.step(SYNCHRONOUS, 2).low == pytest.approx(0.5 + 0.25 + 0.5 + 0.04)


def test_a_shared_machine_does_the_work_of_all_workers():
    shared = dataclasses.replace(CLUSTER, is_shared=True)
    assert shared.step(SYNCHRONOUS, 2).low == pytest.approx(2 * 0.75 + 1.0 + 0.04)
    # Without a network, it is the measured step.
    free = dataclasses.replace(shared, network=Network(1e30, 0.0))
    assert free.step(SYNCHRONOUS, 2).low == pytest.approx(2 * 0.75)


def test_more_workers_than_in_the_report_compute_while_others_wait():
    shared = dataclasses.replace(CLUSTER, is_shared=True)
    work = 0.5 + 1.25 * 0.25
    # The work of two workers takes 1.625 s, longer than the network: half of 1.58 s is hidden.
    assert shared.step(SYNCHRONOUS, 4).low == pytest.approx(4 * work + (1.5 + 0.08) / 2)
    # A slow network takes longer than their work: half of the work is hidden.
    slow = dataclasses.replace(shared, network=Network(NETWORK.bits_per_second / 2, 0.01))
    assert slow.step(SYNCHRONOUS, 4).low == pytest.approx(4 * work + 3.0 + 0.08 - 2 * work / 2)


def test_synchronous_workers_wait_for_the_slowest():
    # The larger of two normal values is 0.56 standard deviations above the mean.
    uneven = dataclasses.replace(SYNCHRONOUS, spread_s=0.1)
    slower = CLUSTER.step(uneven, 2).low - CLUSTER.step(SYNCHRONOUS, 2).low
    assert slower == pytest.approx(0.0564, rel=0.05)
    assert slowest_of(1) == 0
    assert slowest_of(8) == pytest.approx(1.42, rel=0.02)
    assert ends(CLUSTER.step(dataclasses.replace(ON_PS, spread_s=0.1), 2)) == ends(
        CLUSTER.step(ON_PS, 2)
    )


def test_a_range_of_two_sizes():
    # The software takes 0.25 s as in the report, or 0.5 s for twice the bytes.
    twice = dataclasses.replace(CLUSTER, model_bytes=2_000_000)
    assert ends(twice.step(SYNCHRONOUS, 2)) == pytest.approx((2.79, 3.04))
    half = dataclasses.replace(CLUSTER, model_bytes=500_000)
    assert ends(half.step(SYNCHRONOUS, 2)) == pytest.approx((1.165, 1.29))


def test_speed_and_efficiency():
    step = 0.5 + 0.25 + 1.0 + 0.04
    assert ends(CLUSTER.speed(SYNCHRONOUS, 2)) == pytest.approx((128 / step, 128 / step))
    assert CLUSTER.efficiency(SYNCHRONOUS, 2).low == pytest.approx(0.5 / step)
    shared = dataclasses.replace(CLUSTER, is_shared=True)
    assert shared.efficiency(SYNCHRONOUS, 2).low == pytest.approx(1.0 / 2.54)


def test_a_range_shows_two_ends_if_they_read_differently():
    assert f"{Range(0.251, 0.252):.2f} {Range(0.25, 0.5):.0%}" == "0.25 25%–50%"


@pytest.mark.parametrize(
    ("workers", "ps", "fast", "slow"),
    [
        # Alone: both transfers at once, or one after the other. Each takes a second.
        (1, 1, 0.5 + 1.0 + 0.04, 0.75 + 2.0 + 0.12),
        # The ps sends 4 MB in a step of all workers, and serves four of them.
        (4, 1, 4.0, 0.5 + 4 * 0.25 + 4 * 2.0 + 0.12),
        (4, 2, 2.0, 0.5 + 2 * 0.25 + 2 * 2.0 + 0.12),
        # More ps than workers: the links of the workers limit them.
        (1, 4, 0.5 + 1.0 + 0.04, 0.75 + 2.0 + 0.12),
    ],
)
def test_parameter_servers(workers, ps, fast, slow):
    step = dataclasses.replace(CLUSTER, ps=ps).step(ON_PS, workers)
    assert ends(step) == pytest.approx((fast, slow))


def test_compression_halves_the_gradients_and_not_the_weights():
    half = dataclasses.replace(CLUSTER, compression=0.5)
    assert ends(half.step(ON_PS, 1)) == pytest.approx((1.54, 0.75 + 1.5 + 0.12))
    assert ends(half.step(LEGACY, 1)) == pytest.approx((1.54, 2.87))


def test_parameter_servers_on_a_shared_machine():
    shared = dataclasses.replace(CLUSTER, is_shared=True, ps=4)
    # The work of four workers takes 4 x 0.75 s, longer than a transfer.
    assert ends(shared.step(ON_PS, 4)) == pytest.approx((3.0, 3.0 + 2.0 + 0.12))
