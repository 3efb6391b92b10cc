"""Calls the functions that `at_start.environment` names, in every interpreter at its start.

A sitecustomize of the environment runs after this one.
"""

import importlib
import importlib.machinery
import importlib.util
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def _begin() -> None:
    # Without this folder, the search below finds the next sitecustomize.
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != HERE]
    for prefix, name, argument in json.loads(os.environ.get("ESTIMATOR_LADDER_AT_START", "[]")):
        if prefix != sys.prefix:  # Another Python.
            continue
        _call_begin(name, argument)


def _call_begin(name: str, argument: str) -> None:
    """Calls `begin` of a module of this package, even if the program has a package of that name."""
    root = os.path.abspath(os.path.join(HERE, *[os.pardir] * 3))
    package = name.partition(".")[0]
    if not any(finder.find_spec(package, None) for finder in sys.meta_path):
        # The package is not installed, but runs from its source folder.
        sys.path.append(root)
    paths = sys.path[:]
    sys.path.insert(0, root)
    try:
        importlib.import_module(name).begin(argument)
    finally:
        sys.path[:] = paths


def _run_next_sitecustomize() -> None:
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None:
        module = sys.modules["sitecustomize"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


_begin()
_run_next_sitecustomize()
