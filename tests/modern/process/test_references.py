"""Tests of names in flags."""

import textwrap

import pytest

from modern.process import cli, references

MODULE = """
class Model:
    def build():
        return "built"

params = {"rate": 0.5}

def make_params():
    return {"rate": 0.25}
"""


@pytest.fixture(autouse=True)
def job(tmp_path, monkeypatch):
    (tmp_path / "referenced_job.py").write_text(textwrap.dedent(MODULE))
    monkeypatch.syspath_prepend(str(tmp_path))


def test_a_name_may_have_dots():
    assert references.find_function("referenced_job:Model.build", "--f")() == "built"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, {}),
        ('{"rate": [1, 2]}', {"rate": [1, 2]}),
        ("referenced_job:params", {"rate": 0.5}),
        ("referenced_job:make_params", {"rate": 0.25}),
    ],
)
def test_parameters(text, expected):
    assert references.parameters(text, "--f") == expected


@pytest.mark.parametrize(
    ("call", "text", "message"),
    [
        (references.find, "referenced_job", "--f=referenced_job: must be MODULE:NAME"),
        (references.find, "absent_job:f", "importing absent_job failed: ModuleNotFoundError"),
        (references.find, "referenced_job:Model.other", "referenced_job has no 'Model.other'"),
        (references.find_function, "referenced_job:params", "is dict, not a function"),
        (references.parameters, "[1]", "must be a JSON object"),
        (references.parameters, "{1}", "neither MODULE:NAME nor JSON .* at character 2"),
    ],
)
def test_mistakes_name_the_flag(call, text, message):
    with pytest.raises(cli.UsageError, match=message):
        call(text, "--f")
