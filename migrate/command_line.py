"""Creates the argument parser of each `migrate` command.

    parser = command_line.parser("scan", __doc__)
    parser.add_argument("paths", nargs="+")

All commands thus show their help in the same form. Options are spelled with hyphens, and the other
form is accepted too: `--batch_size=8` is `--batch-size=8`.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any


class _Parser(argparse.ArgumentParser):
    """Parses options with hyphens or underscores. Takes absl's flags for help, too."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.add_argument("--helpfull", "--helpshort", action="help", help=argparse.SUPPRESS)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses a command line. Arguments after `--` belong to another program and stay."""
        arguments = list(sys.argv[1:] if args is None else args)
        count = arguments.index("--") if "--" in arguments else len(arguments)
        return super().parse_known_args(
            [*map(_with_hyphens, arguments[:count]), *arguments[count:]], namespace
        )


def parser(command: str, description: str | None) -> argparse.ArgumentParser:
    """Creates the parser of a command.

    Args:
      command: Name of the command.
      description: Docstring of its module, which --help prints unchanged.

    Returns:
      A parser that takes no abbreviations, because a new option would change their meaning.
    """
    return _Parser(
        prog=f"migrate {command}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def option(name: str) -> str:
    """Returns the option of an attribute. For example, `batch_size` is that of `--batch-size`."""
    return "--" + name.replace("_", "-")


def _with_hyphens(argument: str) -> str:
    name, equals, value = argument.partition("=")
    return name.replace("_", "-") + equals + value if name.startswith("--") else argument
