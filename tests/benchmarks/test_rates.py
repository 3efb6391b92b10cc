"""Tests for error rates of verdicts, drawn from a made-up pool and from the recorded one."""

import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest

from benchmarks import pool as pools
from benchmarks import rates, ways
from benchmarks.judging.margins import OF_JOB, Margins
from migrate.equivalence import sequential
from tests.benchmarks import planted
from tests.cluster import core

DOCS = pathlib.Path(__file__).parents[2] / "docs" / "compare.md"

PLAN = sequential.Plan.geometric(first=4, last=9)
MARGINS = Margins(loss=0.02, metric=0.03, curve=0.2)
SETTING = ways.Setting(job="linear_regression", steps=7)
TRIALS = 40


def runs(way, shift=0.0, noise=0.003):
    random = np.random.default_rng([*way.encode(), round(1000 * shift)])
    return [
        {
            "seed": seed,
            "eval": {"loss": 0.5 + shift + noise * random.normal()},
            "loss_curve": [[64 * i, 0.3 + 2 * (1 - i / 20)] for i in range(1, 21)],
        }
        for seed in range(20)
    ]


@pytest.fixture
def pool():
    defects = {
        "worse": {"legacy": {"exact": {}, "runs": runs("legacy", shift=0.2)}},
        "hidden": {"legacy": {"exact": {"weights": 0.5}, "runs": runs("legacy")}},
    }
    equal = {way: runs(way) for way in ("single", "legacy")}
    return pools.Pool(pools.setting_of(SETTING), {}, {}, equal, defects)


def test_equal_ways_are_found_equivalent(pool):
    found = rates.of_equal_ways(pool, PLAN, MARGINS, ["single", "legacy"], TRIALS)
    assert found.outcomes["equivalent"] > 0.9
    assert found.outcomes["different"] == 0.0
    assert sum(found.outcomes.values()) == pytest.approx(1.0)
    assert 4 <= found.mean_seeds < 6
    assert found.seeds == 20


def test_noise_makes_verdicts_inconclusive_and_not_different(pool):
    noisy = dataclasses.replace(
        pool, equal={way: runs(way, noise=0.05) for way in ("single", "legacy")}
    )
    found = rates.of_equal_ways(noisy, PLAN, MARGINS, ["single", "legacy"], TRIALS)
    assert found.outcomes["inconclusive"] > 0.5
    assert found.outcomes["different"] == 0.0
    assert found.mean_seeds > 8


def test_a_defect_is_told_by_the_tier_that_sees_it(pool):
    found = rates.of_defect(pool, "worse", "legacy", PLAN, MARGINS, TRIALS)
    assert found.tiers == {"exact": 0.0, "statistical": 1.0, "trajectory": 0.0}
    assert found.outcomes["different"] == 1.0


def test_a_verdict_takes_as_many_seeds_as_a_comparison(pool):
    # The loss shows the defect at the first look. The loss curves never decide.
    curves = np.random.default_rng(0).normal(0.0, 0.3, 20)
    worse = runs("legacy", shift=0.2)
    for run, shift in zip(worse, curves, strict=True):
        run["loss_curve"] = [[x, y + shift] for x, y in run["loss_curve"]]
    pool = dataclasses.replace(pool, defects={"worse": {"legacy": {"exact": {}, "runs": worse}}})
    found = rates.of_defect(pool, "worse", "legacy", PLAN, MARGINS, TRIALS)
    assert found.outcomes["different"] == 1.0
    assert found.mean_seeds == PLAN.looks[0]


def test_a_defect_that_the_exact_tier_shows_in_half_of_the_seeds(pool):
    found = rates.of_defect(pool, "hidden", "legacy", PLAN, MARGINS, TRIALS)
    assert found.outcomes["different"] == found.tiers["exact"] == pytest.approx(0.5, abs=0.25)


def test_the_same_rates_each_time(pool):
    once, again = (
        rates.of_equal_ways(pool, PLAN, MARGINS, ["single", "legacy"], TRIALS) for _ in range(2)
    )
    assert once == again


