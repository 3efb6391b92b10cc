"""Tests of `benchmarks.reporting.report`, which builds report.json from the results of the runs."""

import dataclasses
import json
import math
import os

import numpy as np
import pytest

from benchmarks.reporting import report
from tests.benchmarks import comparison


def build(runs, checks=(), **how):
    how.setdefault("command", "compare")
    return report.build("mnist_cnn", "digits", runs, checks, **how)


class TestAggregate:
    def test_medians_spread_and_peaks(self):
        runs = [
            comparison.result("legacy", seed, examples_per_second=speed, startup_s=start)
            for seed, speed, start in ((1, 100.0, 5.0), (2, 300.0, 6.0), (3, 120.0, 9.0))
        ]
        runs[1]["peak_rss_mb"]["ps-0"] = 2000.0
        way = report.aggregate("legacy", runs)
        assert way["examples_per_second"] == {"median": 120.0, "min": 100.0, "max": 300.0}
        assert way["startup_s"] == 6.0
        assert way["peak_rss_mb"]["ps-0"] == 2000.0
        assert way["runs"] == 3

    def test_examples_are_those_of_all_trainers(self):
        counted = {"chief-0": 1000, "worker-0": 920}
        way = report.aggregate("legacy", [comparison.result("legacy", examples=counted)])
        assert way["examples"] == 1920
        assert way["examples_by_trainer"] == counted

    @pytest.mark.parametrize("lost", [None, math.nan])
    def test_runs_too_short_for_a_speed(self, lost):
        """The median of the others would be that of the slow ones."""
        short = comparison.result(
            examples_per_second=lost, step_ms={"p50": lost, "p90": lost}, seed=2
        )
        way = report.aggregate("legacy", [comparison.result(), short])
        assert way["examples_per_second"] == {"median": None, "min": None, "max": None}
        assert way["step_ms"] == {"p50": None, "p90": None}

    def test_job_without_accuracy(self):
        way = report.aggregate("legacy", [comparison.result("legacy", eval={"loss": 0.5})])
        assert way["eval"] == {"loss": 0.5, "accuracy": None}

    def test_diverged_run_has_no_median(self):
        runs = [comparison.result(eval={"loss": loss}) for loss in (0.5, math.nan, 0.4)]
        assert report.aggregate("legacy", runs)["eval"]["loss"] is None

    @pytest.mark.parametrize("key", ["trainers", "batch_size", "cluster", "job"])
    def test_runs_that_do_not_belong_together(self, key):
        runs = [comparison.result(), comparison.result(**{key: 7})]
        with pytest.raises(ValueError, match=f"ways.legacy: the runs differ in {key}"):
            report.aggregate("legacy", runs)

    def test_no_runs(self):
        with pytest.raises(ValueError, match="ways.legacy: there is no run"):
            report.aggregate("legacy", [])

    def test_lacking_keys_are_named(self):
        run = comparison.result()
        del run["step_ms"], run["eval"]
        with pytest.raises(ValueError, match="lacks step_ms, eval"):
            report.aggregate("legacy", [run])


class TestCost:
    single = {"examples_per_second": {"median": 10_000.0}}

    def way(self, speed, trainers=2, size=1_000_000):
        return {
            "trainers": trainers,
            "batch_size": 64,
            "parameter_bytes": size,
            "examples_per_second": {"median": speed},
        }

    def test_two_trainers_at_half_the_speed(self):
        found = report.cost(self.way(5_000.0), self.single)
        assert found["step_ms"] == pytest.approx(25.6)
        assert found["compute_ms"] == pytest.approx(12.8)
        assert found["cost_ms"] == pytest.approx(12.8)
        assert found["share"] == pytest.approx(0.5)
        assert found["ns_per_parameter_byte"] == pytest.approx(12.8)

    def test_as_fast_as_single_costs_nothing(self):
        """N trainers on the same cores cost nothing for any N, if no time goes to communication."""
        for trainers in (1, 2, 8):
            found = report.cost(self.way(10_000.0, trainers), self.single)
            assert found["cost_ms"] == pytest.approx(0.0)

    def test_idle_cores_of_single_can_make_it_negative(self):
        assert report.cost(self.way(11_000.0), self.single)["cost_ms"] < 0

    def test_no_parameters(self):
        assert report.cost(self.way(5_000.0, size=0), self.single)["ns_per_parameter_byte"] is None


