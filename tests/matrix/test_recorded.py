"""Tests of the recorded results: an interrupted run continues."""

from tests.matrix import recorded
from tests.matrix.cells import Cell

CELL, OTHER = Cell("3.10", "2.16"), Cell("3.12", "2.18", "3.6.0")
PASSED = {"ways": {"single": "passed"}, "versions": {}, "sources": recorded.sources()}


def test_a_result_replaces_an_earlier_one(tmp_path):
    path = tmp_path / "versions.json"
    assert recorded.read(path) == {}
    recorded.add(OTHER, PASSED, path)
    recorded.add(CELL, {"not_tested": "no python3.10"}, path)
    recorded.add(CELL, PASSED, path)
    results = recorded.read(path)
    assert list(results) == [CELL, OTHER]
    assert all(map(recorded.is_current, results.values()))


def test_a_cell_that_could_not_be_tested_keeps_its_result(tmp_path):
    path = tmp_path / "versions.json"
    recorded.add(CELL, PASSED, path)
    recorded.add(CELL, {"not_tested": "no python3.10"}, path)
    assert recorded.is_current(recorded.read(path)[CELL])


def test_a_result_of_other_sources_is_not_current():
    assert recorded.is_current(PASSED)
    assert not recorded.is_current({**PASSED, "sources": "before"})
    failed = {"ways": {"single": "failed"}, "sources": recorded.sources()}
    assert not recorded.is_current(failed)
