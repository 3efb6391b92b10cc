"""Virtual environments with the toolkit, as a user installs it, and the versions of a cell.

The package is built once and installed as a wheel, so that a file that the package lacks is found.
"""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys

from tests import interpreters
from tests.matrix.cells import NEWEST, Cell

ROOT = pathlib.Path(__file__).parents[2]
# The extras that README.md installs.
EXTRAS = "migrate,compare"
_SOURCES = (
    "modern", "legacy", "migrate", "benchmarks",
    "setup.cfg", "setup.py", "README.md", "LICENSE",
    "estimator_ladder_start.py", "estimator_ladder.pth",
)  # fmt: skip
_DISTRIBUTIONS = ("tensorflow", "tf-keras", "keras", "numpy", "estimator-ladder")
_VERSIONS = (
    "import importlib.metadata, json, platform\n"
    f"found = {{name: importlib.metadata.version(name) for name in {_DISTRIBUTIONS}}}\n"
    "print(json.dumps({'python': platform.python_version(), **found}))"
)


class NotTested(Exception):
    """A cell cannot be tested on this machine. The message says why."""


class InstallError(Exception):
    """The toolkit cannot be installed with the versions of a cell."""


def build_wheel(folder: pathlib.Path) -> pathlib.Path:
    """Builds the package from a copy of its sources, and returns the path of the wheel.

    Args:
      folder: Existing folder for the copy and the wheel.
    """
    copy = folder / "sources"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    ignored = shutil.ignore_patterns("__pycache__")
    for name in _SOURCES:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, copy / name, ignore=ignored)
        else:
            shutil.copy(path, copy)
    _pip(sys.executable, "wheel", "--no-deps", f"--wheel-dir={folder}", str(copy))
    (wheel,) = folder.glob("estimator_ladder-*.whl")
    return wheel


def install(cell: Cell, wheel: pathlib.Path, folder: pathlib.Path) -> str:
    """Makes an environment for a cell, and returns the path of its interpreter.

    Args:
      cell: The versions to install.
      wheel: The package of the toolkit.
      folder: New folder for the environment.

    Raises:
      NotTested: There is no such Python.
      InstallError: pip could not install these versions together.
    """
    interpreter = interpreters.find(cell.python)
    if interpreter is None:
        raise NotTested(f"no python{cell.python} on the path or in pyenv")
    # This environment's pip installs into it. Its own pip would be as old as its Python.
    subprocess.run([interpreter, "-m", "venv", "--without-pip", folder], check=True)
    python = str(folder / "bin" / "python")
    _pip(python, "install", "--no-compile", *requirements(cell, wheel))
    return python


def requirements(cell: Cell, wheel: pathlib.Path) -> list[str]:
    """Returns the arguments of pip for a cell."""
    series = [f"{name}=={cell.tensorflow}.*" for name in ("tensorflow", "tf-keras")]
    keras = [] if cell.keras == NEWEST else [f"keras=={cell.keras}"]
    return [f"estimator-ladder[{EXTRAS}] @ {wheel.as_uri()}", *series, *keras]


def _pip(python: str, *arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--python", python, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise InstallError(done.stderr.strip()[-2000:])


def versions(python: str) -> dict[str, str]:
    """Returns the versions of Python and of the main packages in an environment."""
    done = subprocess.run([python, "-c", _VERSIONS], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
