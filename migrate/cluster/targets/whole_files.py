"""Writes whole files, and replaces existing ones only on request.

write({"mnist.yaml": text}, pathlib.Path("out"), overwrite=False)
"""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Mapping

from modern.process import cli
from modern.process import files as whole_files


def write(files: Mapping[str, str], folder: pathlib.Path, overwrite: bool) -> None:
    """Writes all files, or none if one of them exists.

    Args:
      files: Contents of the files by their names in the folder.
      folder: Folder, created if absent.
      overwrite: If true, replaces existing files.

    Raises:
      cli.UsageError: A file exists, or the folder cannot be written.
    """
    existing = [name for name in files if (folder / name).exists()]
    if existing and not overwrite:
        raise cli.UsageError(
            f"--write={folder}: {existing[0]} is there already"
            + (f", and {len(existing) - 1} more" if existing[1:] else "")
            + ". Name another folder, or say --overwrite."
        )
    try:
        for name, text in files.items():
            whole_files.write_text(folder / name, text)
    except OSError as error:
        raise cli.UsageError(f"--write={folder}: cannot be written: {error}.") from error
    if files:
        first = folder / next(iter(files))
        target = first if len(files) == 1 else f"{len(files)} files to {folder}"
        print(f"Wrote {target}", file=sys.stderr)
