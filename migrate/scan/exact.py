"""Finds the verdict of each use, by a trial of `migrate rewrite`.

    scan = exact.with_verdicts(scan)

The tables list the names for which a rule exists. A rule changes a use only if it can tell that the
program computes the same, and leaves other uses unchanged. So a copy of the program is rewritten,
first `--to=legacy`, then `--to=modern`, without and with `--unsafe`, and read again. A use that is
left gets the verdict that it would have without a rule.
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
    with _copy(scan) as copied:
        for result in run.results(list(copied), rules.all_rules("legacy"), unsafe=False):
            if result.is_rewritten and result.file is not None:
                files.write(result.file, result.text)
        safe = _rewritten(copied, unsafe=False)
        unsafe = _rewritten(copied, unsafe=True)
    by_path: dict[str, list[scanner.Finding]] = {}
    for finding in scan.findings:
        by_path.setdefault(finding.path, []).append(finding)
    found = []
    for path, findings in by_path.items():
        if path in safe and path in unsafe:
            findings = _judged(findings, _shapes(path), safe[path], unsafe[path])
        found += findings
    return scan._replace(findings=found)


@contextlib.contextmanager
def _copy(scan: scanner.Scan) -> Iterator[dict[str, str]]:
    """Copies the files of a scan. Yields the path of each file by that of its copy."""
    paths = [file.path for file in scan.files.values() if not file.generated and not file.error]
    with tempfile.TemporaryDirectory(prefix="migrate-scan-") as folder:
        top = os.path.commonpath(
            [os.path.dirname(os.path.abspath(path)) for path in paths] or ["/"]
        )
        copied = {}
        for path in paths:
            copy = os.path.join(folder, os.path.relpath(os.path.abspath(path), top))
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            with contextlib.suppress(OSError):
                shutil.copyfile(path, copy)
                copied[copy] = path
        yield copied


def _rewritten(copied: Mapping[str, str], *, unsafe: bool) -> dict[str, _RemainingNames]:
    """Returns the uses left in each file by --to=modern, without files that it rejects."""
    found = [sources.Source(copy, os.path.dirname(copy)) for copy in copied]
    facts = program_files.facts_of(found)
    left = {}
    for result in run.results(list(copied), rules.all_rules("modern"), unsafe=unsafe):
        one = facts.get(result.path)
        if not result.error and one is not None:
            code = result.text
            if result.path.endswith(".ipynb"):
                code = notebooks.read(code).text
            with contextlib.suppress(SyntaxError):
                left[copied[result.path]] = _left(
                    source_file.SourceFile(code, result.path, one.plan)
                )
    return left


def _left(file: source_file.SourceFile) -> _RemainingNames:
    lines = file.text.split("\n")
    names: Counter[tuple[str, str]] = Counter()
    by_line: Counter[tuple[str, str, str]] = Counter()
    for use in file.uses:
        # Of a name that several star imports may provide, each alternative counts.
        for name in {_public(file, one) for one in bindings.alternatives(use.name)}:
            names[use.form, name] += 1
            by_line[use.form, name, _shape(lines[use.line - 1])] += 1
    return _RemainingNames(names, by_line)


def _public(file: source_file.SourceFile, used: str) -> str:
    name = source_file.public_name(file.full_name(used) or used)
    _, _, of_another = name.rpartition(".*.")
    return symbols.plain(of_another if of_another.startswith("tf.") else name.replace(".*.", "."))


def _shapes(path: str) -> dict[tuple[int | None, int], str]:
    """Returns the shape of each line of a file, by cell and line."""
    text = files.read(path).text
    if not path.endswith(".ipynb"):
        return {(None, line): _shape(part) for line, part in enumerate(text.split("\n"), 1)}
    notebook = notebooks.read(text)
    shown = zip(notebook.places, notebook.text.split("\n"), strict=False)
    return {place: _shape(part) for place, part in shown}


def _shape(line: str) -> str:
    """Returns a line with the last part of each name only, which a new module does not change."""
    return _MODULES.sub("", "".join(line.split()))


def _judged(
    findings: list[scanner.Finding],
    shapes: Mapping[tuple[int | None, int], str],
    safe: _RemainingNames,
    unsafe: _RemainingNames,
) -> list[scanner.Finding]:
    """Returns the findings of a file with their verdicts."""
    left_by_safe = _survivors(findings, shapes, safe)
    left_by_unsafe = _survivors(findings, shapes, unsafe)
    judged = []
    for at, finding in enumerate(findings):
        symbol = finding.symbol
        if symbol.rule:
            if at not in left_by_safe:
                symbol = symbol._replace(verdict="rewritten")
            elif at not in left_by_unsafe:
                symbol = symbol._replace(verdict="suggested")
            else:
                symbol = symbols.without_rule(symbol)
        judged.append(finding._replace(symbol=symbol))
    return judged


def _survivors(
    findings: list[scanner.Finding],
    shapes: Mapping[tuple[int | None, int], str],
    left: _RemainingNames,
) -> set[int]:
    """Returns the indices of the findings that are left. Unchanged lines are matched first."""
    names, lines = left.names.copy(), left.lines.copy()
    keys = [(f.form, symbols.plain(f.symbol.name)) for f in findings]
    survive = set()
    for at, (finding, key) in enumerate(zip(findings, keys, strict=True)):
        line = (*key, shapes.get((finding.cell, finding.line), ""))
        if lines[line] and names[key]:
            lines[line] -= 1
            names[key] -= 1
            survive.add(at)
    for at, key in enumerate(keys):
        if at not in survive and names[key]:
            names[key] -= 1
            survive.add(at)
    return survive
