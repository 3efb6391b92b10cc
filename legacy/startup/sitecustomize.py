"""Installs old TensorFlow in every interpreter that `python -m legacy.run` starts.

`legacy.run` puts this folder on PYTHONPATH, so Python imports this module at its start. Python then
runs the program itself, and so do the processes that the program starts. A sitecustomize of the
environment runs after this one.
"""

import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def _begin() -> None:
    # Without this folder, the search below finds the next sitecustomize.
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != HERE]
    if os.environ.get("LEGACY_RUN_PREFIX") == sys.prefix:  # Not another Python.
        try:
            from legacy import startup
        except ImportError:
            # legacy is not installed, but runs from its source folder.
            sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
            from legacy import startup
        startup.begin(os.environ["LEGACY_RUN"])


def _run_the_next_one() -> None:
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None:
        module = sys.modules["sitecustomize"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


_begin()
_run_the_next_one()
