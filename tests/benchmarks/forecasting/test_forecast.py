"""Tests of the sentences of a forecast."""

import dataclasses

from benchmarks.forecasting.forecast import Forecast
from benchmarks.forecasting.step_times import Cluster
from tests.benchmarks.forecasting.examples import LEGACY, NETWORK, SYNCHRONOUS

COSTS = {"legacy": LEGACY, "multi_worker_mirrored": SYNCHRONOUS}


def test_the_assumptions_name_the_machines_the_network_and_the_size():
    assert Forecast(COSTS, Cluster(NETWORK, ps=2), 3).assumptions == [
        "Each worker and each ps has a machine like that of the report.",
        "Each link carries 8.49724 Mbit/s in each direction, and a message takes 10 ms.",
        "The weights have 1 MB. 2 ps hold equal parts of them.",
        "Gradients travel as float32.",
        "A range of a way with ps goes from transfers in series to transfers that overlap.",
    ]


def test_the_assumptions_of_another_size_tell_why_the_range_is_wide():
    cluster = Cluster(NETWORK, model_bytes=5_000_000, is_shared=True, compression=0.5)
    assumptions = Forecast(COSTS, cluster, 3).assumptions
    assert assumptions[0] == "All tasks share the cores of the machine of the report."
    assert assumptions[2] == "The weights have 5 MB. 1 ps hold equal parts of them."
    assert assumptions[3] == ("Gradients travel in 50% of their bytes, but legacy sends float32.")
    assert assumptions[-1].startswith("The report is of weights of 1 MB. It cannot tell")
    same = dataclasses.replace(cluster, model_bytes=1_000_000)
    assert len(Forecast(COSTS, same, 3).assumptions) == len(assumptions) - 1


def test_the_numbers_of_workers_begin_at_one():
    assert list(Forecast(COSTS, Cluster(NETWORK), 3).numbers) == [1, 2, 3]
