"""Reads the examples of a rule, which are programs in a folder next to the rule.

    rules/modern/examples/casts/
        to_float/before.py      a program before the rule
        to_float/after.py       the program after it
        unchanged/cast.py       a program that the rule leaves alone

Each example is named after the case that it shows. Examples are read in the order of their names,
and docs/rules.md shows them in this order. So the most telling example has the first name.

If an example needs options, the first line of both programs is one of these comments:

    # migrate rewrite --unsafe
    # migrate rewrite --api=v2
    # migrate rewrite --unsafe --api=v2

Only the tests and docs/rules.md need the examples. An installed package does not have them.
"""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import NamedTuple

from migrate.rewrite.engine.rule import Rule

ROOT = pathlib.Path(__file__).parent

_COMMAND = "# migrate rewrite"
# --unsafe and --api, by the comment that states them.
_OPTIONS = {
    "": (False, "v1"),
    f"{_COMMAND} --unsafe\n": (True, "v1"),
    f"{_COMMAND} --api=v2\n": (False, "v2"),
    f"{_COMMAND} --unsafe --api=v2\n": (True, "v2"),
}


class Example(NamedTuple):
    """A program before and after a rule, which the tests execute.

    Attributes:
      name: Name of its folder.
      before: The program before the rule.
      after: The program after it.
      comment: First line of both programs, which states the options, or "" without options.
      unsafe: Whether the change is only made with --unsafe.
      api: The API that the program is written for, "v1" or "v2".
    """

    name: str
    before: str
    after: str
    comment: str
    unsafe: bool
    api: str


def of(rule: Rule) -> tuple[Example, ...]:
    """Returns the programs that a rule changes, sorted by name.

    Args:
      rule: The rule.

    Raises:
      ValueError: A comment states unknown options, or two programs state different ones.
    """
    return tuple(_example(path.parent) for path in sorted(_folder(rule).glob("*/before.py")))


def unchanged(rule: Rule) -> Mapping[str, str]:
    """Returns the programs that a rule leaves alone, by name.

    Args:
      rule: The rule.

    Raises:
      ValueError: A program states options. They would have no effect.
    """
    programs = {}
    for path in sorted(_folder(rule).glob("unchanged/*.py")):
        programs[path.stem] = path.read_text(encoding="utf-8")
        if _comment(path, programs[path.stem]):
            raise ValueError(f"{path}: an unchanged program takes no options.")
    return programs


def _folder(rule: Rule) -> pathlib.Path:
    return ROOT / rule.to / "examples" / rule.name


def _example(folder: pathlib.Path) -> Example:
    paths = folder / "before.py", folder / "after.py"
    before, after = (path.read_text(encoding="utf-8") for path in paths)
    comment = _comment(paths[0], before)
    if _comment(paths[1], after) != comment:
        raise ValueError(f"{paths[1]}: the first line must state the options of before.py.")
    unsafe, api = _OPTIONS[comment]
    # A program that uses tf_keras is one of TensorFlow 2.
    is_of_keras = folder.parent.parent.parent.name == "keras3"
    return Example(folder.name, before, after, comment, unsafe, "v2" if is_of_keras else api)


def _comment(path: pathlib.Path, text: str) -> str:
    """Returns the first line if it states options, or ""."""
    line = text[: text.find("\n") + 1]
    if not line.startswith(_COMMAND):
        return ""
    if line not in _OPTIONS:
        options = ", ".join(repr(comment.strip()) for comment in _OPTIONS if comment)
        raise ValueError(f"{path}: {line.strip()!r} is not one of {options}.")
    return line
