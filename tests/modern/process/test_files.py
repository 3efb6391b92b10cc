"""Tests of text files that are complete at any moment."""

import os

import pytest

from modern.process import files


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "deep" / "report.txt"
    files.write_text(path, "old")
    files.write_text(path, "new")
    assert path.read_text() == "new"
    assert os.listdir(path.parent) == ["report.txt"]
    assert path.stat().st_mode & 0o777 == 0o644


def test_an_interrupted_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "report.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        files.write_text(path, "half \ud800")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["report.txt"]
