"""Lets `python -m legacy.run` find this toolkit in a folder that has another package `legacy`.

`python -m` searches the working folder and PYTHONPATH before the installed packages. Python runs
the line of `estimator_ladder.pth` at its start, which imports this module for the commands
`legacy.run` and `migrate`. The module imports the toolkit's packages before that search.
"""

import os
import sys

_COMMANDS = ("legacy.run", "migrate")
_PACKAGES = ("legacy", "migrate", "modern")


def _command() -> str:
    """Returns the module that `python -m` names, or an empty string."""
    arguments = sys.orig_argv
    return arguments[arguments.index("-m") + 1] if "-m" in arguments[:-1] else ""


def _is_in_working_folder(command: str) -> bool:
    """Returns whether the working folder has this command, as the toolkit's own folder does."""
    path = command.replace(".", os.sep)
    return os.path.exists(f"{path}.py") or os.path.exists(os.path.join(path, "__main__.py"))


def _import_packages() -> None:
    """Imports the packages from where they are installed, and not from PYTHONPATH."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    folders = {os.path.abspath(folder) for folder in given}
    before = sys.path[:]
    sys.path[:] = [path for path in before if os.path.abspath(path) not in folders]
    try:
        for package in _PACKAGES:
            __import__(package)
    except ImportError:
        pass  # The command reports the error again. For example, TensorFlow is not installed.
    finally:
        sys.path[:] = before


if _command() in _COMMANDS and not _is_in_working_folder(_command()):
    _import_packages()
