"""Tests of CSV headers and downloads."""

import numpy as np
import pytest

from legacy.contrib.learn.datasets import base


@pytest.mark.parametrize("lines", ["1,2,0\n", "1,2,0\n3,4,1\n5,6,0\n"])
def test_a_header_that_does_not_fit(tmp_path, lines):
    path = tmp_path / "data.csv"
    path.write_text("2,2,a,b\n" + lines)
    with pytest.raises(ValueError, match="data.csv: .*header"):
        base.load_csv_with_header(str(path), np.int64, np.float32)


def test_a_download_happens_once_and_leaves_nothing_when_it_fails(tmp_path):
    source = tmp_path / "source.txt"
    source.write_text("first")
    folder = tmp_path / "to"
    path = base.maybe_download("file.txt", str(folder), source.as_uri())
    source.write_text("second")
    assert base.maybe_download("file.txt", str(folder), source.as_uri()) == path
    assert (folder / "file.txt").read_text() == "first"
    with pytest.raises(OSError, match="No such file"):
        base.maybe_download("other.txt", str(folder), (tmp_path / "none").as_uri())
    assert [each.name for each in folder.iterdir()] == ["file.txt"]
