r"""Shows how a subject of an Estimator program is written today: two programs, and explanations.

    python -m migrate recipes                         the names, with a line each
    python -m migrate recipes NAME                    the page, and the diff from old to new
    python -m migrate recipes NAME --new > mine.py    the new program (also --old, --diff)

Both programs of each recipe are complete and run as they are, the old one by
`python -m legacy.run`. The tests compare their results.

Exit codes: 0 success, 2 there is no such recipe.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from migrate import command_line, recipes


def main(argv: Sequence[str]) -> int:
    """Prints the list, a page or a program.

    Args:
      argv: Arguments of the command.

    Returns:
      The exit code.

    Raises:
      cli.UsageError: The recipe does not exist.
    """
    parser = _parser()
    arguments = parser.parse_args(argv)
    if not arguments.name and arguments.part:
        parser.error(f"--{arguments.part}: of which recipe? Give its name, too.")
    text = _part(recipes.find(arguments.name), arguments.part) if arguments.name else _list()
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe, as `head` does. Python would raise again as it flushes at its
        # end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = command_line.parser("recipes", __doc__)
    parser.add_argument("name", nargs="?", metavar="NAME", help="of the list; all if not given")
    parts = parser.add_mutually_exclusive_group()
    for part, what in (
        ("old", "the old program alone"),
        ("new", "the new program alone"),
        ("diff", "the unified diff alone"),
    ):
        parts.add_argument(f"--{part}", dest="part", action="store_const", const=part, help=what)
    return parser


def _list() -> str:
    names = recipes.names()
    width = max(map(len, names))
    return "".join(f"{name:<{width}}  {recipes.find(name).title}\n" for name in names)


def _part(recipe: recipes.Recipe, part: str | None) -> str:
    """Returns a part of a recipe, or the page and the diff if no part is selected."""
    if part:
        return getattr(recipe, part)
    whole = f"The whole programs: `python -m migrate recipes {recipe.name} --old`, and `--new`."
    return f"{recipe.page}\n## The diff\n\n{whole}\n\n{recipe.diff}"
