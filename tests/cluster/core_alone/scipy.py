"""Hides scipy, as in an installation of the core: tf_keras takes half a second to import it.

`benchmarks.compare` still gets scipy for its statistics, but the processes that it starts do not.
"""

import importlib
import os
import sys

if "benchmarks.compare" not in sys.orig_argv:
    raise ModuleNotFoundError("scipy is hidden: see tests/cluster/core.py", name="scipy")

sys.path.remove(os.path.dirname(__file__))
del sys.modules["scipy"]
importlib.import_module("scipy")
