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

_SMALL = 60  # One process reads so many files in less time than two processes start.
_CHUNK = 16  # Files that a process takes from the queue at once.


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
      guarded: Whether the program handles the failure of the use.
      at_start: Whether the use runs as soon as the file is run or imported.
      symbol: Information on the name.
      is_mention: Whether the use creates and calls nothing, such as an import or an annotation.
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
    start = time.perf_counter()
    inputs = list(sources.find(paths))
    progress(0, len(inputs))
    named_paths = frozenset(os.path.normpath(path) for path in paths)
    heads = local_modules.heads(source.path for source in inputs)
    read_one = functools.partial(_read, heads, named_paths)
    files: dict[str, reading.FileRead] = {}
    exported_names: dict[str, dict[str, str]] = {}
    # Names from other files can be resolved only after all files are read. The few files that have
    # such names wait.
    findings_by_file: list[list[Finding]] = []
    unresolved: dict[int, reading.FileRead] = {}
    for number, file in enumerate(_map(read_one, inputs, processes or os.cpu_count() or 1)):
        if any(use.name.startswith("@") or ".*." in use.name for use in file.uses):
            unresolved[number] = file
        findings_by_file.append([] if number in unresolved else list(_findings(file, None)))
        if file.exported:
            exported_names[file.path] = file.exported
        files[os.path.normpath(file.path)] = file._replace(uses=[], exported={})
        progress(number + 1, len(inputs))
    modules = local_modules.LocalModules(
        {source.path: exported_names.get(source.path, {}) for source in inputs},
        {source.path: source.root for source in inputs},
    )
    for number, file in unresolved.items():
        findings_by_file[number] = list(_findings(file, modules))
    findings = [finding for group in findings_by_file for finding in group]
    return Scan(findings, files, modules, time.perf_counter() - start)


def _read(
    heads: frozenset[str], named_paths: frozenset[str], source: sources.Source
) -> reading.FileRead:
    try:
        return reading.read_file(source, heads, os.path.normpath(source.path) in named_paths)
    except Exception as error:  # A bug of ours must not hide the other files.
        return reading.FileRead(
            source.path, error=f"the scan failed at it: {failures.message(error)}"
        )


def _map(
    read: Callable[[sources.Source], reading.FileRead],
    inputs: Sequence[sources.Source],
    processes: int,
) -> Iterator[reading.FileRead]:
    # -(-a // b) rounds up.
    processes = min(processes, -(-len(inputs) // _SMALL))
    if processes < 2 or not forking.may_fork():
        yield from map(read, inputs)
        return
    with forking.pool(processes) as pool:
        yield from pool.imap(read, inputs, _CHUNK)


def _findings(
    file: reading.FileRead, modules: local_modules.LocalModules | None
) -> Iterator[Finding]:
    places = set()
    for use in file.uses:
        symbol = _symbol(use.name, file.path, modules)
        place = (use.line, use.column, use.end_line, use.end_column)
        if symbol is not None and place not in places:
            places.add(place)
            yield _finding(file, use, symbol)


def _symbol(
    used_name: str, path: str, modules: local_modules.LocalModules | None
) -> symbols.Symbol | None:
    """Returns the symbol of a name that a file uses. None if the name is not of the era."""
    for value in bindings.alternatives(used_name):
        full_name: str | None = value
        if value.startswith("@") and modules is not None:
            full_name = modules.full_name(path, value)
        if full_name is None:
            continue
        symbol = symbols.look_up(used_names.public_spelling(full_name.replace(".*.", ".")))
        # `from tensorflow.contrib.layers import *` may provide it, or may not.
        is_uncertain = ".*." in full_name and symbol and symbol.verdict == "could not decide"
        if symbol is not None and not is_uncertain:
            return symbol
    _, _, name = used_name.rpartition(".*.")
    # tf.layers after `from elsewhere import *`: the author most likely means TensorFlow.
    return symbols.look_up(name) if name != used_name and name.startswith("tf.") else None


def _finding(file: reading.FileRead, use: used_names.Use, symbol: symbols.Symbol) -> Finding:
    line, end_line, cell = use.line, use.end_line, None
    if file.places:
        cell, line = file.places[use.line - 1]
        end_line = file.places[use.end_line - 1][1]
    return Finding(
        path=file.path,
        line=line,
        column=use.column + 1,
        end_line=end_line,
        end_column=use.end_column + 1,
        cell=cell,
        form=use.form,
        guarded=use.guarded,
        at_start=use.at_start,
        symbol=symbol,
        is_mention=(use.line, use.column) in file.mentions,
    )
