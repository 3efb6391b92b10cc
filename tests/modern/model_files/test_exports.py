"""Tests of folders of exported models."""

import os

import pytest

from modern.model_files import exports


def test_versions_are_numbers_that_grow(tmp_path):
    base = str(tmp_path / "made")
    first = exports.new_version(base)
    os.mkdir(first)
    second = exports.new_version(base)
    assert os.path.dirname(first) == base
    assert int(os.path.basename(second)) > int(os.path.basename(first)) > 1_600_000_000


def test_a_folder_is_whole_or_not_there(tmp_path):
    path = tmp_path / "7"

    def write(fails):
        with exports.whole(str(path)) as folder:
            os.mkdir(folder)
            (tmp_path / os.path.basename(folder) / "file").write_text("")
            assert not path.exists()
            if fails:
                raise KeyError

    with pytest.raises(KeyError):
        write(fails=True)
    assert [*tmp_path.iterdir()] == []
    write(fails=False)
    assert [one.name for one in path.iterdir()] == ["file"]
    assert [*tmp_path.iterdir()] == [path]
