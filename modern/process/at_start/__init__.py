"""Calls functions in each interpreter that a process starts, before the interpreter's program.

    environment = at_start.environment("legacy.startup", settings)
    subprocess.run([sys.executable, "job.py"], env=environment)  # legacy.startup.begin(settings)

The environment has this folder on PYTHONPATH, so Python imports `sitecustomize` at its start. It
then runs the program itself. The processes that the program starts do the same.

Files in reading order:
sitecustomize  calls the functions
"""

import json
import os
import sys
from collections.abc import Mapping

_HERE = os.path.dirname(os.path.abspath(__file__))
_VARIABLE = "ESTIMATOR_LADDER_AT_START"  # `sitecustomize` reads it.


def environment(
    module: str, argument: str, environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Returns an environment in which Python calls `MODULE.begin(argument)` at its start.

    Another Python calls nothing, because it may lack this package.

    Args:
      module: The module. The last one that was added begins first.
      argument: The argument. It replaces an earlier one of the same module.
      environ: The environment to extend. It may have other modules already.
    """
    earlier = [entry for entry in json.loads(environ.get(_VARIABLE, "[]")) if entry[1] != module]
    paths = [path for path in environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    return {
        **environ,
        "PYTHONPATH": os.pathsep.join([_HERE, *(path for path in paths if path != _HERE)]),
        _VARIABLE: json.dumps([[sys.prefix, module, argument], *earlier]),
    }
