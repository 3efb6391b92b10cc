"""Decides whether this process may be forked to share its work, and creates such pools.

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
    """Returns whether this process can be forked. A fork loses the threads of TensorFlow.

    A fork that releases the parent's TensorFlow objects can crash, and a pool waits forever for a
    crashed process.
    """
    return "tensorflow" not in sys.modules


def pool(processes: int) -> multiprocessing.pool.Pool:
    """Returns a pool of processes that leave Ctrl-C to this one.

    Args:
      processes: Number of processes.
    """
    return multiprocessing.Pool(processes, _leave_ctrl_c_to_the_parent)


def _leave_ctrl_c_to_the_parent() -> None:
    # The terminal sends Ctrl-C to all processes of the group. The parent ends the pool by itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
