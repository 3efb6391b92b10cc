"""Determines the verdict of each use by a trial of `migrate rewrite`.

    scan = exact.with_verdicts(scan)

The tables list the names for which a rule exists. A rule changes a use only if it can tell that the
program computes the same, and leaves other uses unchanged. So a copy of the program is rewritten,
first `--to=legacy`, then `--to=modern`, without and with `--unsafe`, and read again. A use that
remains gets the verdict that it would have without a rule.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from legacy.reading import bindings
from migrate import notebooks, sources
from migrate.rewrite import rules
from migrate.rewrite.engine import files, source_file
from migrate.rewrite.program import program_files, run
from migrate.scan import scanner, symbols

_MODULES = re.compile(r"(?:\b\w+\.)+(?=\w)")


class _RemainingNames(NamedTuple):
    """The names that a file still uses after it has been rewritten.

    Attributes:
      names: Number of uses by form and public name.
      lines: Number of uses by form, public name and shape of the line.
    """

    names: Counter[tuple[str, str]]
    lines: Counter[tuple[str, str, str]]


def with_verdicts(scan: scanner.Scan) -> scanner.Scan:
    """Returns a scan with the verdict of each use.

    Args:
      scan: The scan. Its files are read again, and must not have changed.
    """
    with _copy(scan) as path_by_copy:
        for result in run.results(list(path_by_copy), rules.all_rules("legacy"), unsafe=False):
            if result.is_rewritten and result.file is not None:
                files.write(result.file, result.text)
        safe = _remaining_by_file(path_by_copy, unsafe=False)
        unsafe = _remaining_by_file(path_by_copy, unsafe=True)
    by_path: dict[str, list[scanner.Finding]] = {}
    for finding in scan.findings:
        by_path.setdefault(finding.path, []).append(finding)
    new_findings = []
    for path, findings in by_path.items():
        if path in safe and path in unsafe:
            findings = _with_use_verdicts(findings, _shapes(path), safe[path], unsafe[path])
        new_findings += findings
    return scan._replace(findings=new_findings)


@contextlib.contextmanager
def _copy(scan: scanner.Scan) -> Iterator[dict[str, str]]:
    """Copies the files of a scan. Yields the path of each file by that of its copy."""
    paths = [file.path for file in scan.files.values() if not file.generated and not file.error]
    with tempfile.TemporaryDirectory(prefix="migrate-scan-") as folder:
        top = os.path.commonpath(
            [os.path.dirname(os.path.abspath(path)) for path in paths] or ["/"]
        )
        path_by_copy = {}
        for path in paths:
            copy = os.path.join(folder, os.path.relpath(os.path.abspath(path), top))
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            with contextlib.suppress(OSError):
                shutil.copyfile(path, copy)
                path_by_copy[copy] = path
        yield path_by_copy


def _remaining_by_file(
    path_by_copy: Mapping[str, str], *, unsafe: bool
) -> dict[str, _RemainingNames]:
    """Returns the uses that remain in each file after --to=modern. Rejected files are left out."""
    copies = [sources.Source(copy, os.path.dirname(copy)) for copy in path_by_copy]
    facts = program_files.facts_of(copies)
    remaining = {}
    for result in run.results(list(path_by_copy), rules.all_rules("modern"), unsafe=unsafe):
        file_facts = facts.get(result.path)
        if not result.error and file_facts is not None:
            code = result.text
            if result.path.endswith(".ipynb"):
                code = notebooks.read(code).text
            with contextlib.suppress(SyntaxError):
                remaining[path_by_copy[result.path]] = _remaining_names(
                    source_file.SourceFile(code, result.path, file_facts.plan)
                )
    return remaining


def _remaining_names(file: source_file.SourceFile) -> _RemainingNames:
    lines = file.text.split("\n")
    names: Counter[tuple[str, str]] = Counter()
    by_line: Counter[tuple[str, str, str]] = Counter()
    for use in file.uses:
        # Several star imports may provide a name. Then each alternative counts.
        for name in {_public(file, alternative) for alternative in bindings.alternatives(use.name)}:
            names[use.form, name] += 1
            by_line[use.form, name, _shape(lines[use.line - 1])] += 1
    return _RemainingNames(names, by_line)


def _public(file: source_file.SourceFile, used_name: str) -> str:
    name = source_file.public_name(file.full_name(used_name) or used_name)
    _, _, star_name = name.rpartition(".*.")
    return symbols.plain(star_name if star_name.startswith("tf.") else name.replace(".*.", "."))


def _shapes(path: str) -> dict[tuple[int | None, int], str]:
    """Returns the shape of each line of a file, by cell and line."""
    text = files.read(path).text
    if not path.endswith(".ipynb"):
        return {(None, line): _shape(part) for line, part in enumerate(text.split("\n"), 1)}
    notebook = notebooks.read(text)
    pairs = zip(notebook.places, notebook.text.split("\n"), strict=False)
    return {place: _shape(part) for place, part in pairs}


def _shape(line: str) -> str:
    """Returns a line with only the last part of each name, which a rewritten import keeps."""
    return _MODULES.sub("", "".join(line.split()))


def _with_use_verdicts(
    findings: list[scanner.Finding],
    shapes: Mapping[tuple[int | None, int], str],
    safe: _RemainingNames,
    unsafe: _RemainingNames,
) -> list[scanner.Finding]:
    """Returns the findings of a file, each with the verdict of its use."""
    safe_survivors = _survivors(findings, shapes, safe)
    unsafe_survivors = _survivors(findings, shapes, unsafe)
    result = []
    for index, finding in enumerate(findings):
        symbol = finding.symbol
        if symbol.rule:
            if index not in safe_survivors:
                symbol = symbol._replace(verdict="rewritten")
            elif index not in unsafe_survivors:
                symbol = symbol._replace(verdict="suggested")
            else:
                symbol = symbols.without_rule(symbol)
        result.append(finding._replace(symbol=symbol))
    return result


def _survivors(
    findings: list[scanner.Finding],
    shapes: Mapping[tuple[int | None, int], str],
    remaining: _RemainingNames,
) -> set[int]:
    """Returns the indices of the findings that remain. Unchanged lines are matched first."""
    names, lines = remaining.names.copy(), remaining.lines.copy()
    keys = [(f.form, symbols.plain(f.symbol.name)) for f in findings]
    indices = set()
    for index, (finding, key) in enumerate(zip(findings, keys, strict=True)):
        line = (*key, shapes.get((finding.cell, finding.line), ""))
        if lines[line] and names[key]:
            lines[line] -= 1
            names[key] -= 1
            indices.add(index)
    for index, key in enumerate(keys):
        if index not in indices and names[key]:
            names[key] -= 1
            indices.add(index)
    return indices
