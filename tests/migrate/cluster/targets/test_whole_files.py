"""Tests of `migrate.cluster.targets.whole_files`, which writes all files of a job or none."""

import pytest

from migrate.cluster.targets import whole_files
from modern.process import cli


def test_files_are_written_into_new_folders(tmp_path, capsys):
    whole_files.write({"a/b.json": "1", "c": "2"}, tmp_path / "new", overwrite=False)
    assert (tmp_path / "new" / "a" / "b.json").read_text() == "1"
    names = sorted(path.name for path in (tmp_path / "new").rglob("*"))
    assert names == ["a", "b.json", "c"]
    assert "Wrote" in capsys.readouterr().err


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(cli.UsageError, match="cannot be written"):
        whole_files.write({"a": "1"}, tmp_path / "out", overwrite=False)
    assert (tmp_path / "out").read_text() == "mine"
