"""The checks on small made-up results; tests/cluster/test_compare.py compares real trainings."""

import numpy as np
import pytest

from benchmarks import checks
from benchmarks.checks import Limits


def run(seed=0, loss=0.5, accuracy=0.9, examples=(640, 640), drop=2.0):
    return {
        "seed": seed,
        "eval": {"loss": loss, "accuracy": accuracy},
        "examples": dict(zip(("worker-0", "worker-1"), examples, strict=True)),
        "loss_curve": [[64 * i, 0.3 + drop * (1 - i / 20)] for i in range(1, 21)],
    }


def runs(loss=0.5, accuracy=0.9, **more):
    return [run(seed, loss + seed / 1e3, accuracy + seed / 1e3, **more) for seed in range(4)]


def failed(found):
    return [check.name for check in found if not check.passed]


def test_exact_passes_equal_weights_and_names_a_variable_that_is_off():
    initial = {"a": np.zeros(3), "b": np.zeros(2)}
    ended = {"a": np.ones(3), "b": np.full(2, 2.0)}
    off = ended | {"b": np.full(2, 2.1)}
    pairs = [
        checks.ExactPair("same", "x", "single", ended, ended),
        checks.ExactPair("off", "y", "single", off, ended),
    ]
    same, different = checks.exact(pairs, initial, Limits())
    assert same.passed
    assert not different.passed
    assert "b" in different.detail


def test_statistical_compares_every_way_with_single_and_the_port_with_legacy():
    results = {"single": runs(), "legacy": runs(), "parameter_server": runs()}
    found = checks.statistical(results, Limits())
    assert not failed(found)
    assert {(check.a, check.b) for check in found} == {
        ("legacy", "single"),
        ("parameter_server", "single"),
        ("parameter_server", "legacy"),
    }


@pytest.mark.parametrize(
    ("worse", "name"),
    [
        ({"loss": 0.8}, "eval loss: legacy ~ single"),
        ({"accuracy": 0.8}, "eval accuracy: legacy ~ single"),
    ],
)
def test_statistical_tells_a_worse_way(worse, name):
    found = checks.statistical({"single": runs(), "legacy": runs(**worse)}, Limits())
    assert failed(found) == [name]


def test_statistical_does_not_pass_a_run_that_diverged():
    results = {"single": runs(), "legacy": [*runs()[:3], run(3, loss=None)]}
    assert failed(checks.statistical(results, Limits())) == ["eval loss: legacy ~ single"]


def test_statistical_averages_the_rounds_of_a_seed():
    twice = [run(seed, loss) for seed in range(4) for loss in (0.4, 0.6)]
    once = [run(seed, 0.5) for seed in range(4)]
    found = checks.statistical({"single": once, "legacy": twice}, Limits())
    assert not failed(found)


def test_loss_margin_is_a_part_of_how_far_single_came_down():
    results = {"single": runs(), "legacy": runs(loss=0.55)}
    assert not failed(checks.statistical(results, Limits(loss_margin=0.05)))
    shallow = {
        way: [one | {"loss_curve": run(drop=0.1)["loss_curve"]} for one in of_way]
        for way, of_way in results.items()
    }
    assert failed(checks.statistical(shallow, Limits(loss_margin=0.05)))


def test_trajectories_tell_a_way_that_learns_slowly():
    slow = [run(seed, drop=1.0) for seed in range(4)]
    results = {"single": runs(), "legacy": runs(), "parameter_server": slow}
    assert failed(checks.trajectories(results, Limits())) == ["loss curve: parameter_server"]


def test_consumed_allows_only_asynchronous_ways_to_go_over():
    over = runs(examples=(640, 704))
    planned = dict.fromkeys(("legacy", "multi_worker_mirrored"), 1280)
    found = checks.consumed({"legacy": over, "multi_worker_mirrored": over}, planned, slack=128)
    assert failed(found) == ["examples consumed: multi_worker_mirrored"]


def test_consumed_tells_a_way_that_lost_examples():
    results = {"legacy": runs(examples=(640, 320))}
    assert failed(checks.consumed(results, {"legacy": 1280}, slack=128))
