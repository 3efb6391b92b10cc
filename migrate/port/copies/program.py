"""The program to port: its files, its command line and the folder that it runs in.

program = read("my_job/", ["python", "my_job/task.py", "--train_steps=200"])
program.command  # ("python", "my_job/task.py", "--train_steps=200"), in a copy

The command line names paths of the copy, relative to its folder.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Sequence

from migrate import sources
from migrate.port.copies import paths
from modern.process import cli

_LEGACY_RUN = ("-m", "legacy.run")


@dataclasses.dataclass(frozen=True)
class Program:
    """A program to port, with its command line.

    Attributes:
      path: Absolute path of its folder or file.
      root: Folder that is copied: the working folder, or the parent of the program.
      command: Command line in a copy of `root`. It begins with "python".
      api: Option of legacy.run that names the TensorFlow of the program, or "".
    """

    path: str
    root: str
    command: tuple[str, ...]
    api: str = ""

    @property
    def name(self) -> str:
        """Path of the program in `root`. "." if the program is the whole folder."""
        return os.path.relpath(self.path, self.root)

    @property
    def output_name(self) -> str:
        """Name of the folder or file that the port becomes."""
        return os.path.basename(self.path)

    def digest(self) -> str:
        """Returns a hash of the texts of the program."""
        hasher = hashlib.sha256()
        for source in sources.find([self.path]):
            hasher.update(os.path.relpath(source.path, self.path).encode())
            with open(source.path, "rb") as file:
                hasher.update(file.read())
        return hasher.hexdigest()


def read(path: str, words: Sequence[str]) -> Program:
    """Returns the program that a user names.

    Args:
      path: Folder or file of the program.
      words: Command line that runs the program.

    Raises:
      cli.UsageError: The path does not exist, or the command line does not run it with Python.
    """
    if not os.path.exists(path):
        raise cli.UsageError(f"there is no file or folder {path!r} in {os.getcwd()}.")
    absolute = os.path.realpath(path)
    if not words or not os.path.basename(words[0]).startswith("python"):
        raise cli.UsageError(
            "name the command that runs the program after --, for example "
            f"-- python {os.path.join(path, 'task.py') if os.path.isdir(path) else path} ARGS."
        )
    rest, api = [*words[1:]], ""
    if tuple(rest[:2]) == _LEGACY_RUN:
        rest = rest[2:]
        if rest and rest[0].startswith("--api="):
            api = rest.pop(0)
    if not rest or (rest[0].startswith("-") and rest[0] != "-m") or rest == ["-m"]:
        raise cli.UsageError(
            f"the command {' '.join(words)!r} names no program: python FILE.py ARGS, or "
            "python -m MODULE ARGS."
        )
    cwd = os.path.realpath(os.getcwd())
    is_inside = absolute == cwd or absolute.startswith(cwd + os.sep)
    root = cwd if is_inside else os.path.dirname(absolute)
    if rest[0] != "-m" and not _is_below(os.path.realpath(rest[0]), absolute):
        raise cli.UsageError(f"the command runs {rest[0]!r}, which is not a file in {path!r}.")
    copy_words = paths.moved_words(rest, absolute, root)
    return Program(absolute, root, ("python", *copy_words), api)


def _is_below(path: str, folder: str) -> bool:
    return os.path.isfile(path) and (path == folder or path.startswith(folder + os.sep))
