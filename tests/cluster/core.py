"""Has what tests start run on what the core installs: TensorFlow, tf-keras and absl.

tf_keras imports pandas and scipy where they are, which takes half a second of each process; the
tests' own installation has them. A test whose program needs them starts it in `whole_environment`.
"""

import os
import pathlib

_CORE_ALONE = str(pathlib.Path(__file__).with_name("core_alone"))


def environment(before):
    """Returns the environment of a process that is to find the core alone."""
    paths = [_CORE_ALONE, before.get("PYTHONPATH")]
    return {**before, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def whole_environment(before):
    """Returns the environment of one that needs what else is installed, such as the report."""
    paths = before.get("PYTHONPATH", "").split(os.pathsep)
    return {**before, "PYTHONPATH": os.pathsep.join(p for p in paths if p != _CORE_ALONE)}
