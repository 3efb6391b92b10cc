"""Tests for JSON and SARIF."""

import json

import jsonschema

from migrate.scan import command, symbols
from tests.migrate.scan.small_job import job

__all__ = ["job"]  # a fixture


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
