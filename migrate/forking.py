"""Whether work may be shared among processes that are forked from this one.

>>> import sys
>>> may_fork() == ("tensorflow" not in sys.modules)
True
"""

from __future__ import annotations

import sys


def may_fork() -> bool:
    """Says whether this process can be forked: not with TensorFlow, whose threads would be gone.

    A fork that lets go of what the parent had of TensorFlow can crash, and a pool waits for ever
    for one that has.
    """
    return "tensorflow" not in sys.modules
