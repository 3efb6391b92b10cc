"""Tests of `report_table`, which prints a report as a table for the terminal."""

import io

import pytest
import rich.console

from benchmarks.reporting import report, report_table
from tests.benchmarks import comparison


def printed(whole, width=80):
    stream = io.StringIO()
    report_table.print_table(whole, rich.console.Console(file=stream, width=width, no_color=True))
    return stream.getvalue()


def test_every_way_and_its_figures_fit_into_80_columns():
    whole = comparison.report_of()
    text = printed(whole)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    for way in whole["ways"].values():
        assert f"{way['examples_per_second']['median']:,.0f}" in text
        assert f"{way['ratio_to_single']:.2f}×" in text
        assert f"{100 * way['eval']['accuracy']:.1f} %" in text
    assert "Equivalent: all 16 checks show it." in text


def test_large_figures_fit_too():
    whole = comparison.report_of()
    for way in whole["ways"].values():
        way["examples_per_second"] = {"median": 98765.0, "min": 91234.0, "max": 1234567.0}
        way["step_ms"] = {"p50": 1234.5, "p90": 2345.6}
        way["startup_s"], way["peak_rss_mb"] = 123.4, {"chief-0": 1199.0}
    text = printed(whole)
    assert "…" not in text
    assert "91,234–1,235k" in text


def test_checks_that_differ_are_named_with_their_figures():
    text = printed(comparison.report_of(defect="shifted_labels"))
    assert "Different: 2 of 16 checks show a difference." in text
    for key in ("loss", "accuracy"):
        assert f"DIFFERENT statistical: evaluation {key}, legacy against single:" in text
    assert "limit 0.06" in text


def test_check_without_a_figure_gives_its_reason():
    text = printed(comparison.report_of(defect="dropped_variable"))
    assert "legacy (1 trainer) against single: none" in " ".join(text.split())
    assert "only single has dense/bias" in text


def test_brackets_are_text_and_not_markup():
    whole = comparison.report_of(notes=["seeds [2, 3] and [bold]"], defect="dropped_variable")
    failed = next(c for c in whole["equivalence"]["checks"] if c["outcome"] == "different")
    failed["detail"] = "only one has [/kernel]"
    text = printed(whole)
    assert "seeds [2, 3] and [bold]" in text
    assert "[/kernel]" in text


@pytest.mark.parametrize("key", ["loss", "accuracy"])
def test_figures_that_could_not_be_had(key):
    whole = comparison.report_of()
    whole["ways"]["legacy"]["eval"][key] = None
    whole["ways"]["legacy"]["ratio_to_single"] = None
    assert "–" in printed(whole)


def test_ways_without_a_speed_fit_too():
    results = comparison.too_short("legacy", "single")
    whole = report.build("mnist_cnn", "digits", results, [], command="c")
    (row,) = [line for line in printed(whole).splitlines() if line.startswith("legacy")]
    assert row.split()[:5] == ["legacy", "2", "–", "–", "–"]


@pytest.mark.parametrize("way", ["multi_worker_mirrored", "parameter_server"])
def test_long_names_are_wrapped(way):
    whole = comparison.report_of()
    whole["ways"][f"keras3_{way}"] = whole["ways"][way]
    text = printed(whole)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
