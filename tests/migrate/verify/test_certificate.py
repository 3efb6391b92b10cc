"""Tests for the files of a report: verify.json and the certificate."""

import json

import pytest

from migrate.verify import certificate
from modern.process import cli
from tests.migrate.verify import reports


def test_writes_a_page_with_escaped_text_and_a_command_that_repeats_it(tmp_path):
    folder = tmp_path / "new" / "verified"
    files = certificate.write(reports.report(), folder, ["--params={}", "--output=a b"])

    assert files == [folder / "verify.json", folder / "certificate.html"]
    assert [path.name for path in folder.parent.iterdir()] == ["verified"]
    written = json.loads(files[0].read_text())
    assert written["command"] == "python -m migrate verify '--params={}' '--output=a b'"
    assert written["verdict"] == "same"
    page = files[1].read_text()
    assert "Dropout is &lt;off&gt;." in page
    assert "<off>" not in page


def test_keeps_a_folder_that_exists(tmp_path):
    (tmp_path / "mine").write_text("kept")
    with pytest.raises(cli.UsageError, match="exists"):
        certificate.write(reports.report(), tmp_path, [])

    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert not list(tmp_path.parent.glob(f".{tmp_path.name}.*"))
