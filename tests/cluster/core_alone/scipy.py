"""Not there, as in an installation of the core: tf_keras takes half a second to import it.

For a comparison's statistics it is there, but not for the processes that it starts.
"""

import importlib
import os
import sys

if "benchmarks.compare" not in sys.orig_argv:
    raise ModuleNotFoundError("scipy is hidden: see tests/cluster/core.py", name="scipy")

sys.path.remove(os.path.dirname(__file__))
del sys.modules["scipy"]
importlib.import_module("scipy")
