"""Whether work may be shared among processes that are forked from this one, and among which.

>>> import sys
>>> may_fork() == ("tensorflow" not in sys.modules)
True
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.pool
import signal
import sys


def may_fork() -> bool:
    """Says whether this process can be forked: not with TensorFlow, whose threads would be gone.

    A fork that lets go of what the parent had of TensorFlow can crash, and a pool waits for ever
    for one that has.
    """
    return "tensorflow" not in sys.modules


def pool(processes: int) -> multiprocessing.pool.Pool:
    """Returns processes that leave Ctrl-C to this one.

    Args:
      processes: How many.
    """
    return multiprocessing.Pool(processes, _leave_ctrl_c_to_the_parent)


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