class TestBuild:
    def test_ratios_come_from_medians(self):
        whole = build(comparison.runs(("single", "legacy")))
        speeds = {name: way["examples_per_second"]["median"] for name, way in whole["ways"].items()}
        assert whole["ways"]["single"]["ratio_to_single"] == 1.0
        expected = speeds["legacy"] / speeds["single"]
        assert whole["ways"]["legacy"]["ratio_to_single"] == pytest.approx(expected)

    def test_without_single_there_is_no_ratio_and_no_cost(self):
        whole = build(comparison.runs(("legacy",)))
        assert whole["ways"]["legacy"]["ratio_to_single"] is None
        assert whole["cost"] == {}

    @pytest.mark.parametrize(
        ("short", "costs"),
        [("single", set()), ("legacy", {"parameter_server", "multi_worker_mirrored", "mirrored"})],
    )
    def test_a_way_without_a_speed_has_no_ratio_and_no_cost(self, short, costs):
        whole = build(comparison.too_short(short))
        assert whole["ways"][short]["ratio_to_single"] is None
        assert set(whole["cost"]) == costs
        (note,) = whole["notes"]
        assert note.startswith(f"{short}: a run measured too few steps for a speed")
        assert note.endswith("Raise --steps.")

    def test_no_checks_are_not_equivalent(self):
        assert build(comparison.runs(("single",)))["equivalence"] == {
            "outcome": "inconclusive",
            "checks": [],
        }

    @pytest.mark.parametrize("defect", ["dropped_variable", "shifted_labels"])
    def test_a_planted_defect_decides_the_verdict(self, defect):
        assert comparison.report_of()["equivalence"]["outcome"] == "equivalent"
        assert comparison.report_of(defect=defect)["equivalence"]["outcome"] == "different"

    def test_no_ways(self):
        with pytest.raises(ValueError, match="ways is empty"):
            build({})

    @pytest.mark.parametrize("lost", [None, math.nan])  # null in result.json
    def test_diverged_run_is_reported_not_refused(self, lost):
        runs = comparison.runs(("single", "legacy"))
        runs["legacy"][0]["eval"]["loss"] = lost
        runs["legacy"][0]["loss_curve"][-1][1] = math.inf
        whole = build(runs)
        assert whole["curves"]["legacy"][0]["points"][-1][1] is None
        (note,) = whole["notes"]
        assert "legacy diverged: the evaluation of 1 of 3 runs is not finite." in note

    def test_numpy_figures_become_plain_ones(self):
        run = comparison.result("single", steps=10)
        run["examples_per_second"] = np.float32(100.0)
        run["loss_curve"] = [(np.int64(64), np.float64(2.0)), (128, 1.5)]
        json.dumps(build({"single": [run]}), allow_nan=False)

    def test_all_versions_are_named_if_runs_differ(self):
        runs = {
            "single": [comparison.result("single")],
            "legacy": [comparison.result(versions={"tensorflow": "2.15.1"})],
        }
        assert build(runs)["versions"]["tensorflow"] == "2.15.1, 2.21.0"

    def test_timeline_without_spans_shows_the_runs(self):
        runs = comparison.runs(("single", "legacy"), seeds=(1,))
        first, second = build(runs)["timeline"]
        assert (first["way"], first["start_s"]) == ("single", 0.0)
        assert first["first_step_s"] == pytest.approx(runs["single"][0]["startup_s"])
        assert second["start_s"] >= first["end_s"]

    def test_machine_is_named(self):
        found = report.machine()
        assert found["cpu"]
        assert found["cores"] >= 1
        assert found["memory_gb"] > 0


class TestWrite:
    def test_reads_back_and_leaves_nothing_beside_it(self, tmp_path):
        whole = comparison.report_of()
        path = report.write(whole, tmp_path / "deep" / "report.json")
        assert json.loads(path.read_text()) == whole
        assert os.listdir(path.parent) == ["report.json"]
        assert path.stat().st_mode & 0o777 == 0o644

    def test_broken_report_leaves_the_old_file(self, tmp_path):
        path = tmp_path / "report.json"
        path.write_text("old")
        with pytest.raises(ValueError, match="lacks"):
            report.write({"schema": 1}, path)
        assert path.read_text() == "old"


@pytest.mark.parametrize(
    ("defect", "words"),
    [
        (None, "Equivalent: all 16 checks show it."),
        ("dropped_variable", "Different: 1 of 16 checks show a difference."),
    ],
)
def test_summary_counts(defect, words):
    assert report.summary(comparison.report_of(defect=defect)) == words


def test_summary_without_checks():
    assert report.summary(build(comparison.runs(("single",)))).startswith("Inconclusive: no")


def test_summary_of_open_checks_says_how_many_seeds_would_decide():
    runs = comparison.runs()
    checks = comparison.checks(runs)
    some = [dataclasses.replace(c, outcome="inconclusive", more_seeds=7) for c in checks[:2]]
    whole = build(runs, [*some, *checks[2:]])
    assert report.summary(whole) == (
        "Inconclusive: 2 of 16 checks are undecided, none shows a difference. 7 more seeds would "
        "decide."
    )
