"""Finds the interpreters of other versions of Python, in pyenv or on the path."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess


def find(version: str) -> str | None:
    """Returns the path of an interpreter, or None if none of this version runs here.

    Args:
      version: Minor version of Python, such as "3.12".
    """
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))
    installed = sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))
    candidates = [*map(str, reversed(installed)), shutil.which(f"python{version}")]
    return next((path for path in candidates if path and _runs(path)), None)


def _runs(path: str) -> bool:
    """Returns whether an interpreter starts. A shim of pyenv may lack its version."""
    return subprocess.run([path, "--version"], capture_output=True).returncode == 0
