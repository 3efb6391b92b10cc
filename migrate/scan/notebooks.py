r"""The Python in a Jupyter notebook, and where each line of it stands.

>>> text = '{"cells": [{"cell_type": "code", "source": ["!pip install x\\n", "import y\\n"]}]}'
>>> notebook = read(text)
>>> notebook.text
'pass\nimport y\n'
>>> notebook.place(2)
(1, 2)

What IPython adds to Python (magics, shell commands, help) is left out, line by line; a cell that is
all magic (%%bash) as a whole. The format: https://nbformat.readthedocs.io/en/latest/
format_description.html
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

_PYTHON_MAGICS = ("%%time", "%%capture", "%%prun", "%%timeit")
_ONLY_IPYTHON = re.compile(r"^(\s*)([%!?].*|.*[^=!<>]=\s*[%!]\s*\S.*|[\w.]+\?{1,2}\s*)$")


class NotANotebook(ValueError):
    """The file is not a notebook; the message says what is wrong."""


class Notebook(NamedTuple):
    """The code cells of a notebook as one program.

    Attributes:
      text: the Python, a line for each line of the code cells.
      places: for each line, the cell (from 1, as all cells count) and the line in it (from 1).
    """

    text: str
    places: list[tuple[int, int]]

    def place(self, line: int) -> tuple[int, int]:
        """Returns the cell and the line in it of a line of `text`, all counted from 1."""
        return self.places[min(line, len(self.places)) - 1] if self.places else (1, 1)


def read(text: str) -> Notebook:
    """Reads a notebook.

    Args:
      text: the file's text.

    Raises:
      NotANotebook: it is not JSON, or has no cells.
    """
    try:
        content = json.loads(text)
    except ValueError as error:
        raise NotANotebook(f"not a notebook: it is no JSON ({error})") from error
    sheets = content.get("worksheets") if isinstance(content, dict) else None
    owner = sheets[0] if sheets else content  # nbformat 3 had worksheets
    cells = owner.get("cells") if isinstance(owner, dict) else None
    if not isinstance(cells, list):
        raise NotANotebook("not a notebook: it has no cells")
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    for number, cell in enumerate(cells, 1):
        if cell.get("cell_type") != "code":
            continue
        source = cell.get("source", cell.get("input", ""))
        source = source if isinstance(source, str) else "".join(source)
        for at, line in enumerate(_python_of(source), 1):
            lines.append(line)
            places.append((number, at))
    return Notebook("".join(f"{line}\n" for line in lines), places)


def _python_of(source: str) -> list[str]:
    """The lines of a cell, those that are not Python replaced."""
    lines = source.splitlines()
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith("%%") and not first.startswith(_PYTHON_MAGICS):
        return ["" for _ in lines]
    found = []
    continued = False
    for line in lines:
        alone = _ONLY_IPYTHON.match(line)
        if continued or (alone and not _is_python(line)):
            indent = alone.group(1) if alone and not continued else ""
            found.append("" if continued else f"{indent}pass")
            continued = line.rstrip().endswith("\\")
        else:
            found.append(line)
    return found


def _is_python(line: str) -> bool:
    """Says of a line that looks like IPython's whether it may be a part of a statement."""
    stripped = line.strip()
    if stripped.startswith(("!", "?")) or stripped.endswith("?"):
        return False
    if stripped.startswith("%"):
        # The second line of "..." % values; magics have a word behind the sign at once.
        return not re.match(r"%{1,2}[a-zA-Z]", stripped)
    return not re.search(r"=\s*[%!]", stripped)
