"""Tests for the checks on small made-up results. tests/cluster/test_compare.py uses real ones."""

import numpy as np
import pytest

from benchmarks.judging import checks
from benchmarks.judging.margins import Margins
from migrate import equivalence
from migrate.equivalence.sequential import Levels

MARGINS = Margins(loss=0.02, metric=0.03, curve=0.2)
LEVELS = Levels(0.05, 0.01)


def run(seed=0, loss=0.5, accuracy=0.9, examples=(640, 640), drop=2.0):
    return {
        "seed": seed,
        "eval": {"loss": loss, "accuracy": accuracy},
        "examples": dict(zip(("worker-0", "worker-1"), examples, strict=True)),
        "digests": {"worker-0": 10.0, "worker-1": 20.0},
        "loss_curve": [[64 * i, 0.3 + drop * (1 - i / 20)] for i in range(1, 21)],
    }


def runs(loss=0.5, accuracy=0.9, **more):
    return [run(seed, loss + seed / 1e3, accuracy + seed / 1e3, **more) for seed in range(4)]


def different(found):
    return [check.name for check in found if check.outcome == equivalence.DIFFERENT]


def sampled(results, margins=MARGINS):
    return checks.sampled(results, margins, LEVELS)


def test_exact_accepts_equal_weights_and_names_a_variable_that_is_off():
    initial = {"a": np.zeros(3), "b": np.zeros(2)}
    ended = {"a": np.ones(3), "b": np.full(2, 2.0)}
    off = ended | {"b": np.full(2, 2.1)}
    pairs = [
        checks.ExactPair("same", "x", "single", ended, ended),
        checks.ExactPair("off", "y", "single", off, ended),
    ]
    same, other = checks.exact(pairs, initial, MARGINS)
    assert same.passed
    assert different([other]) == ["off"]
    assert "b" in other.detail


def test_every_way_is_compared_with_single_and_the_port_with_legacy():
    results = {"single": runs(), "legacy": runs(), "parameter_server": runs()}
    found = sampled(results)
    assert all(check.passed for check in found)
    assert len(found) == checks.count_sampled(results)
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
        ({"drop": 1.0}, "loss curve: legacy"),
    ],
)
def test_a_worse_way_is_different(worse, name):
    found = sampled({"single": runs(), "legacy": runs(**worse)})
    assert different(found) == [name]


def test_scattered_runs_are_inconclusive_and_not_different():
    scattered = [run(seed, 0.5 + 0.1 * (-1) ** seed) for seed in range(4)]
    (loss,) = (c for c in sampled({"single": runs(), "legacy": scattered}) if "loss:" in c.name)
    assert loss.outcome == equivalence.INCONCLUSIVE
    assert loss.more_seeds > 10


@pytest.mark.parametrize("lost", [None, float("nan")])  # null in result.json
def test_a_run_that_diverged_is_different(lost):
    results = {"single": runs(), "legacy": [*runs()[:3], run(3, loss=lost)]}
    assert different(sampled(results)) == ["eval loss: legacy ~ single"]


def test_a_reference_that_diverged_accuses_nobody():
    results = {"single": [*runs()[:3], run(3, loss=None)], "legacy": runs()}
    assert different(sampled(results)) == []
    assert equivalence.verdict(sampled(results)) == equivalence.INCONCLUSIVE


def test_consumed_allows_only_asynchronous_ways_to_go_over():
    over = runs(examples=(640, 704))
    planned = dict.fromkeys(("legacy", "multi_worker_mirrored"), 1280)
    found = checks.consumed({"legacy": over, "multi_worker_mirrored": over}, planned, slack=128)
    assert different(found) == ["examples consumed: multi_worker_mirrored"]


@pytest.mark.parametrize("way", ["legacy", "single"])
@pytest.mark.parametrize("examples", [(640, 320), (640, 639)])
def test_a_way_that_consumed_fewer_examples_is_different(way, examples):
    results = {way: [run(0), run(1, examples=examples)]}
    (check,) = checks.consumed(results, {way: 1280}, slack=128)
    assert check.outcome == equivalence.DIFFERENT
    assert f"consumed {sum(examples):,}" in check.detail


def test_shares_name_a_trainer_that_read_other_examples():
    other = run(1) | {"digests": {"worker-0": 10.0, "worker-1": 10.0}}
    expected = {"worker-0": 10.0, "worker-1": 20.0}
    found = checks.shares(
        {"legacy": runs(), "parameter_server": [run(0), other]}, lambda run: expected, 1e-6
    )
    assert different(found) == ["examples of each trainer: parameter_server"]
    assert "worker-1 in the run of seed 1" in found[1].detail


def test_shares_forgive_rounding():
    near = run() | {"digests": {"worker-0": 10.000001, "worker-1": 20.0}}
    expected = {"worker-0": 10.0, "worker-1": 20.0}
    (check,) = checks.shares({"legacy": [near]}, lambda run: expected, 1e-6)
    assert check.passed
