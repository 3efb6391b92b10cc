"""Tests for verdicts, and for results as JSON."""

import json

import pytest

from migrate.verify import results


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["same", "same", "not asked for"], ("same", 0)),
        (["same", "different", "not reached"], ("different", 1)),
        (["same", "could not tell", "not reached"], ("could not tell", 2)),
        ([], ("could not tell", 2)),
    ],
)
def test_concludes_from_the_levels(verdicts, expected):
    levels = [results.Level(n, "it", verdict) for n, verdict in enumerate(verdicts, 1)]
    report = results.Report(levels, {}, {}, {}, [], [], "", 0.0)
    assert (report.verdict, report.exit_code) == expected


def test_an_infinite_deviation_is_written_as_json():
    level = results.Level(1, "it")
    level.comparisons.append(results.Comparison("a", "b", float("inf"), 1.0, 1.0))
    json.dumps(level.conclude().to_dict(), allow_nan=False)
    assert level.verdict == results.DIFFERENT
