"""Names the extra of this package to install if a command lacks a package.

>>> check("launch", "a_package_that_is_missing")
Traceback (most recent call last):
    ...
modern.process.extras.MissingPackageError: a_package_that_is_missing must be installed: \
pip install 'estimator-ladder[launch]'

The error is a UsageError, so that the apps print its message in one line and exit with code 2.
"""

from __future__ import annotations

import importlib.util
import sys

from modern.process import cli

# Modules that the packages of each extra provide, as in setup.cfg.
MODULES = {
    "launch": ("psutil", "portpicker"),
    "compare": ("h5py", "psutil", "portpicker", "rich", "scipy", "jinja2"),
    "migrate": ("h5py", "rich", "scipy", "jinja2", "libcst", "pathspec", "yaml"),
    "jax": ("jax",),
    "torch": ("torch",),
}


class MissingPackageError(cli.UsageError, ImportError):
    """A package of an extra is not installed. The message names the extra."""


def error(extra: str, *names: str | None) -> MissingPackageError:
    """Returns the error of missing modules.

    Args:
      extra: Extra that installs them.
      *names: Names of the modules. A submodule stands for its package.
    """
    missing = ", ".join(str(name).partition(".")[0] for name in names)
    return MissingPackageError(
        f"{missing} must be installed: pip install 'estimator-ladder[{extra}]'"
    )


def check(extra: str, *names: str) -> None:
    """Checks that modules are installed, without importing them.

    Args:
      extra: Extra that installs them.
      *names: Names of the modules.

    Raises:
      MissingPackageError: Some are not installed.
    """
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise error(extra, *missing)


def check_all(extra: str, package: str) -> None:
    """Checks that all modules of an extra are installed. For the `__init__` of a package.

    If Python imports the package for `python -m PACKAGE.APP`, the check ends the process with the
    message and exit code 2, because the app cannot do so itself.

    Args:
      extra: The extra.
      package: Name of the package.

    Raises:
      MissingPackageError: Some modules are not installed.
    """
    try:
        check(extra, *MODULES[extra])
    except MissingPackageError as missing:
        if sys.argv[:1] != ["-m"]:  # Python sets this while it looks for the app.
            raise
        print(f"{package}: {missing}", file=sys.stderr)
        sys.exit(cli.MISUSE)
