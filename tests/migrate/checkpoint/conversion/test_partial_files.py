"""Tests for the folder of an incomplete output."""

import os
import pathlib

import pytest

from migrate.checkpoint.conversion import partial_files
from modern.process import cli


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_puts_new_files_in_the_place_of_old_ones(tmp_path):
    output = tmp_path / "new" / "model"
    with partial_files.Partial(str(output)) as place:
        assert names(output.parent) == [f"model.partial-{os.getpid()}"]
        pathlib.Path(place.folder, "part").write_text("first")
        place.commit([(os.path.join(place.folder, "part"), str(output))])
    with partial_files.Partial(str(output)) as place:
        pathlib.Path(place.folder, "part").write_text("second")
        place.commit([(os.path.join(place.folder, "part"), str(output))], [str(output)])

    assert names(output.parent) == ["model"]
    assert output.read_text() == "second"


def test_removes_the_folders_that_it_made_if_the_block_fails(tmp_path):
    with pytest.raises(ZeroDivisionError), partial_files.Partial(str(tmp_path / "a/b/model")):
        raise ZeroDivisionError

    assert names(tmp_path) == []


def test_removes_the_folder_of_a_killed_process_but_none_in_use(tmp_path):
    killed = tmp_path / "model.partial-1"
    killed.mkdir()
    with partial_files.Partial(str(tmp_path / "model")) as first:
        pathlib.Path(first.folder).rename(tmp_path / "model.partial-2")
        with partial_files.Partial(str(tmp_path / "model")):
            assert not killed.exists()
            assert (tmp_path / "model.partial-2").exists()


def test_refuses_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(cli.UsageError, match="cannot be written"),
        partial_files.Partial(str(tmp_path / "file" / "model")),
    ):
        pass


def test_leaves_the_graph_out_of_a_reason():
    error = ValueError("{{function_node x}} No space left [Op:SaveV2]\nmore")
    assert partial_files.reason(error) == "No space left"
