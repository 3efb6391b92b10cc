"""Helpers for short texts of new code: literals, names, sums.

>>> plus("len(WORDS)", 1), plus("10", 1), quoted("a"), identifier("age (years)")
('len(WORDS) + 1', '11', '"a"', 'age__years_')
"""

from __future__ import annotations

import json
import re


def quoted(text: str) -> str:
    """Returns a text as a Python literal."""
    return json.dumps(text, ensure_ascii=False)


def identifier(name: str) -> str:
    """Returns a text as a valid name of a variable."""
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return name if name.isidentifier() else f"_{name}"


def scope_name(name: str) -> str:
    """Returns a text as a valid name of a variable scope."""
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", name)


def plus(text: str, number: int) -> str:
    """Returns the text of an expression plus a number."""
    if not number:
        return text
    return str(int(text) + number) if text.isdigit() else f"{_factor(text)} + {number}"


def times(text: str, factor: int) -> str:
    """Returns the text of an expression times a number."""
    if factor == 1:
        return text
    return str(int(text) * factor) if text.isdigit() else f"{factor} * {_factor(text)}"


def _factor(text: str) -> str:
    return (
        text
        if re.fullmatch(r"[\w.]+", text) or re.fullmatch(r"\w+\([\w.]*\)", text)
        else f"({text})"
    )
