"""Starts the recorder in each interpreter of a recorded run, before the program.

Any other sitecustomize of the environment, such as that of `legacy.run`, runs as well.
"""

import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def _begin() -> None:
    # Without this folder, the search below finds the next sitecustomize.
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != HERE]
    try:
        from migrate.same_run import recorder
    except ImportError:
        # migrate is not installed, but runs from its source folder.
        sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
        from migrate.same_run import recorder
    recorder.begin(os.environ["MIGRATE_RECORDING"])


def _run_the_next_one() -> None:
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None:
        module = sys.modules["sitecustomize"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


if os.environ.get("MIGRATE_RECORDING"):
    _begin()
_run_the_next_one()
