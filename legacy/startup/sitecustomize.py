"""Begins in every interpreter that `python -m legacy.run` starts: it puts this on PYTHONPATH.

The program is then run by Python itself, as it would be without legacy, and so are the processes
that it starts. A sitecustomize that the environment has anyway runs after this one.
"""

import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def _begin() -> None:
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != HERE]
    if os.environ.get("LEGACY_RUN_PREFIX") == sys.prefix:  # Another Python is left alone.
        try:
            from legacy import startup
        except ImportError:
            # Not installed, but run from its source folder.
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
