"""Writes files whole, and over none that is there unless it is asked for.

write({"mnist.yaml": text}, pathlib.Path("out"), overwrite=False)
"""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Mapping

from modern.process import cli
from modern.process import files as whole_files


def write(files: Mapping[str, str], folder: pathlib.Path, overwrite: bool) -> None:
    """Writes all files; none if one of them is there already.

    Args:
      files: Their names in the folder, and what is in them.
      folder: Made if absent.
      overwrite: Replace those that are there.

    Raises:
      cli.UsageError: A file is there already, or the folder cannot be written.
    """
    there = [name for name in files if (folder / name).exists()]
    if there and not overwrite:
        raise cli.UsageError(
            f"--write={folder}: {there[0]} is there already"
            + (f", and {len(there) - 1} more" if there[1:] else "")
            + ". Name another folder, or say --overwrite."
        )
    try:
        for name, text in files.items():
            whole_files.write_text(folder / name, text)
    except OSError as error:
        raise cli.UsageError(f"--write={folder}: cannot be written: {error}.") from error
    if files:
        first = folder / next(iter(files))
        what = first if len(files) == 1 else f"{len(files)} files to {folder}"
        print(f"Wrote {what}", file=sys.stderr)
