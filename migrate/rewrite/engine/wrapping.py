r"""Breaks long statements of new code into lines, one argument on each.

>>> print("\n".join(wrapped("total = add(first, [second, third])", width=30)))
total = add(
    first,
    [second, third],
)
"""

from __future__ import annotations

import io
import textwrap
import tokenize

_SHORT = 6  # Arguments of at most this length, mostly numbers, share lines.
_OPENS, _CLOSES = "([{", ")]}"


def wrapped(statement: str, width: int = 99) -> list[str]:
    """Returns the lines of a statement.

    Args:
      statement: Statement on one line, with its indentation. Other statements stay as they are.
      width: Maximum length of a line, where it can be broken.
    """
    return _wrapped_lines(statement, "", width) if "\n" not in statement else [statement]


def _wrapped_lines(text: str, end: str, width: int) -> list[str]:
    """Returns the lines of an expression or statement, followed by `end`."""
    if len(text) + len(end) <= width:
        return [text + end]
    parts = _parts(text)
    if parts is None:
        return [text + end]
    head, inside, tail = parts
    # Parentheses around one expression may not be a call, and a comma would make a tuple.
    comma = "," if len(inside) > 1 or head[-1] != "(" else ""
    indent = text[: len(text) - len(text.lstrip())]
    if len(inside) == 1 and inside[0][-1:] in _CLOSES and not inside[0].startswith("lambda"):
        # In f([...]) and f({...}) the inner bracket stays on the line of the outer one.
        inner = _parts(indent + inside[0])
        if inner is not None and inner[0].strip() in ("[", "{"):
            head, inside, tail = head + inner[0].strip(), inner[1], inner[2] + tail
            comma = ","
    lines = [head]
    is_short = max(map(len, inside)) <= _SHORT and not any(" " in part for part in inside)
    if len(inside) > 3 and is_short:
        # The lines are indented by four more spaces, and a comma may follow.
        inside = textwrap.wrap(", ".join(inside), width - len(indent) - 5, break_long_words=False)
        inside = [part.removesuffix(",") for part in inside]
    for part in inside:
        lines += _wrapped_lines(f"{indent}    {part}", comma, width)
    return [*lines, f"{indent}{tail}{end}"]


def _parts(text: str) -> tuple[str, list[str], str] | None:
    """Returns the text up to the longest outer bracket, the items in it, and the rest."""
    depth, start = 0, 0
    commas: list[int] = []
    longest: tuple[int, list[int], int] | None = None
    indent = len(text) - len(text.lstrip())
    strings = 0  # Depth of f-strings. Before Python 3.12, each of them is a single token.
    for token in tokenize.generate_tokens(io.StringIO(text[indent:] + "\n").readline):
        name = tokenize.tok_name[token.type]
        strings += (name == "FSTRING_START") - (name == "FSTRING_END")
        if token.type != tokenize.OP or strings:
            continue
        at = token.start[1] + indent
        if token.string in _OPENS:
            if not depth:
                start, commas = at, []
            depth += 1
        elif token.string in _CLOSES:
            depth -= 1
            if not depth:
                longer = longest is None or at - start >= longest[2] - longest[0]
                longest = (start, commas, at) if longer else longest
        elif token.string == "," and depth == 1:
            commas.append(at)
    if longest is None or " for " in text[longest[0] : longest[2]] and not longest[1]:
        return None
    start, commas, end = longest
    places = [start, *commas, end]
    inside = [text[a + 1 : b].strip() for a, b in zip(places, places[1:], strict=False)]
    if len(inside) == 2 and not inside[1]:
        return None  # A tuple of one.
    return text[: start + 1], [part for part in inside if part], text[end:]
