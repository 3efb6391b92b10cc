"""Tests that docs/versions.md shows the recorded results."""

import pytest

from tests.matrix import page, recorded
from tests.matrix.cells import Cell

PASSED = {"ways": {"single": "passed"}, "versions": {"keras": "3.12.1"}}


def test_the_page_shows_the_recorded_results():
    said = "docs/versions.md is out of date: python -m tests.matrix --page"
    assert page.shown() == page.tables(recorded.read()), said


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (PASSED, "| passes, Keras 3.12.1 |"),
        ({**PASSED, "ways": {"single": "passed", "keras3_single": "refused"}}, "| tf_keras only, "),
        ({**PASSED, "ways": {"bridge": "failed"}}, "| fails: bridge, Keras 3.12.1 |"),
        ({"not_tested": "no python3.10 on the path"}, "| not tested: no python3.10 on the path |"),
    ],
)
def test_a_cell_shows_its_result(result, text):
    assert text in page.tables({Cell("3.10", "2.16"): result})


def test_a_version_without_a_package_has_a_dash():
    row = next(line for line in page.tables({}).splitlines() if line.startswith("| 2.16 |"))
    assert row == "| 2.16 | not tested | not tested | not tested | – |"


def test_the_newest_keras_is_the_highest_number():
    of = {Cell("3.10", "2.21"): "3.9.2", Cell("3.11", "2.20"): "3.10.0"}
    results = {cell: {**PASSED, "versions": {"keras": keras}} for cell, keras in of.items()}
    assert page.keras_ends(results)[-1] == Cell("3.11", "2.20")


def test_only_the_tables_are_written(tmp_path):
    path = tmp_path / "page.md"
    path.write_text("before\n<!-- matrix: begin -->\nold\n<!-- matrix: end -->\nafter\n")
    page.write({}, path)
    assert path.read_text() == (
        f"before\n<!-- matrix: begin -->\n{page.tables({})}\n<!-- matrix: end -->\nafter\n"
    )
    assert page.shown(path) == page.tables({})
    path.write_text("no tables\n")
    with pytest.raises(ValueError, match="lacks the line"):
        page.write({}, path)
