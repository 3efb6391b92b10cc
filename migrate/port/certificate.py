"""Writes the certificate of a port: certificate.json, and certificate.html, which loads nothing.

certificate.write(ascent, program, "ported")

The page has no script, so that it can be archived with the program.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import os
import pathlib
import shlex
from typing import Any

from migrate import html_pages
from migrate.port import comparison, estimators, rewriting
from migrate.port.climb import Ascent, PortedEstimator
from migrate.port.copies.program import Program
from migrate.rewrite.engine import files
from migrate.rewrite.program import run
from modern.process import versions
from modern.records import task_records

_TEMPLATE = pathlib.Path(__file__).with_name("certificate.html.j2")
# A condition of all runs, which limits the meaning of the proof.
_SEEDS = "All random operations had fixed seeds, also in programs that set none."


def write(ascent: Ascent, program: Program, output: str) -> list[str]:
    """Writes both files, and returns their paths.

    Args:
      ascent: Result of the climb.
      program: The program.
      output: Folder of the port.
    """
    content = as_dict(ascent, program)
    json_path = os.path.join(output, "certificate.json")
    task_records.write_json(pathlib.Path(json_path), content)
    html_path = os.path.join(output, "certificate.html")
    pathlib.Path(html_path).write_text(render(content), encoding="utf-8")
    return [html_path, json_path]


def as_dict(ascent: Ascent, program: Program) -> dict[str, Any]:
    """Returns the certificate as JSON values."""
    proof = ascent.proof
    return {
        "program": program.path,
        "command": shlex.join(program.command),
        "created": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "verdict": _verdict(ascent),
        "estimators": [_estimator(estimator) for estimator in ascent.estimators],
        "reasons": [*ascent.reasons],
        "proof": None
        if proof is None
        else {
            "keras": proof.keras,
            "compared": dict(proof.compared),
            "extent": [*proof.details],
            "not_compared": [*proof.not_compared],
            "absent": [*proof.absent],
        },
        "tolerances": {k: dataclasses.asdict(v) for k, v in comparison.TOLERANCES.items()},
        "conditions": [_SEEDS, *(proof.conditions if proof is not None else ())],
        "changes_of_behavior": [*proof.notes] if proof is not None else [],
        "hand_work": [dataclasses.asdict(work) for work in _hand_work(ascent)],
        "diff": _diff(ascent, program),
        "versions": versions.installed(keras=(2, 3)),
    }


def render(content: dict[str, Any]) -> str:
    """Returns the page, with every text escaped."""
    return html_pages.rendered(_TEMPLATE, content)


def summary(ascent: Ascent) -> list[str]:
    """Returns the lines that end the command's output."""
    counts = collections.Counter(estimator.rung for estimator in ascent.estimators)
    rungs = ", ".join(f"{count} {rung}" for rung, count in counts.items()) or "none"
    lines = [f"Estimators: {rungs}"]
    for estimator in ascent.estimators:
        lines += [
            f"{_place(estimator)}: {estimator.rung}: {reason}" for reason in estimator.reasons
        ]
    if ascent.proof is not None:
        compared = ", ".join(f"{count} {kind}" for kind, count in ascent.proof.compared.items())
        with_keras = f" (with {ascent.proof.keras})" if ascent.proof.keras else ""
        lines.append(f"Compared: {compared}{with_keras}")
        lines += [f"Not compared: {line}" for line in ascent.proof.not_compared]
    return [*lines, *ascent.reasons]


def _verdict(ascent: Ascent) -> str:
    if ascent.is_complete:
        return "all proven at the top rung"
    if all(estimator.is_proven and estimator.rung == ascent.top for estimator in ascent.estimators):
        return "some part was not compared"
    return "some part stayed lower"


def _place(estimator: PortedEstimator) -> str:
    return f"{estimator.original.path}:{estimator.original.line}"


def _estimator(estimator: PortedEstimator) -> dict[str, Any]:
    return {
        "path": estimator.original.path,
        "line": estimator.original.line,
        "class": estimator.original.name,
        "rung": estimator.rung,
        "proven": estimator.is_proven,
        "results": dict(estimator.results),
        "reasons": [*estimator.reasons],
    }


def _hand_work(ascent: Ascent) -> list[rewriting.Work]:
    """Returns the remaining hand work that rules name."""
    if ascent.proof is None:
        return []
    return rewriting.hand_work(ascent.source, 3 if ascent.top == estimators.KERAS_3 else 2)


def _diff(ascent: Ascent, program: Program) -> str:
    """Returns the unified diff of the unmodified program and its port."""
    parts = []
    folder = pathlib.Path(ascent.source)
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".py", ".ipynb"):
            continue
        relative_path = path.relative_to(folder / program.output_name)
        original = os.path.normpath(os.path.join(program.path, relative_path))
        name = os.path.normpath(os.path.join(program.output_name, relative_path))
        try:
            old, new = files.read(original).text, files.read(str(path)).text
        except files.NotReadable:
            continue
        parts.append(run.difference(name, old, new) if old != new else "")
    return "".join(parts)
