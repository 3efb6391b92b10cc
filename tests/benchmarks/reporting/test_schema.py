"""Tests of `benchmarks.reporting.schema`, which checks a report against its contract."""

import copy

import pytest

from benchmarks.reporting import schema
from tests.benchmarks import comparison


@pytest.fixture(scope="module")
def whole():
    return comparison.report_of()


def _with(report, path, value):
    changed = copy.deepcopy(report)
    *parents, last = path.split(".")
    place = changed
    for key in parents:
        place = place[int(key) if isinstance(place, list) else key]
    if value is KeyError:
        del place[last]
    else:
        place[last] = value
    return changed


def test_report_keeps_the_contract(whole):
    schema.validate(whole)


@pytest.mark.parametrize(
    "path",
    [
        *("schema", "job", "dataset", "machine", "versions", "ways", "equivalence"),
        *(
            f"ways.legacy.{key}"
            for key in (
                *("cluster", "trainers", "steps", "examples", "examples_per_second"),
                *("ratio_to_single", "step_ms", "startup_s", "peak_rss_mb", "eval", "global_step"),
                *("examples_per_second.median", "examples_per_second.min"),
                *("examples_per_second.max", "step_ms.p50", "step_ms.p90"),
                *("eval.loss", "eval.accuracy"),
            )
        ),
        *("equivalence.outcome", "equivalence.checks"),
        *(
            f"equivalence.checks.0.{key}"
            for key in ("name", "tier", "a", "b", "statistic", "limit", "outcome", "more_seeds")
        ),
    ],
)
def test_each_key_of_the_contract_is_needed(whole, path):
    with pytest.raises(ValueError, match=path.rpartition(".")[2]):
        schema.validate(_with(whole, path, KeyError))


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("schema", 1, "schema is 1"),
        ("job", "", "job must be a text"),
        ("ways", {}, "ways is empty"),
        ("ways", [], "ways must be an object"),
        ("ways.legacy.trainers", 1.5, "ways.legacy.trainers must be a whole number"),
        ("ways.legacy.steps", True, "ways.legacy.steps must be a whole number"),
        ("ways.legacy.startup_s", float("nan"), "ways.legacy.startup_s must be a finite"),
        ("ways.legacy.startup_s", -1.0, "ways.legacy.startup_s must be a finite number, 0 or"),
        ("ways.legacy.eval.loss", float("inf"), "ways.legacy.eval.loss must be a finite"),
        ("ways.legacy.examples_per_second.min", 1e9, "min <= median <= max"),
        ("ways.legacy.examples_per_second.min", None, "min <= median <= max"),
        ("ways.legacy.examples_per_second.median", -1.0, "a finite number, 0 or more, or null"),
        ("ways.legacy.cluster.worker", "two", "ways.legacy.cluster.worker"),
        ("ways.legacy.peak_rss_mb.ps-0", None, "ways.legacy.peak_rss_mb.ps-0"),
        ("equivalence.checks.0.tier", "vague", "checks.0.tier must be one of exact"),
        ("equivalence.checks.0.statistic", None, "equivalent with statistic None"),
        ("equivalence.checks.0.statistic", 9.0, "equivalent with statistic 9.0"),
        ("equivalence.checks.0.outcome", "passed", "outcome must be one of equivalent"),
        ("equivalence.checks.0.outcome", "different", "its checks say different"),
        ("equivalence.checks.0.outcome", "inconclusive", "its checks say inconclusive"),
        ("equivalence.outcome", "inconclusive", "its checks say equivalent"),
        ("equivalence.checks", [], "its checks say inconclusive"),
        ("notes", [float("nan")], "cannot be written as JSON"),
    ],
)
def test_what_is_wrong_is_named(whole, path, value, words):
    with pytest.raises(ValueError, match=words):
        schema.validate(_with(whole, path, value))


def test_further_keys_are_allowed(whole):
    schema.validate(_with(whole, "ways.legacy.extra", {"any": "thing"}))


def test_figures_that_could_not_be_had_are_null(whole):
    for path in ("ways.legacy.ratio_to_single", "ways.legacy.eval.accuracy"):
        schema.validate(_with(whole, path, None))
    spread = {"median": None, "min": None, "max": None}
    schema.validate(_with(whole, "ways.legacy.examples_per_second", spread))
