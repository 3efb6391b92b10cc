"""Reads all files of some programs in parallel, and collects the findings.

    scan = scan_paths(["my_jobs/"])
    for finding in scan.findings:
        print(finding.path, finding.line, finding.symbol.name, finding.symbol.verdict)

Only the findings are kept, not the files, so memory does not grow with the size of the files.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from legacy.reading import bindings, local_modules, used_names
from migrate import failures, forking, sources
from migrate.scan import reading, symbols

_SMALL = 60  # One process reads so many files faster than two start.
_CHUNK = 16


class Finding(NamedTuple):
    """A use of a name of the Estimator era.

    Attributes:
      path: The file.
      line: Line of the use, from 1. In a notebook, the line in the cell.
      column: Column, from 1, in characters.
      end_line: Line of its end.
      end_column: Column after its end.
      cell: Number of the notebook's cell, from 1. None in other files.
      form: "name", "import", "method" or "argument".
      guarded: Whether the program handles its failure.
      at_start: Whether it is needed as soon as the file is run or imported.
      symbol: Information on the name.
      is_mention: Whether it creates and calls nothing, such as an import or an annotation.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: int | None
    form: str
    guarded: bool
    at_start: bool
    symbol: symbols.Symbol
    is_mention: bool = False


class Scan(NamedTuple):
    """The result of a scan.

    Attributes:
      findings: Findings by file, in its order.
      files: The result of reading each file, by normal path, without its uses.
      modules: Resolves imports between the files.
      seconds: Duration of the scan.
    """

    findings: list[Finding]
    files: dict[str, reading.FileRead]
    modules: local_modules.LocalModules
    seconds: float

    @property
    def unread(self) -> list[reading.FileRead]:
        """The files that could not be read or parsed."""
        return [file for file in self.files.values() if file.error]

    @property
    def lines(self) -> int:
        """The number of lines that were read."""
        return sum(file.lines for file in self.files.values() if not file.generated)


def scan_paths(
    paths: Sequence[str],
    processes: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Scan:
    """Scans files and folders.

    Args:
      paths: Files and folders.
      processes: Number of processes that read. Default: one for each core.
      progress: Called with the number of finished files, and the total.

    Raises:
      modern.process.cli.UsageError: A path does not exist, or is neither Python nor a notebook.
    """
    started = time.perf_counter()
    found = list(sources.find(paths))
    progress(0, len(found))
    named = frozenset(os.path.normpath(path) for path in paths)
    heads = local_modules.heads(source.path for source in found)
    read_one = functools.partial(_read, heads, named)
    files: dict[str, reading.FileRead] = {}
    exported: dict[str, dict[str, str]] = {}
    # Names from other files can be resolved only after all files are read. The few files that have
    # such names wait.
    findings_of: list[list[Finding]] = []
    waiting: dict[int, reading.FileRead] = {}
    for number, read in enumerate(_map(read_one, found, processes or os.cpu_count() or 1)):
        if any(use.name.startswith("@") or ".*." in use.name for use in read.uses):
            waiting[number] = read
        findings_of.append([] if number in waiting else list(_findings(read, None)))
        if read.exported:
            exported[read.path] = read.exported
        files[os.path.normpath(read.path)] = read._replace(uses=[], exported={})
        progress(number + 1, len(found))
    modules = local_modules.LocalModules(
        {source.path: exported.get(source.path, {}) for source in found},
        {source.path: source.root for source in found},
    )
    for number, read in waiting.items():
        findings_of[number] = list(_findings(read, modules))
    findings = [finding for of_file in findings_of for finding in of_file]
    return Scan(findings, files, modules, time.perf_counter() - started)


def _read(heads: frozenset[str], named: frozenset[str], source: sources.Source) -> reading.FileRead:
    try:
        return reading.read_file(source, heads, os.path.normpath(source.path) in named)
    except Exception as error:  # A bug of ours must not hide the other files.
        return reading.FileRead(
            source.path, error=f"the scan failed at it: {failures.message(error)}"
        )


def _map(
    read: Callable[[sources.Source], reading.FileRead],
    found: Sequence[sources.Source],
    processes: int,
) -> Iterator[reading.FileRead]:
    # -(-a // b) rounds up.
    processes = min(processes, -(-len(found) // _SMALL))
    if processes < 2 or not forking.may_fork():
        yield from map(read, found)
        return
    with forking.pool(processes) as pool:
        yield from pool.imap(read, found, _CHUNK)


def _findings(
    read: reading.FileRead, modules: local_modules.LocalModules | None
) -> Iterator[Finding]:
    seen = set()
    for use in read.uses:
        symbol = _symbol(use.name, read.path, modules)
        place = (use.line, use.column, use.end_line, use.end_column)
        if symbol is not None and place not in seen:
            seen.add(place)
            yield _finding(read, use, symbol)


def _symbol(
    used: str, path: str, modules: local_modules.LocalModules | None
) -> symbols.Symbol | None:
    """Returns the symbol of a name that a file uses, or None if it is not of the era."""
    for value in bindings.alternatives(used):
        full_name: str | None = value
        if value.startswith("@") and modules is not None:
            full_name = modules.full_name(path, value)
        if full_name is None:
            continue
        symbol = symbols.look_up(used_names.public_spelling(full_name.replace(".*.", ".")))
        # `from tensorflow.contrib.layers import *` may provide it, or may not.
        perhaps = ".*." in full_name and symbol and symbol.verdict == "could not decide"
        if symbol is not None and not perhaps:
            return symbol
    _, _, name = used.rpartition(".*.")
    # tf.layers after `from elsewhere import *`: the author most likely means TensorFlow.
    return symbols.look_up(name) if name != used and name.startswith("tf.") else None


def _finding(read: reading.FileRead, use: used_names.Use, symbol: symbols.Symbol) -> Finding:
    line, end_line, cell = use.line, use.end_line, None
    if read.places:
        cell, line = read.places[use.line - 1]
        end_line = read.places[use.end_line - 1][1]
    return Finding(
        path=read.path,
        line=line,
        column=use.column + 1,
        end_line=end_line,
        end_column=use.end_column + 1,
        cell=cell,
        form=use.form,
        guarded=use.guarded,
        at_start=use.at_start,
        symbol=symbol,
        is_mention=(use.line, use.column) in read.mentions,
    )
