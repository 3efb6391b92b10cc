"""Writes the result of a scan as data: JSON for programs, SARIF for code review.

    file.write(report_json.as_json(scan, jobs))

SARIF: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import os
import pathlib
import urllib.parse
from collections import Counter
from collections.abc import Sequence
from typing import Any

from migrate.scan import jobs as plan
from migrate.scan import reading, report_table, scanner, symbols

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {"gone": "error", "by hand": "warning", "could not decide": "warning"}
VERSION = 1  # Version of the JSON's form.


def as_json(scan: scanner.Scan, jobs: Sequence[plan.Job]) -> str:
    """Returns the plan and all findings as JSON.

    Args:
      scan: The scan.
      jobs: The jobs in the recommended order.
    """
    content = {
        "version": VERSION,
        "summary": {
            "files": len(scan.files),
            "lines": scan.lines,
            "seconds": round(scan.seconds, 3),
            "verdicts": dict(Counter(finding.symbol.verdict for finding in scan.findings)),
        },
        "jobs": [
            job._asdict() | {"blockers": [blocker._asdict() for blocker in job.blockers]}
            for job in jobs
        ],
        "not_read": [
            {"path": file.path, "line": file.error_line, "error": file.error}
            for file in scan.unread
        ],
        "generated": [file.path for file in scan.files.values() if file.generated],
        "findings": [
            finding._asdict() | {"symbol": finding.symbol._asdict()} for finding in scan.findings
        ],
    }
    return json.dumps(content, indent=1) + "\n"


def as_sarif(scan: scanner.Scan, jobs: Sequence[plan.Job] = ()) -> str:
    """Returns the findings, and the files that could not be read, as one SARIF run.

    Args:
      scan: The scan.
      jobs: Ignored, because SARIF has no place for a plan.
    """
    del jobs
    rules = [
        {
            "id": _rule_id(verdict),
            "shortDescription": {"text": report_table.MEANINGS[verdict]},
            "defaultConfiguration": {"level": _LEVELS.get(verdict, "note")},
        }
        for verdict in symbols.VERDICTS
    ]
    run = {
        "tool": {"driver": {"name": "migrate scan", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding) for finding in scan.findings],
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {
                        "level": "error",
                        "message": {"text": str(file.error)},
                        "locations": [_location(file.path, _line(file))],
                    }
                    for file in scan.unread
                ],
            }
        ],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _line(file: reading.FileRead) -> dict[str, int] | None:
    has_line = file.error_line and not file.path.endswith(".ipynb")
    return {"startLine": file.error_line} if has_line and file.error_line else None


def _rule_id(verdict: str) -> str:
    return verdict.replace(" ", "-")


def _result(finding: scanner.Finding) -> dict[str, Any]:
    symbol = finding.symbol
    # A line of a cell is not a line of the notebook's file, so the message names it.
    cell = f" (cell {finding.cell}, line {finding.line})" if finding.cell else ""
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    return {
        "ruleId": _rule_id(symbol.verdict),
        "ruleIndex": symbols.VERDICTS.index(symbol.verdict),
        "level": _LEVELS.get(symbol.verdict, "note"),
        "message": {"text": f"{symbol.name}{cell}: {report_table.todo_of(symbol)}"},
        "locations": [_location(finding.path, None if finding.cell else region)],
    }


def _location(path: str, region: dict[str, int] | None) -> dict[str, Any]:
    """Returns a SARIF location. A path below the working folder is relative, for code review."""
    relative = os.path.relpath(path)
    if relative.startswith(os.pardir):
        uri = pathlib.Path(path).resolve().as_uri()
    else:
        uri = urllib.parse.quote(relative.replace(os.sep, "/"))
    place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if region:
        place["region"] = region
    return {"physicalLocation": place}
