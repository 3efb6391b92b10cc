"""Creates the argument parser of each `migrate` command.

    parser = command_line.parser("scan", __doc__)
    parser.add_argument("paths", nargs="+")

All commands thus show their help in the same form.
"""

from __future__ import annotations

import argparse


def parser(command: str, description: str | None) -> argparse.ArgumentParser:
    """Creates the parser of a command.

    Args:
      command: Name of the command.
      description: Docstring of its module, which --help prints unchanged.

    Returns:
      A parser that takes no abbreviations, because a new option would change their meaning.
    """
    return argparse.ArgumentParser(
        prog=f"migrate {command}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
