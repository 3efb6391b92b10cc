"""Tests for reading and writing files."""

import json
import os
import pathlib

import pytest

from migrate.rewrite.engine import files
from tests.migrate.rewrite import old_job
from tests.migrate.rewrite.old_job import job

__all__ = ["job"]  # a fixture


def test_other_encodings_stay(tmp_path):
    latin = tmp_path / "latin.py"
    latin.write_bytes(("# coding: latin-1\n" + old_job.OLD + "# é\n").encode("latin-1"))
    marked = tmp_path / "marked.py"
    marked.write_bytes(b"\xef\xbb\xbf" + old_job.OLD.encode())
    assert old_job.rewrite("--to=legacy", "--write", tmp_path) == 0
    assert latin.read_bytes() == ("# coding: latin-1\n" + old_job.NEW + "# é\n").encode("latin-1")
    assert marked.read_bytes() == b"\xef\xbb\xbf" + old_job.NEW.encode()


def test_a_crash_while_writing_leaves_the_old_file(job, monkeypatch):
    file = files.read(str(job))

    def crashes(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", crashes)
    with pytest.raises(KeyboardInterrupt):
        files.write(file, old_job.NEW)
    assert job.read_text() == old_job.OLD
    assert os.listdir(job.parent) == ["job.py"]


def test_a_file_that_was_changed_meanwhile_is_left_alone(job):
    file = files.read(str(job))
    job.write_text("x = 1\n")
    with pytest.raises(files.NotWritable, match="another process"):
        files.write(file, old_job.NEW)
    assert job.read_text() == "x = 1\n"


def test_a_link_stays_a_link(job):
    link = job.parent / "link.py"
    link.symlink_to(job)
    files.write(files.read(str(link)), old_job.NEW)
    assert link.is_symlink()
    assert job.read_text() == old_job.NEW


def test_a_notebook_is_written(tmp_path):
    path = pathlib.Path(tmp_path, "job.ipynb")
    cells = [
        {"cell_type": "code", "outputs": [{"text": "1"}], "source": old_job.OLD.splitlines(True)}
    ]
    path.write_text(json.dumps({"cells": cells}, indent=1))
    assert old_job.rewrite("--to=legacy", "--write", path) == 0
    cells[0]["source"] = old_job.NEW.splitlines(True)
    assert path.read_text() == json.dumps({"cells": cells}, indent=1)
