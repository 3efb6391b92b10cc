"""Tests for the table of a report in the terminal."""

import io

import pytest
import rich.console

from migrate.verify import report_table
from tests.migrate.verify import reports


def printed(report):
    output = io.StringIO()
    report_table.print_table(report, rich.console.Console(file=output, width=80))
    return output.getvalue()


def test_prints_the_levels_and_the_limits_of_the_verdict():
    lines = printed(reports.report()).splitlines()

    assert lines[0] == "port:Model against job:model_fn"
    row = next(line for line in lines if line.startswith("2 forward pass"))
    assert row.split()[-3:] == ["1.0e-07", "1.0e-05", "same"]
    assert "  Level 2: Dropout is <off>." in map(str.rstrip, lines)
    assert lines[-1] == "The same: all 2 levels agree."


@pytest.mark.parametrize("finding", ["the layer [red]dense", None])
def test_prints_findings_but_no_limits_if_the_programs_differ(finding):
    text = printed(reports.report(deviation=0.5, finding=finding))

    assert ("\n  the layer [red]dense " in text) == (finding is not None)
    assert "Compared on this machine" not in text
    assert text.splitlines()[-1] == "Different: level 2, forward pass."
