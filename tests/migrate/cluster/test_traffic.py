"""Tests of the traffic of a converted cluster."""

import pytest

from migrate.cluster import conversion, traffic
from migrate.cluster.old_jobs import jobs


def line(way, workers, ps):
    old = {"chief": ("c:1",), "worker": tuple(f"w{n}:1" for n in range(workers - 1))}
    old["ps"] = tuple(f"p{n}:1" for n in range(ps))
    job = jobs.Job("mnist", "", jobs.tasks_of(old, evaluator=False))
    return traffic.line(conversion.convert(job, way))


@pytest.mark.parametrize(
    ("workers", "ps", "times", "seconds"),
    [(8, 2, "4", "3.2"), (3, 2, "1.5", "1.2"), (2, 4, "0.5", "0.4")],
)
def test_parameter_servers_share_the_bytes_of_all_workers(workers, ps, times, seconds):
    text = line("parameter_server", workers, ps)
    assert f"of all workers ({workers}), the link of each ps carries {times} times" in text
    assert f"if the ps ({ps}) hold equal parts. 100 MB" in text
    assert f"of weights take at least {seconds} s on 1 Gbit/s." in text


@pytest.mark.parametrize(
    ("workers", "times", "seconds"), [(2, "1", "0.8"), (8, "1.75", "1.4"), (64, "1.97", "1.6")]
)
def test_synchronous_workers_send_twice_the_bytes_at_most(workers, times, seconds):
    text = line("multi_worker_mirrored", workers, 1)
    assert f"the link of each worker carries {times} times the bytes of the weights" in text
    assert f"100 MB of weights take at least {seconds} s on 1 Gbit/s." in text


def test_one_worker_sends_nothing_and_needs_no_example():
    assert "MB" not in line("multi_worker_mirrored", 1, 1)
