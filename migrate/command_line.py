"""How the commands of `migrate` read their arguments.

parser = command_line.parser("scan", __doc__)
parser.add_argument("paths", nargs="+")
"""

from __future__ import annotations

import argparse


def parser(command: str, description: str | None) -> argparse.ArgumentParser:
    """Makes the parser of a command.

    Args:
      command: its name.
      description: the docstring of its module, which --help prints as it is.

    Returns:
      A parser that takes no abbreviations: a new option would change what they mean.
    """
    return argparse.ArgumentParser(
        prog=f"migrate {command}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
