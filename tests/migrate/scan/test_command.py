"""Tests for the `scan` command: its output formats, exit codes and errors."""

import json
import os
import subprocess
import sys

import jsonschema
import pytest

from migrate.scan import command, symbols
from modern.process import cli


def _object(required, **properties):
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _list(items):
    return {"type": "array", "items": items}


_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_FROM_1 = {"type": "integer", "minimum": 1}
_TEXT = _object("text", text={"type": "string", "minLength": 1})
_REGION = _object(
    "startLine", startLine=_FROM_1, startColumn=_FROM_1, endLine=_FROM_1, endColumn=_FROM_1
)
_URI = {"type": "string", "pattern": r"^(file:///|[^/:?#\s][^:?#\s]*$)"}
_PLACE = _object("artifactLocation", artifactLocation=_object("uri", uri=_URI), region=_REGION)
_LOCATIONS = _list(_object("", physicalLocation=_PLACE))
_RULE = _object(
    "id",
    id={"type": "string"},
    shortDescription=_TEXT,
    defaultConfiguration=_object("", level=_LEVEL),
)
_RESULT = _object(
    "message ruleId",
    ruleId={"type": "string"},
    ruleIndex={"type": "integer", "minimum": 0},
    level=_LEVEL,
    message=_TEXT,
    locations=_LOCATIONS,
)
_NOTIFICATION = _object("message", level=_LEVEL, message=_TEXT, locations=_LOCATIONS)
_INVOCATION = _object(
    "executionSuccessful",
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=_list(_NOTIFICATION),
)
# Schema of SARIF 2.1.0, sections 3.13 to 3.58, limited to the properties that this log has.
SARIF = _object(
    "version runs",
    **{"$schema": {"type": "string"}},
    version={"const": "2.1.0"},
    runs=_list(
        _object(
            "tool results",
            tool=_object(
                "driver", driver=_object("name", name={"type": "string"}, rules=_list(_RULE))
            ),
            columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
            results=_list(_RESULT),
            invocations=_list(_INVOCATION),
        )
    ),
)
JOB = """import tensorflow as tf

def model_fn(features, labels, mode):
    return tf.estimator.EstimatorSpec(mode, loss=tf.losses.log_loss(labels, features["<x>"]))

if __name__ == "__main__":
    tf.estimator.Estimator(model_fn).train(lambda: None)
    tf.contrib.tensorrt.create_inference_graph()
"""


@pytest.fixture
def job(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a job.py").write_text(JOB)
    (tmp_path / "bad.py").write_text("print 'x'\n")
    return "a job.py"


def test_the_table_has_the_plan_the_findings_and_the_counts(job, capsys):
    assert command.main(["."]) == 0
    said, notes = capsys.readouterr()
    assert "1. a job.py  reaches rung: none yet" in said
    assert "blocks rung 0 a job.py:8 tf.contrib.tensorrt.create_inference_graph" in said
    assert "not read bad.py:1: this is Python 2" in said
    assert "tf.estimator.EstimatorSpec" in said
    assert "4 uses in 1 of 2 files" in said
    assert notes == "Reading 2 files ...\n"


def test_json_is_whole(job, capsys):
    assert command.main([".", "--format=json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [f["symbol"]["name"] for f in found["findings"]] == [
        "tf.estimator.EstimatorSpec",
        "tf.losses.log_loss",
        "tf.estimator.Estimator",
        "tf.contrib.tensorrt.create_inference_graph",
    ]
    assert found["jobs"][0]["blockers"][0]["rung"] == 0
    assert found["not_read"][0]["line"] == 1
    assert sum(found["summary"]["verdicts"].values()) == 4


def test_sarif_names_rules_places_and_levels(job, capsys):
    assert command.main([".", "--format=sarif"]) == 0
    log = json.loads(capsys.readouterr().out)
    jsonschema.validate(log, SARIF)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(symbols.VERDICTS)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "a%20job.py"
    assert run["results"][-1]["level"] == "error"
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "this is Python 2"


def test_sarif_of_a_notebook_and_of_files_elsewhere(tmp_path, monkeypatch, capsys):
    cell = {"cell_type": "code", "source": "import tensorflow as tf\ntf.log(x)"}
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [cell]}))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert command.main([str(tmp_path / "a.ipynb"), "--format=sarif"]) == 0
    log = json.loads(capsys.readouterr().out)
    jsonschema.validate(log, SARIF)
    (result,) = log["runs"][0]["results"]
    assert "(cell 1, line 2)" in result["message"]["text"]
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": (tmp_path / "a.ipynb").as_uri()}}}
    ]


def test_of_many_files_what_there_is_to_do(tmp_path, capsys):
    for i in range(30):
        (tmp_path / f"job_{i}.py").write_text(JOB)
    assert command.main([str(tmp_path)]) == 0
    short = capsys.readouterr().out
    assert "job_29.py" in short  # in the plan
    assert "    30 jobs, rung 0: tf.contrib.tensorrt.create_inference_graph" in short
    assert short.count("tf.losses.log_loss") == 1
    assert command.main([str(tmp_path), "--details"]) == 0
    assert capsys.readouterr().out.count("tf.losses.log_loss") == 30


def test_the_page_stands_alone(job, tmp_path):
    assert command.main([".", "--format=html", "--output=report.html"]) == 0
    page = (tmp_path / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "tf.contrib.tensorrt.create_inference_graph" in page
    assert "this is Python 2" in page
    for loaded in ("<script", "<link", "src=", "@import", "url("):
        assert loaded not in page


def test_the_table_can_be_kept(job, tmp_path):
    assert command.main([job, "--output=report.txt"]) == 0
    assert "4 uses in 1 of 1 file (" in (tmp_path / "report.txt").read_text()


@pytest.mark.parametrize(
    ("path", "code"), [("a job.py", 1), ("bad.py", 1), ("new.py", 0), (".", 1)]
)
def test_check(job, tmp_path, path, code):
    (tmp_path / "new.py").write_text("import tensorflow as tf\ntf.cast(x)")
    assert command.main([path, "--check"]) == code


def test_an_empty_folder(tmp_path, capsys):
    assert command.main([str(tmp_path), "--check"]) == 0
    assert "no Python file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.py"], "there is no file or folder 'none.py'"),
        ([".", "--output=a job.py"], "exists"),
        ([".", "--output=a job.py/x"], "cannot be written"),
        ([".", "--processes=0"], "at least 1"),
        ([".", "--details", "--format=json"], "--details is for the table"),
    ],
)
def test_misuse(job, arguments, said):
    with pytest.raises(cli.UsageError, match=said):
        command.main(arguments)


def test_tensorflow_is_not_imported(job):
    program = (
        "import sys; from migrate import __main__ as m; code = m.main(['scan', '.']); "
        "assert not {'tensorflow', 'tf_keras', 'libcst'} & set(sys.modules); sys.exit(code)"
    )
    root = os.path.dirname(os.path.dirname(sys.modules["migrate"].__path__[0] + "/"))
    done = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": root}, check=True
    )
    assert done.returncode == 0
