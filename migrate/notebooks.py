r"""Extracts the Python of a Jupyter notebook, with the place of each line.

>>> text = '{"cells": [{"cell_type": "code", "source": ["!pip install x\\n", "import y\\n"]}]}'
>>> notebook = read(text)
>>> notebook.text
'pass\nimport y\n'
>>> notebook.place(2)
(1, 2)

IPython's additions to Python (magics, shell commands, help) are left out line by line, except for
the statements that `%time` and its like run. A cell magic such as %%bash leaves out its whole cell.
The output of `%%writefile x.py` is a separate program. The format:
https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

_PYTHON_MAGICS = ("%%time", "%%capture", "%%prun", "%%timeit", "%%memit", "%%tensorflow_version")
_HALVES = re.compile("[\ud800-\udfff]")
_WRITES = re.compile(
    r"^%%(?:writefile|file)\s+(?P<append>-a\s+)?[\"']?(?P<file>\S+?\.py)[\"']?\s*$"
)
# Each option can match in only one way. Otherwise a long line would take forever.
_RUNS = re.compile(
    r"^(\s*)(%(?:time|timeit|prun|memit)\s+(?:-\w[\w.]*(?:\s+[\w.]+)?\s+)*)(?=[^\s-])"
)
_ONLY_IPYTHON = re.compile(r"^(\s*)([%!?].*|.*[^=!<>]=\s*[%!]\s*\S.*|[\w.]+\?{1,2}\s*)$")


class NotANotebook(ValueError):
    """Error for a file that is not a notebook. The message has the reason."""


class Notebook(NamedTuple):
    """The code cells of a notebook as one program.

    Attributes:
      text: The Python, with a line for each line of the code cells.
      places: For each line, the cell (from 1, as all cells count) and the line in it (from 1).
      files: The Python files that it writes (%%writefile), each as a program.
    """

    text: str
    places: list[tuple[int, int]]
    files: list[Notebook] = []

    def place(self, line: int) -> tuple[int, int]:
        """Returns the cell and the line in it of a line of `text`, all counted from 1."""
        return self.places[min(line, len(self.places)) - 1] if self.places else (1, 1)


def read(text: str) -> Notebook:
    """Reads a notebook.

    Args:
      text: Text of the file.

    Raises:
      NotANotebook: The text is not JSON, has no cells, or has a cell without text.
    """
    try:
        content = json.loads(text)
    except ValueError as error:
        raise NotANotebook(f"not a notebook: it is not JSON ({error})") from error
    except RecursionError as error:
        raise NotANotebook("not a notebook: its JSON is nested too deeply") from error
    sheets = content.get("worksheets") if isinstance(content, dict) else None
    # nbformat 3 had worksheets.
    owner = sheets[0] if isinstance(sheets, list) and sheets else content
    cells = owner.get("cells") if isinstance(owner, dict) else None
    if not isinstance(cells, list):
        raise NotANotebook("not a notebook: it has no cells")
    main = _Program()
    files: dict[str, _Program] = {}
    for number, cell in enumerate(cells, 1):
        source = _source_of(cell)
        write_magic = _WRITES.match(source.partition("\n")[0])
        if write_magic:
            file = write_magic["file"]
            if file not in files or not write_magic["append"]:
                files[file] = _Program()
            # The line of the magic stays as an empty line, so that lines are counted as in the
            # cell.
            files[file].add(number, ["", *source.split("\n")[1:]])
        else:
            main.add(number, _python_of(source))
    return main.notebook()._replace(files=[program.notebook() for program in files.values()])


def without(notebook: Notebook, is_wrong: Callable[[str], Any]) -> Notebook:
    """Returns a notebook's own program with the lines of wrong cells emptied.

    Args:
      notebook: The notebook.
      is_wrong: Returns whether the text of a cell is wrong.
    """
    cells: dict[int, list[str]] = {}
    for line, (number, _) in zip(notebook.text.split("\n"), notebook.places, strict=False):
        cells.setdefault(number, []).append(line)
    lines: list[str] = []
    for cell in cells.values():
        lines += ["" for _ in cell] if is_wrong("\n".join(cell)) else cell
    return notebook._replace(text="".join(f"{line}\n" for line in lines))


def _source_of(cell: Any) -> str:
    if not isinstance(cell, dict):
        raise NotANotebook("not a notebook: a cell is not an object")
    if cell.get("cell_type") != "code":
        return ""
    source = cell.get("source", cell.get("input", ""))
    lines = [source] if isinstance(source, str) else source
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise NotANotebook("not a notebook: the source of a cell is not text")
    text = "".join(lines)
    if _HALVES.search(text):
        raise NotANotebook("not a notebook: a cell contains a lone surrogate")
    return text


class _Program:
    """A program that is collected cell by cell."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._places: list[tuple[int, int]] = []

    def add(self, number: int, lines: list[str]) -> None:
        self._lines += [f"{line}\n" for line in lines]
        self._places += [(number, at) for at, _ in enumerate(lines, 1)]

    def notebook(self) -> Notebook:
        return Notebook("".join(self._lines), self._places)


def _python_of(source: str) -> list[str]:
    """Returns the lines of a cell. Lines that are not Python are replaced."""
    lines = source.removesuffix("\n").split("\n") if source else []
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith("%%") and not first.startswith(_PYTHON_MAGICS):
        return ["" for _ in lines]
    result = []
    is_continuation = False
    for line in lines:
        # Padded to the length of the magic, so that columns stay as they are.
        line = _RUNS.sub(lambda magic: f"{magic[1]}{'pass;':{len(magic[2])}}", line)
        match = _ONLY_IPYTHON.match(line)
        if is_continuation or (match and not _is_python(line)):
            indent = match.group(1) if match and not is_continuation else ""
            result.append("" if is_continuation else f"{indent}pass")
            is_continuation = line.rstrip().endswith("\\")
        else:
            result.append(line)
    return result


def _is_python(line: str) -> bool:
    """Returns true if a line that looks like IPython's may be a part of a statement."""
    stripped = line.strip()
    if stripped.startswith(("!", "?")) or stripped.endswith("?"):
        return False
    if stripped.startswith("%"):
        # The second line of "..." % values. In a magic, a word follows the sign immediately.
        return not re.match(r"%{1,2}[a-zA-Z]", stripped)
    return not re.search(r"=\s*[%!]", stripped)