def test_the_sentence_says_where_rates_are_not_known(pool):
    found = rates.of_equal_ways(pool, PLAN, MARGINS, ["single", "legacy"], TRIALS)
    assert "40 verdicts drawn from 20 recorded seeds" in rates.sentence(found)
    assert "0.0 % different" in rates.sentence(found)
    assert "not known" in rates.sentence(None)


@pytest.fixture(scope="module")
def recorded():
    return pools.read(pools.FOLDER / "mnist_cnn.json.gz")


def test_the_pool_holds_every_way_and_every_defect(recorded):
    assert {way: len(runs) for way, runs in recorded.equal.items()} == dict.fromkeys(ways.NAMES, 60)
    others = {*ways.NAMES} - {ways.SINGLE}
    found = {name: {*of_way} for name, of_way in recorded.defects.items()}
    assert found == dict.fromkeys(planted.RECORDED, others)


@pytest.mark.parametrize("defect", ["rate_0.8", "lost_updates", "same_shard"])
@pytest.mark.parametrize("way", ways.NAMES[1:])
def test_the_default_setting_finds_a_defect(recorded, defect, way):
    """At most 10 % of the verdicts miss the defect, as `make compare` requires."""
    plan, margins = sequential.Plan.geometric(first=4, last=10), OF_JOB["mnist_cnn"]
    found = rates.of_defect(recorded, defect, way, plan, margins, trials=20)
    assert found.outcomes["different"] >= 0.9


def test_the_losses_that_the_docs_state_for_defects(recorded):
    """The losses that justify the margins in docs/compare.md are those of the recorded pool."""
    for defect in ("rate_0.9", "lost_updates"):
        for way, of_way in recorded.defects[defect].items():
            pairs = zip(of_way["runs"], recorded.equal[ways.SINGLE], strict=False)
            higher = np.mean([one["eval"]["loss"] - other["eval"]["loss"] for one, other in pairs])
            assert higher == pytest.approx(0.02, abs=0.004), (defect, way)


def test_the_curves_that_the_docs_state(recorded):
    def sixths(run):
        ends, means = np.array(run["loss_curve"]).T
        starts = np.append(0, ends[:-1])
        sums = np.append(0, np.cumsum(means * (ends - starts)))
        cuts = np.linspace(0, ends[-1], 7)
        return np.diff(np.interp(cuts, np.append(0, ends), sums)) / np.diff(cuts)

    curves = {
        way: np.mean([sixths(run) for run in of_way], axis=0)
        for way, of_way in recorded.equal.items()
    }
    single = curves[ways.SINGLE]
    assert single[0] - single[1] == pytest.approx(1.1, abs=0.05)
    behind = max(curves[way][1] - single[1] for way in ("legacy", "parameter_server"))
    assert behind == pytest.approx(0.05, abs=0.005)


def test_recorded_equal_ways_are_seldom_accused_or_left_undecided(recorded):
    plan, margins = sequential.Plan.geometric(first=4, last=10), OF_JOB["mnist_cnn"]
    found = rates.of_equal_ways(recorded, plan, margins, ways.NAMES, trials=400)
    assert found.outcomes["different"] <= 1 / 200
    assert found.outcomes["inconclusive"] <= 2 / 100


@pytest.mark.slow
def test_the_docs_have_the_tables_that_the_command_prints():
    text = DOCS.read_text()
    (command,) = re.findall(r"^python -m benchmarks.rates .*$", text, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, *shlex.split(command)[1:]],
        capture_output=True,
        text=True,
        check=True,
        env=core.whole_environment(os.environ),
    )
    printed = _rows(done.stdout)
    assert len(printed) >= 2
    assert [row for row in printed if row not in _rows(text)] == []


def _rows(text):
    """Returns the cells of each row of the Markdown tables in a text."""
    lines = [line for line in text.splitlines() if line.startswith("|") and "---" not in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
