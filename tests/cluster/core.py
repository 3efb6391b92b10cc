"""Environments in which processes see only the core packages: TensorFlow, tf-keras and absl.

tf_keras imports pandas and scipy if they are installed, as they are for the tests. That takes half
a second in each process. A test whose program needs them starts it in `whole_environment`.
"""

import os
import pathlib

_CORE_ALONE = str(pathlib.Path(__file__).with_name("core_alone"))


def environment(before):
    """Returns the environment of a process that sees only the core packages."""
    paths = [_CORE_ALONE, before.get("PYTHONPATH")]
    return {**before, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def whole_environment(before):
    """Returns the environment of a process that also sees the optional packages, such as scipy."""
    paths = before.get("PYTHONPATH", "").split(os.pathsep)
    return {**before, "PYTHONPATH": os.pathsep.join(p for p in paths if p != _CORE_ALONE)}
