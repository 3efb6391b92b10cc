r"""Extracts the Python of a notebook's cells, and writes changed Python back.

>>> text = '{"cells": [{"cell_type": "code", "outputs": [1.0], "source": ["%magic\\n", "x = 1"]}]}'
>>> code = code_of(text)
>>> with_code(text, code.replace("x = 1", "x = 2")) == text.replace("x = 1", "x = 2")
True

All cells form one program. Lines that are not Python, such as `%magic`, become comments. Only the
source of changed cells is rewritten in the notebook, so outputs and layout stay byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from migrate import notebooks

NotANotebook = notebooks.NotANotebook
_CELL = "# migrate: cell "
_LINE = "# migrate: line "
_HIDDEN = re.compile(rf"^(\s*)(?:pass  )?{_LINE}(\d+) (\d+)$")
_DECODER = json.JSONDecoder()


class _Source(NamedTuple):
    """The source of a cell: its position in the file, and its value."""

    start: int
    end: int
    value: Any

    @property
    def text(self) -> str:
        return self.value if isinstance(self.value, str) else "".join(self.value)


def code_of(text: str) -> str:
    """Returns the Python of a notebook.

    Args:
      text: Text of the notebook.

    Raises:
      NotANotebook: The text is not a notebook.
    """
    notebook = notebooks.read(text)
    sources = _sources(text)
    lines: list[str] = []
    last_cell = 0
    for line, (cell, at) in zip(notebook.text.split("\n"), notebook.places, strict=False):
        if cell != last_cell:
            lines.append(f"{_CELL}{cell}")
            last_cell = cell
        if line != sources[cell].text.splitlines()[at - 1]:
            # `pass` keeps the block valid, because the line may be the only one in it.
            indent = line[: len(line) - len(line.lstrip())]
            line = f"{indent}{'pass  ' if line.strip() else ''}{_LINE}{cell} {at}"
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def with_code(text: str, code: str) -> str:
    """Returns a notebook with other Python in its cells.

    Args:
      text: Text of the notebook.
      code: The rewritten result of `code_of`.
    """
    sources = _sources(text)
    parts: list[str] = []
    position = 0
    for cell, lines in _cells(code):
        source = sources[cell]
        old = source.text
        new_lines = [_original_line(line, sources) for line in lines]
        new = "\n".join(new_lines) + ("\n" if old.endswith("\n") else "")
        if new != old:
            parts += [text[position : source.start], _source_json(text, source, new)]
            position = source.end
    return "".join([*parts, text[position:]])


def _cells(code: str) -> Iterator[tuple[int, list[str]]]:
    for part in re.split(rf"^{_CELL}", code, flags=re.MULTILINE)[1:]:
        number, _, rest = part.partition("\n")
        yield int(number), rest.removesuffix("\n").split("\n")


def _original_line(line: str, sources: dict[int, _Source]) -> str:
    match = _HIDDEN.match(line)
    return sources[int(match[2])].text.splitlines()[int(match[3]) - 1] if match else line


def _source_json(text: str, source: _Source, new: str) -> str:
    """Writes a cell's source in the format of the notebook."""
    raw = text[source.start : source.end]
    is_ascii = text.isascii()
    if isinstance(source.value, str):
        return json.dumps(new, ensure_ascii=is_ascii)
    items = list(_items(raw))
    raw_items = {json.loads(raw[start:end]): raw[start:end] for start, end in items}
    between = raw[items[0][1] : items[1][0]] if len(items) > 1 else ", "
    lines = [raw_items.get(line) or json.dumps(line, ensure_ascii=is_ascii) for line in _lines(new)]
    return raw[: items[0][0]] + between.join(lines) + raw[items[-1][1] :]


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+$", text)


def _after_space(text: str, at: int = 0) -> int:
    """Returns the offset of the next character that is not a space."""
    while text[at : at + 1].isspace():
        at += 1
    return at


def _items(raw: str) -> Iterator[tuple[int, int]]:
    """Yields the start and the end of each item of a JSON list."""
    at = _after_space(raw, 1)
    while raw[at] != "]":
        _, end = _DECODER.raw_decode(raw, at)
        yield at, end
        at = _after_space(raw, end)
        if raw[at] == ",":
            at = _after_space(raw, at + 1)


def _sources(text: str) -> dict[int, _Source]:
    """Returns the sources of all cells, by the cell's number from 1."""
    start = _after_space(text)
    top = dict(_members(text, start))
    # Notebooks of format 3 keep their cells in a worksheet.
    if "worksheets" in top:
        sheet = next(iter(_items(text[top["worksheets"] :])))[0] + top["worksheets"]
        top = dict(_members(text, sheet))
    cells = top["cells"]
    cell_sources = {}
    for number, (at, _) in enumerate(_items(text[cells:]), 1):
        members = dict(_members(text, cells + at))
        place = members.get("source", members.get("input"))
        if place is not None:
            value, end = _DECODER.raw_decode(text, place)
            cell_sources[number] = _Source(place, end, value)
    return cell_sources


def _members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yields the names in a JSON object, and the offsets of their values."""
    at = _after_space(text, at + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        at = _after_space(text, at) + 1
        at = _after_space(text, at)
        yield name, at
        _, at = _DECODER.raw_decode(text, at)
        at = _after_space(text, at)
        if text[at] == ",":
            at = _after_space(text, at + 1)
