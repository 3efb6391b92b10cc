"""Generates the list of rules in docs/rules.md from the metadata and examples of the rules.

python -m migrate.rewrite.rules.page docs/rules.md
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence

from migrate.rewrite import rules
from migrate.rewrite.engine.rule import Rule
from migrate.rewrite.rules import examples
from migrate.rewrite.rules.examples import Example
from modern.process import cli, files, foreign_files

_MOST_BYTES = 16 << 20
_BEGIN = "<!-- From here on: python -m migrate.rewrite.rules.page docs/rules.md -->\n"


def render(text: str) -> str:
    """Returns a page with the current rules.

    Args:
      text: Text of the old page.

    Raises:
      ValueError: The page has no mark where the rules begin.
    """
    introduction, mark, _ = text.partition(_BEGIN)
    if not mark:
        raise ValueError(f"the page has no line {_BEGIN.strip()!r}.")
    return introduction + mark + "\n" + "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    for to in rules.DIRECTIONS:
        option = "--to=modern --keras=3" if to == "keras3" else f"--to={to}"
        yield f"## Rules of {option}\n"
        for rule in rules.all_rules(to):
            yield from _section(rule)


def _section(rule: Rule) -> Iterator[str]:
    yield f"### {rule.name}\n"
    kind = "" if rule.safe else " Mostly suggested."
    links = f"[Source]({rule.source}); `python -m migrate recipes {rule.recipe}`"
    yield f"{rule.message}{kind} {links}.\n"
    for example in examples.of(rule):
        if example.unsafe:
            yield "With `--unsafe`:\n"
        yield "```diff"
        yield from _difference(example)
        yield "```\n"


def _difference(example: Example) -> Iterator[str]:
    old, new = (
        text.removeprefix(example.comment).splitlines() for text in (example.before, example.after)
    )
    for line in difflib.unified_diff(old, new, lineterm="", n=1):
        if not line.startswith(("---", "+++", "@@")):
            yield line


def main(argv: Sequence[str]) -> int:
    """Updates a page in place.

    Args:
      argv: Path of the page.
    """
    if len(argv) != 1:
        print("page: give one file, such as docs/rules.md.", file=sys.stderr)
        return cli.MISUSE
    path = argv[0]
    try:
        page = render(foreign_files.read_bytes(path, _MOST_BYTES).decode("utf-8"))
        files.write_text(path, page)
    except (OSError, ValueError) as error:
        print(f"page: {path}: {foreign_files.reason(error)}.", file=sys.stderr)
        return cli.MISUSE
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
